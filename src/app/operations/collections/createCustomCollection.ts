import { createGroup } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { changedCollection } from './wire-collection.ts'

/** Creates a group of endpoints by conditions. */
export const createCustomCollection: Handler<'createCustomCollection'> = async (input, { app }) => {
  const id = await createGroup(app.store, input.collectionName, input.conditions)
  return { apiCollections: [await changedCollection(app.store, id)], apiCollectionId: id }
}
