import { pageLog } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireUnrestricted } from '../../require-collection.ts'
import { requireCrawl } from './require-crawl.ts'

/** A page of the log of a crawl, or of what modules told beside. */
export const fetchCrawlLogs: Handler<'fetchCrawlLogs'> = async (input, call) => {
  const crawl =
    input.crawlId === null || input.crawlId === '' ? null : await requireCrawl(call, input.crawlId)
  if (crawl === null) requireUnrestricted(call.caller)
  const { lines, total } = await pageLog(
    call.app.store,
    crawl?.id ?? null,
    Math.max(input.skip, 0),
    input.limit,
  )
  return { crawlLogs: lines.map(({ at, level, line }) => ({ timestamp: at, level, log: line })), total }
}
