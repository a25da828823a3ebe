import { newEndpointsPerDay } from '../../../inventory/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Call } from '../../handler.ts'

/** New endpoints per day, in the form of both trend operations. */
export async function newEndpointsTrend(
  input: { startTimestamp: number; endTimestamp: number },
  hasHost: boolean,
  { app, caller }: Call,
): Promise<{ data: { endpoints: { _id: number; count: number }[] } }> {
  const window = {
    from: Math.max(0, input.startTimestamp),
    to: input.endTimestamp > 0 ? input.endTimestamp : nowSeconds(),
  }
  const days = await newEndpointsPerDay(app.store, window, hasHost, caller.collectionIds)
  return { data: { endpoints: days.map(({ day, count }) => ({ _id: day, count })) } }
}
