import { countEndpointsAt } from '../../../inventory/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Counts the endpoints known at two moments. */
export const fetchEndpointsCount: Handler<'fetchEndpointsCount'> = async (input, { app, caller }) => {
  const end = input.endTimestamp > 0 ? input.endTimestamp : nowSeconds()
  const [newCount, oldCount] = await Promise.all([
    countEndpointsAt(app.store, end, caller.collectionIds),
    countEndpointsAt(app.store, input.startTimestamp, caller.collectionIds),
  ])
  return { newCount, oldCount }
}
