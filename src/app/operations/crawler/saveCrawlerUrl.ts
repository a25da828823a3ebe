import { saveUrls } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { urlMask } from '../../shown-urls.ts'
import { readCrawlerUrl } from './read-crawler-url.ts'
import { requireCrawl } from './require-crawl.ts'

/** Keeps one URL that a crawl found. */
export const saveCrawlerUrl: Handler<'saveCrawlerUrl'> = async (input, call) => {
  if (input.url === '' || input.crawlId === '') throw new Failure('CRAWL_URL_REQUIRED', {})
  const crawl = await requireCrawl(call, input.crawlId)
  await saveUrls(call.app.store, crawl.id, [readCrawlerUrl(input)], await urlMask(call.app.store))
}
