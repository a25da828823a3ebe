import type { Operation } from './operation.ts'

/** Request fields by which operations name collections, directly or as part of an endpoint's key. */
const fieldNames: ReadonlySet<string> = new Set([
  'apiCollectionId',
  'apiCollectionIds',
  'apiCollections',
  'apiCollectionName',
  'collectionName',
  'apiList',
  'apiInfoKeyList',
  'apiInfoKey',
  'filterCollectionsId',
])

/** The fields by which an operation names collections; callers restricted to some may meet COLLECTION_DENIED there. */
export function collectionFields(operation: Operation): string[] {
  return Object.keys(operation.request).filter((name) => fieldNames.has(name))
}
