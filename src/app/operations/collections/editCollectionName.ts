import { renameCollection } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'
import { changedCollection } from './wire-collection.ts'

/** Renames a collection. */
export const editCollectionName: Handler<'editCollectionName'> = async (input, { app, caller }) => {
  await requireSeen(app.store, caller, input.apiCollectionId)
  await renameCollection(app.store, input.apiCollectionId, input.collectionName)
  return { apiCollections: [await changedCollection(app.store, input.apiCollectionId)] }
}
