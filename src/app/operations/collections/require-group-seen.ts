import { idOfCollection } from '../../../inventory/index.ts'
import type { Store } from '../../../store/index.ts'
import type { Caller } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'

/** Checks that the caller may see the collection of a name, when there is one. @throws Failure COLLECTION_DENIED */
export async function requireGroupSeen(store: Store, caller: Caller, name: string): Promise<void> {
  const id = await idOfCollection(store, name)
  if (id !== undefined) await requireSeen(store, caller, id)
}
