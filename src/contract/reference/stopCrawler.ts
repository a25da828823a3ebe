import { adapter } from './adapter.ts'

/** The crawl that was asked to stop. */
export const stopCrawler = adapter('stopCrawler', {
  answer: (_body, { crawlId }) => ({ crawlId }),
})
