import type { BucketStats } from '../../../contract/index.ts'
import { callsPerAddress } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { readEndpoint } from '../inventory/require-endpoint.ts'

/** Shows how many addresses call an endpoint how often. */
export const fetchIpLevelApiCallStats: Handler<'fetchIpLevelApiCallStats'> = async (input, call) => {
  const { app } = call
  const endpoint = await readEndpoint(input, call)
  if (endpoint === undefined) return { bucketStats: [] }
  const buckets = await callsPerAddress(app, endpoint.id, input.startWindow, input.endWindow)
  return {
    bucketStats: buckets.map(({ label, ...statistics }) => ({
      bucketLabel: label as BucketStats['bucketLabel'],
      ...statistics,
    })),
  }
}
