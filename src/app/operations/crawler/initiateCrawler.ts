import { crawlIdHeader } from '../../../contract/index.ts'
import { startCrawl } from '../../crawler/start-crawl.ts'
import type { Handler } from '../../handler.ts'

/** Starts a crawl; its id is in a header, the answer has no content. */
export const initiateCrawler: Handler<'initiateCrawler'> = async (input, call) => {
  const id = await startCrawl(input, { collectionName: input.collectionName }, call)
  call.responseHeaders.set(crawlIdHeader, id)
}
