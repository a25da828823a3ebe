import type { BucketStats } from '../../../contract/index.ts'
import { callsPerAddress, findEndpoint } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCollection } from '../../require-collection.ts'

/** Shows how many addresses call an endpoint how often. */
export const fetchIpLevelApiCallStats: Handler<'fetchIpLevelApiCallStats'> = async (
  input,
  { app, caller },
) => {
  await requireCollection(app.store, caller, input.apiCollectionId)
  await app.inventory.settle()
  const endpoint = await findEndpoint(app.store, input)
  if (endpoint === undefined) return { bucketStats: [] }
  const buckets = await callsPerAddress(app.store, endpoint.id, input.startWindow, input.endWindow)
  return {
    bucketStats: buckets.map(({ label, ...statistics }) => ({
      bucketLabel: label as BucketStats['bucketLabel'],
      ...statistics,
    })),
  }
}
