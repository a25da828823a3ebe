import type { Handler } from '../../handler.ts'
import { basicCollection, visibleCollections } from './wire-collection.ts'

/** Lists the collections, light. */
export const getAllCollectionsBasic: Handler<'getAllCollectionsBasic'> = async (_input, { app, caller }) => ({
  apiCollections: (await visibleCollections(app.store, caller)).map(basicCollection),
})
