import { adapter } from './adapter.ts'
import { referenceCollection } from './collection.ts'

/** A collection with lists for tags, conditions and environment. */
export const getCollection = adapter('getCollection', {
  answer: (collections) => collections.map(referenceCollection),
})
