import { adapter } from './adapter.ts'
import { referenceCollection } from './collection.ts'

/** Only the list; nothing of the wide object. */
export const getAllCollectionsBasic = adapter('getAllCollectionsBasic', {
  answer: ({ apiCollections }) => ({ apiCollections: apiCollections.map(referenceCollection) }),
})
