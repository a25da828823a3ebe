import { checkedName } from '../../../inventory/index.ts'
import type { Handler } from '../../handler.ts'
import { newCollection } from '../../new-collection.ts'
import { changedCollection } from './wire-collection.ts'

/** Creates an empty collection. */
export const createCollection: Handler<'createCollection'> = async (input, { app, caller }) => {
  const id = await newCollection(app.access, caller, checkedName(input.collectionName))
  return { apiCollections: [await changedCollection(app.store, id)], apiCollectionId: id }
}
