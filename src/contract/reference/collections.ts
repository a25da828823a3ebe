import type { ApiCollection } from '../records.ts'
import { adapter } from './adapter.ts'
import { referenceCollection } from './collection.ts'

/** Collections with lists for tags, conditions and environment. */
function withLists<Body extends { readonly apiCollections: ApiCollection[] }>(body: Body): unknown {
  return { ...body, apiCollections: body.apiCollections.map(referenceCollection) }
}

/** What answers collections: lists of them, and changes with the collections that they changed. */
export const collectionAnswers = {
  addApisToCustomCollection: adapter('addApisToCustomCollection', { answer: withLists }),
  createCollection: adapter('createCollection', { answer: withLists }),
  createCustomCollection: adapter('createCustomCollection', { answer: withLists }),
  editCollectionName: adapter('editCollectionName', { answer: withLists }),
  getAllCollections: adapter('getAllCollections', { answer: withLists }),
  removeApisFromCustomCollection: adapter('removeApisFromCustomCollection', { answer: withLists }),
  updateCustomCollection: adapter('updateCustomCollection', { answer: withLists }),
  updateEnvType: adapter('updateEnvType', { answer: withLists }),
  /** No number of endpoints: its clients count the list. */
  fetchCollectionWiseApiEndpoints: adapter('fetchCollectionWiseApiEndpoints', {
    answer: (body) => ({ ...body, endpoints: null }),
  }),
  getCollection: adapter('getCollection', {
    answer: (collections) => collections.map(referenceCollection),
  }),
}
