import { collectionState } from '../inventory/index.ts'
import { Failure } from '../kit/index.ts'
import type { CollectionKind, Store } from '../store/index.ts'
import type { Caller } from './handler.ts'

/** May the caller see a collection? */
export function maySee(caller: Caller, collectionId: number): boolean {
  return caller.collectionIds === null || caller.collectionIds.includes(collectionId)
}

/**
 * Checks that a collection exists, that the caller may see it, and that it is active.
 *
 * @param unknown code of the failure when it does not exist
 * @throws Failure COLLECTION_MINUS_ONE, `unknown`, ROLE_DENIED, DEACTIVATED_COLLECTION
 */
export async function requireCollection(
  store: Store,
  caller: Caller,
  id: number,
  unknown = 'NO_SUCH_COLLECTION',
): Promise<{ kind: CollectionKind; isRedacted: boolean }> {
  const state = await requireSeen(store, caller, id, unknown)
  if (state.isDeactivated) throw new Failure('DEACTIVATED_COLLECTION', {})
  return state
}

/** As {@link requireCollection}, for operations that deactivated collections allow. */
export async function requireSeen(
  store: Store,
  caller: Caller,
  id: number,
  unknown = 'NO_SUCH_COLLECTION',
): Promise<{ kind: CollectionKind; isRedacted: boolean; isDeactivated: boolean }> {
  if (id === -1) throw new Failure('COLLECTION_MINUS_ONE', {})
  const state = await collectionState(store, id)
  if (state === undefined) throw new Failure(unknown, {})
  if (!maySee(caller, id)) throw new Failure('ROLE_DENIED', { role: caller.role })
  return state
}
