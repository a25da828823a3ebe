import { endpointSamples, findEndpoint } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/** Shows the kept samples of an endpoint. */
export const fetchSampleData: Handler<'fetchSampleData'> = async (input, { app, caller }) => {
  const collection = await requireCollection(app.store, caller, input.apiCollectionId)
  const endpoint = collection.isRedacted ? undefined : await findEndpoint(app.store, input)
  const samples = endpoint === undefined ? [] : await endpointSamples(app.store, endpoint.id)
  if (endpoint === undefined || samples.length === 0) return { sampleDataList: [] }
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
        samples: samples.map((sample) => sample.message),
        collectionIds: endpoint.collectionIds,
        traces: null,
      },
    ],
  }
}
