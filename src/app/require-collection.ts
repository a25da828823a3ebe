import { collectionState } from '../inventory/index.ts'
import { Failure } from '../kit/index.ts'
import type { CollectionKind, Store } from '../store/index.ts'
import type { Caller } from './handler.ts'

/** Was the caller granted a collection? */
export function maySee(caller: Caller, collectionId: number): boolean {
  return caller.collectionIds === null || caller.collectionIds.includes(collectionId)
}

/**
 * Checks that the caller was granted a collection. Asked before anything else, so that a caller restricted to some
 * collections cannot tell those that exist from those that do not.
 *
 * @throws Failure COLLECTION_MINUS_ONE, COLLECTION_DENIED
 */
export function requireGranted(caller: Caller, id: number): void {
  if (id === -1) throw new Failure('COLLECTION_MINUS_ONE', {})
  if (!maySee(caller, id)) throw new Failure('COLLECTION_DENIED', {})
}

/**
 * Checks that the caller was granted all collections: what the call does reaches beyond any list of them.
 *
 * @throws Failure COLLECTIONS_RESTRICTED
 */
export function requireUnrestricted(caller: Caller): void {
  if (caller.collectionIds !== null) throw new Failure('COLLECTIONS_RESTRICTED', {})
}

/**
 * Checks that the caller may see a collection, that it exists, and that it is active.
 *
 * @param unknown code of the failure when it does not exist
 * @throws Failure COLLECTION_MINUS_ONE, COLLECTION_DENIED, `unknown`, DEACTIVATED_COLLECTION
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
  requireGranted(caller, id)
  const state = await collectionState(store, id)
  if (state === undefined) throw new Failure(unknown, {})
  return state
}
