import { adapter } from './adapter.ts'
import { mapValues } from './map-values.ts'

/** Names of data types as lists. */
export const getSensitiveInfoForCollections = adapter('getSensitiveInfoForCollections', {
  answer: (body) => ({
    ...body,
    sensitiveSubtypesInCollection: mapValues(
      body.sensitiveSubtypesInCollection,
      (text) => JSON.parse(text) as string[],
    ),
  }),
})
