import { searchEndpoints as search } from '../../../inventory/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'
import { wireOverview } from '../collections/wire-endpoint.ts'

/** Lists the endpoints discovered in a window, newest first. */
export const loadRecentEndpoints: Handler<'loadRecentEndpoints'> = async (input, { app, caller }) => {
  if (input.apiCollectionId !== null) await requireSeen(app.store, caller, input.apiCollectionId)
  const { endpoints, total } = await search(app, {
    collectionId: input.apiCollectionId,
    text: null,
    methods: null,
    authTypes: null,
    apiTypes: null,
    accessTypes: null,
    sensitiveTypes: null,
    isSensitive: null,
    isDocumented: null,
    discoveredFrom: input.startTimestamp,
    discoveredTo: input.endTimestamp > 0 ? input.endTimestamp : nowSeconds(),
    sortKey: 'discoveredTimestamp',
    isDescending: true,
    skip: input.skip,
    limit: input.limit,
    visible: caller.collectionIds,
    countsAll: false,
  })
  return { endpoints: endpoints.map((view) => wireOverview(view, caller)), total }
}
