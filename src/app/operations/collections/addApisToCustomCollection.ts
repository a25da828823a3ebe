import { grantCollection } from '../../../access/index.ts'
import { addToGroup } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { maySee, requireSeen } from '../../require-collection.ts'
import { requireGroupSeen } from './require-group-seen.ts'
import { changedCollection } from './wire-collection.ts'

/** Adds endpoints to a group, made when new; a restricted caller is granted the group made. */
export const addApisToCustomCollection: Handler<'addApisToCustomCollection'> = async (
  input,
  { app, caller },
) => {
  await requireGroupSeen(app.store, caller, input.collectionName)
  const owners = new Set(input.apiList.map((key) => key.apiCollectionId))
  for (const id of owners) await requireSeen(app.store, caller, id)
  const id = await addToGroup(app.store, input.collectionName, input.apiList)
  if (!maySee(caller, id)) {
    await grantCollection(app.store.pool, caller.userId, id)
    app.access.callers.clear()
  }
  return { apiCollections: [await changedCollection(app.store, id)] }
}
