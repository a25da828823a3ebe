import type { ApiCollection } from '../records.ts'
import { adapter } from './adapter.ts'
import { referenceCollection } from './collection.ts'

/** Changed collections with lists for tags, conditions and environment, as in the list of all. */
function withLists<Body extends { readonly apiCollections: ApiCollection[] }>(body: Body): unknown {
  return { ...body, apiCollections: body.apiCollections.map(referenceCollection) }
}

/** Changes that answer the collections they changed. */
export const collectionLists = {
  addApisToCustomCollection: adapter('addApisToCustomCollection', { answer: withLists }),
  createCollection: adapter('createCollection', { answer: withLists }),
  createCustomCollection: adapter('createCustomCollection', { answer: withLists }),
  editCollectionName: adapter('editCollectionName', { answer: withLists }),
  removeApisFromCustomCollection: adapter('removeApisFromCustomCollection', { answer: withLists }),
  updateCustomCollection: adapter('updateCustomCollection', { answer: withLists }),
  updateEnvType: adapter('updateEnvType', { answer: withLists }),
}
