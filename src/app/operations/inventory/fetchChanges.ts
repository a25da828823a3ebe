import type { EndpointChange } from '../../../contract/index.ts'
import { listChanges } from '../../../inventory/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'
import { requireEndpoint } from './require-endpoint.ts'

/** Lists what changed in a window, newest first. */
export const fetchChanges: Handler<'fetchChanges'> = async (input, call) => {
  const { app, caller } = call
  const endpoint = input.endpoint === null ? null : await requireEndpoint(input.endpoint, call)
  if (input.apiCollectionId !== null) await requireSeen(app.store, caller, input.apiCollectionId)
  const { changes, total } = await listChanges(app.store, {
    from: Math.max(0, input.startTimestamp),
    to: input.endTimestamp > 0 ? input.endTimestamp : nowSeconds(),
    collectionId: input.apiCollectionId,
    kinds: input.kinds ?? [],
    text: input.search,
    endpoint,
    skip: input.skip,
    limit: input.limit,
    visible: caller.collectionIds,
  })
  return {
    changes: changes.map(({ collectionId, method, url, kind, what, at }) => ({
      apiInfoKey: { apiCollectionId: collectionId, method, url },
      kind: kind as EndpointChange['kind'],
      what,
      timestamp: at,
    })),
    total,
  }
}
