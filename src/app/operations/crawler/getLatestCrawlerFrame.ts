import { hasEnded, latestFrame, watchCrawl } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Pictures are taken so long after somebody asked for one; older ones are not shown. */
const WATCHED_SECONDS = 30

/** The latest picture of a crawl. */
export const getLatestCrawlerFrame: Handler<'getLatestCrawlerFrame'> = async ({ crawlId }, call) => {
  const { store } = call.app
  const crawl = await requireCrawl(call, crawlId)
  if (!hasEnded(crawl)) await watchCrawl(store, crawl.id, WATCHED_SECONDS)
  const frame = await latestFrame(store, crawl.id, WATCHED_SECONDS)
  return {
    crawlId: crawl.id,
    frameData: frame?.frame ?? '',
    currentUrl: frame?.url ?? '',
    timestamp: frame?.takenAt ?? 0,
  }
}
