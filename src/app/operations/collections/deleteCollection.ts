import { deleteCollections } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'

/** Deletes a collection with everything in it. */
export const deleteCollection: Handler<'deleteCollection'> = async (input, { app, caller }) => {
  const id = input.apiCollectionId
  await requireSeen(app.store, caller, id)
  await deleteCollections(app.store, [id])
  await app.inventory.forget([id])
  return { apiCollectionId: id }
}
