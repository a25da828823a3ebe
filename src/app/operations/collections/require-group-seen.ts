import type { Store } from '../../../store/index.ts'
import type { Caller } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'

/** Checks that the caller may see the collection of a name, when there is one. @throws Failure COLLECTION_DENIED */
export async function requireGroupSeen(store: Store, caller: Caller, name: string): Promise<void> {
  const known = await store.db
    .selectFrom('collections')
    .select('id')
    .where('name', '=', name.trim())
    .executeTakeFirst()
  if (known !== undefined) await requireSeen(store, caller, known.id)
}
