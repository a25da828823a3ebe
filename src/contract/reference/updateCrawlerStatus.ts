import { adapter } from './adapter.ts'

/** The crawl and its new status. */
export const updateCrawlerStatus = adapter('updateCrawlerStatus', {
  answer: (_body, { crawlId, status, errorMessage }) => ({ crawlId, status, errorMessage }),
})
