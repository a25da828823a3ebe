import { adapter } from './adapter.ts'
import { referenceCollection } from './collection.ts'

/** Collections with lists for tags, conditions and environment. */
export const getAllCollections = adapter('getAllCollections', {
  answer: (body) => ({ ...body, apiCollections: body.apiCollections.map(referenceCollection) }),
})
