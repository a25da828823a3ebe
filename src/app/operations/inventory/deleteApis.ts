import { deleteEndpoints } from '../../../inventory/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'

/** Deletes endpoints with everything of theirs. */
export const deleteApis: Handler<'deleteApis'> = async (input, { app, caller }) => {
  if (input.apiList.length === 0) throw new Failure('NO_APIS_GIVEN', {})
  for (const key of input.apiList) requireGranted(caller, key.apiCollectionId)
  const { count, collectionIds } = await deleteEndpoints(app.store, input.apiList)
  await app.inventory.forget(collectionIds)
  return { deletedCount: count }
}
