import { bucketMinutes, endpointTraffic, latencyMinutes } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Counts calls of endpoints by status class, and their callers. */
export const fetchEndpointTraffic: Handler<'fetchEndpointTraffic'> = async (input, { app }) => {
  const { apiList } = input
  if (apiList.length === 0) throw new Failure('NO_APIS_GIVEN', {})
  const window = {
    from: Math.floor(input.startTimestamp / 60),
    to: Math.max(Math.floor(input.startTimestamp / 60), Math.floor(input.endTimestamp / 60)),
    buckets: apiList.length === 1 ? input.buckets : 1,
  }
  const traffic = await endpointTraffic(app, apiList, window)
  return {
    bucketMinutes: bucketMinutes(window),
    latencyMinutes: latencyMinutes(window),
    traffic: traffic.map(({ name, buckets, latencies }) => ({
      apiInfoKey: name,
      buckets: buckets.map((one) => ({ ...one, start: one.start * 60 })),
      latencies: latencies.map((one) => ({ ...one, start: one.start * 60 })),
    })),
  }
}
