import { updateGroup } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'
import { changedCollection } from './wire-collection.ts'

/** Replaces the conditions of a group. */
export const updateCustomCollection: Handler<'updateCustomCollection'> = async (input, { app, caller }) => {
  await requireSeen(app.store, caller, input.apiCollectionId)
  await updateGroup(app.store, input.apiCollectionId, input.conditions)
  return { apiCollections: [await changedCollection(app.store, input.apiCollectionId)] }
}
