import { adapter } from './adapter.ts'

/** No number of endpoints: its clients count the list. */
export const fetchCollectionWiseApiEndpoints = adapter('fetchCollectionWiseApiEndpoints', {
  answer: (body) => ({ ...body, endpoints: null }),
})
