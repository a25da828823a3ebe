import { deleteCollections } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'

/** Deletes several collections with everything in them. */
export const deleteMultipleCollections: Handler<'deleteMultipleCollections'> = async (
  input,
  { app, caller },
) => {
  const ids = input.apiCollections.map(({ id }) => id)
  for (const id of ids) requireGranted(caller, id)
  await deleteCollections(app.store, ids)
  await app.inventory.forget(ids)
  return {}
}
