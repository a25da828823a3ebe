import { adapter } from './adapter.ts'
import { mapValues } from './map-values.ts'

/** Times as numbers. */
export const getLastSeenTrafficInfoForCollections = adapter('getLastSeenTrafficInfoForCollections', {
  answer: (body) => mapValues(body, Number),
})
