import { createManualCollection } from '../../inventory/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { Caller } from '../handler.ts'

/** Where an import goes: a collection by id, or by name (created when there is none). */
export interface ImportTarget {
  apiCollectionName?: string | null
  apiCollectionId?: number | null
}

/**
 * The collection that receives an import.
 *
 * @throws Failure IMPORT_TARGET_REQUIRED, NO_SUCH_COLLECTION, TRAFFIC_COLLECTION_TARGET, `groupRefusal`,
 *   DEACTIVATED_TARGET, ROLE_DENIED, or what is wrong with the name
 */
export async function targetCollection(
  store: Store,
  target: ImportTarget,
  caller: Caller,
  groupRefusal: 'GROUP_TARGET' | 'OPENAPI_GROUP_TARGET' = 'GROUP_TARGET',
): Promise<number> {
  const name = target.apiCollectionName?.trim()
  const query = store.db
    .selectFrom('collections')
    .select(['id', 'kind', 'is_deactivated'])
    .$if(name !== undefined && name !== '', (q) => q.where('name', '=', name!))
    .$if(name === undefined || name === '', (q) => q.where('id', '=', target.apiCollectionId ?? -1))
  const known = await query.executeTakeFirst()
  if (known === undefined) {
    if (name !== undefined && name !== '')
      return (await createManualCollection(store.pool, name, nowSeconds())).id
    throw new Failure(target.apiCollectionId == null ? 'IMPORT_TARGET_REQUIRED' : 'NO_SUCH_COLLECTION', {})
  }
  if (known.kind === 'HOST') throw new Failure('TRAFFIC_COLLECTION_TARGET', {})
  if (known.kind === 'GROUP') throw new Failure(groupRefusal, {})
  if (known.is_deactivated) throw new Failure('DEACTIVATED_TARGET', {})
  if (caller.collectionIds !== null && !caller.collectionIds.includes(known.id)) {
    throw new Failure('ROLE_DENIED', { role: caller.role })
  }
  return known.id
}
