import type { Access } from '../../access/index.ts'
import { checkedName } from '../../inventory/index.ts'
import { Failure } from '../../kit/index.ts'
import type { CollectionKind } from '../../store/index.ts'
import type { Caller } from '../handler.ts'
import { newCollection } from '../new-collection.ts'
import { maySee } from '../require-collection.ts'

/** Where an import goes: a collection by id, or by name (created when there is none). */
export interface ImportTarget {
  apiCollectionName?: string | null
  apiCollectionId?: number | null
}

/** What a file brings: exchanges that count as traffic, or a description of what a host offers. */
export type ImportContent = 'TRAFFIC' | 'DECLARATION'

/**
 * The collection that receives an import. A collection of a host holds what was observed on the wire: a recording of
 * unknown origin would spoil that, a specification only documents it.
 *
 * @throws Failure IMPORT_TARGET_REQUIRED, NO_SUCH_COLLECTION, TRAFFIC_COLLECTION_TARGET, `groupRefusal`,
 *   DEACTIVATED_TARGET, COLLECTION_DENIED, or what is wrong with the name
 */
export async function targetCollection(
  access: Access,
  target: ImportTarget,
  caller: Caller,
  content: ImportContent,
  groupRefusal: 'GROUP_TARGET' | 'OPENAPI_GROUP_TARGET' = 'GROUP_TARGET',
): Promise<number> {
  const name = target.apiCollectionName?.trim() ?? ''
  const id = target.apiCollectionId ?? null
  if (name === '' && id === null) throw new Failure('IMPORT_TARGET_REQUIRED', {})
  if (name === '' && !maySee(caller, id!)) throw new Failure('COLLECTION_DENIED', {})
  const { rows } = await access.store.pool.query<{
    id: number
    kind: CollectionKind
    is_deactivated: boolean
  }>(`SELECT id, kind, is_deactivated FROM collections WHERE ${name === '' ? 'id' : 'name'} = $1`, [
    name === '' ? id : name,
  ])
  const known = rows[0]
  if (known === undefined) {
    if (name !== '') return newCollection(access, caller, checkedName(name))
    throw new Failure('NO_SUCH_COLLECTION', {})
  }
  if (!maySee(caller, known.id)) throw new Failure('COLLECTION_DENIED', {})
  if (known.kind === 'HOST' && content === 'TRAFFIC') throw new Failure('TRAFFIC_COLLECTION_TARGET', {})
  if (known.kind === 'GROUP') throw new Failure(groupRefusal, {})
  if (known.is_deactivated) throw new Failure('DEACTIVATED_TARGET', {})
  return known.id
}
