import { adapter } from './adapter.ts'

/** The id of the crawl as a bare text. */
export const saveCrawlerUrl = adapter('saveCrawlerUrl', {
  answer: (_body, { crawlId }) => crawlId,
})
