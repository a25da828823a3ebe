import { pageUrls } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'
import { wireCrawledUrl } from './wire-crawl.ts'

/** A page of the URLs of a crawl. */
export const fetchCrawlerUrls: Handler<'fetchCrawlerUrls'> = async (input, call) => {
  const crawl = await requireCrawl(call, input.crawlId)
  const { urls, total, reasons } = await pageUrls(call.app.store, crawl.id, {
    accepted: input.accepted,
    reason: input.reason,
    search: input.search,
    skip: Math.max(input.skip, 0),
    limit: input.limit,
  })
  return {
    crawledUrls: urls.map(wireCrawledUrl),
    total,
    reasons: Object.fromEntries(reasons.map(({ reason, count }) => [reason, count])),
  }
}
