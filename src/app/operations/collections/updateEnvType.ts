import { labelCollections, listCollections } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { requireSeen } from '../../require-collection.ts'
import { wireCollection } from './wire-collection.ts'

/** Labels collections, or sets their environment. */
export const updateEnvType: Handler<'updateEnvType'> = async (input, { app, caller }) => {
  const ids = input.apiCollectionIds
  for (const id of ids) await requireSeen(app.store, caller, id)
  await labelCollections(app.store, ids, input.envType, input.resetEnvTypes)
  return { apiCollections: (await listCollections(app.store, { ids })).map(wireCollection) }
}
