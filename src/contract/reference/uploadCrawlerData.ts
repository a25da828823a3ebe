import { adapter } from './adapter.ts'

/** The collection that took the data. */
export const uploadCrawlerData = adapter('uploadCrawlerData', {
  answer: (_body, { apiCollectionId }) => ({ apiCollectionId }),
})
