import { removeFromGroup } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGroupSeen } from './require-group-seen.ts'
import { changedCollection } from './wire-collection.ts'

/** Removes endpoints from a group that were added one by one. */
export const removeApisFromCustomCollection: Handler<'removeApisFromCustomCollection'> = async (
  input,
  { app, caller },
) => {
  await requireGroupSeen(app.store, caller, input.collectionName)
  const id = await removeFromGroup(app.store, input.collectionName, input.apiList)
  return { apiCollections: [await changedCollection(app.store, id)] }
}
