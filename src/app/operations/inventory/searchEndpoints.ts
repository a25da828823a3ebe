import { searchEndpoints as search } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'
import { wireOverview } from '../collections/wire-endpoint.ts'

/** Searches endpoints over one or all collections. */
export const searchEndpoints: Handler<'searchEndpoints'> = async (input, { app, caller }) => {
  if (input.apiCollectionId !== null) await requireSeen(app.store, caller, input.apiCollectionId)
  const { endpoints, total, isTotalExact } = await search(app, {
    collectionId: input.apiCollectionId,
    text: input.search,
    pathPrefix: input.pathPrefix,
    methods: input.method,
    authTypes: input.authType,
    apiTypes: input.apiType,
    accessTypes: input.accessType,
    sensitiveTypes: input.sensitiveType,
    isSensitive: input.sensitive,
    isDocumented: input.documented,
    isCalled: input.called,
    quietSince: input.quietSince,
    discoveredFrom: input.newSince,
    discoveredTo: null,
    testStates: input.testState,
    tags: input.tag,
    owners: input.owner,
    states: input.state,
    sortKey: input.sortKey,
    isDescending: input.sortOrder === -1,
    skip: input.skip,
    limit: input.limit,
    visible: caller.collectionIds,
    countsAll: input.exactTotal,
  })
  return { endpoints: endpoints.map((view) => wireOverview(view, caller)), total, isTotalExact }
}
