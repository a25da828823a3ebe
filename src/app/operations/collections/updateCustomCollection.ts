import { updateGroup } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen, requireUnrestricted } from '../../require-collection.ts'
import { changedCollection } from './wire-collection.ts'

/** Replaces the conditions of a group. */
export const updateCustomCollection: Handler<'updateCustomCollection'> = async (input, { app, caller }) => {
  await requireSeen(app.store, caller, input.apiCollectionId)
  // Conditions look at the endpoints of every collection.
  requireUnrestricted(caller)
  await updateGroup(app.store, input.apiCollectionId, input.conditions)
  return { apiCollections: [await changedCollection(app.store, input.apiCollectionId)] }
}
