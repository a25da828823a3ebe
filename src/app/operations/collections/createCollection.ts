import { createManualCollection } from '../../../inventory/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { changedCollection } from './wire-collection.ts'

/** Creates an empty collection. */
export const createCollection: Handler<'createCollection'> = async (input, { app }) => {
  const { id } = await createManualCollection(app.store.pool, input.collectionName, nowSeconds())
  return { apiCollections: [await changedCollection(app.store, id)], apiCollectionId: id }
}
