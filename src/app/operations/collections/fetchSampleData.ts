import { collectionState, endpointSamples } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { shownMessages } from '../../shown-messages.ts'
import { readEndpoint } from '../inventory/require-endpoint.ts'
import { shownCollections } from '../inventory/shown-collections.ts'

/** Shows the kept samples of an endpoint. */
export const fetchSampleData: Handler<'fetchSampleData'> = async (input, call) => {
  const { app, caller } = call
  const endpoint = await readEndpoint(input, call)
  if (endpoint === undefined) return { sampleDataList: [] }
  const owner = await collectionState(app.store, endpoint.collectionId)
  const samples = owner?.isRedacted ? [] : await endpointSamples(app.store, endpoint.id)
  if (samples.length === 0) return { sampleDataList: [] }
  const shown = await shownMessages(call, {
    operation: 'fetchSampleData',
    isUnmasked: input.unmasked,
    of: `${endpoint.method} ${endpoint.url}`,
  })
  return {
    sampleDataList: [
      {
        id: {
          apiCollectionId: endpoint.collectionId,
          url: endpoint.url,
          method: endpoint.method,
          responseCode: -1,
          bucketStartEpoch: 0,
          bucketEndEpoch: 0,
        },
        samples: await shown.samples(samples.map((sample) => sample.message)),
        collectionIds: shownCollections(endpoint, caller),
        traces: null,
      },
    ],
  }
}
