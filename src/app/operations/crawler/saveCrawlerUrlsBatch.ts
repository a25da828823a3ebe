import { crawlerBatchItems } from '../../../contract/index.ts'
import { saveUrls } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { urlMask } from '../../shown-urls.ts'
import { readCrawlerUrls } from './read-crawler-url.ts'
import { requireCrawl } from './require-crawl.ts'

/** Keeps many URLs that a crawl found. */
export const saveCrawlerUrlsBatch: Handler<'saveCrawlerUrlsBatch'> = async (input, call) => {
  const crawl = await requireCrawl(call, input.crawlId)
  const urls = readCrawlerUrls(input.crawlUrlsBatch, crawlerBatchItems)
  if (urls === null) throw new Failure('CRAWL_BATCH_INVALID', {})
  await saveUrls(call.app.store, crawl.id, urls, await urlMask(call.app.store))
}
