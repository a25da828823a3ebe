import { describeCollection } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'

/** Stores the description of a collection. */
export const saveCollectionDescription: Handler<'saveCollectionDescription'> = async (
  input,
  { app, caller },
) => {
  await requireSeen(app.store, caller, input.apiCollectionId)
  await describeCollection(app.store, input.apiCollectionId, input.description)
  return {}
}
