import { countHelpers, hasEnded, workCounts } from '../../../crawler/index.ts'
import { coverageOf } from '../../crawler/crawl-coverage.ts'
import type { Handler } from '../../handler.ts'
import { urlMask } from '../../shown-urls.ts'
import { requireCrawl } from './require-crawl.ts'
import { wireCrawl } from './wire-crawl.ts'

/** One crawl and how far it is. */
export const fetchCrawlerRun: Handler<'fetchCrawlerRun'> = async ({ crawlId }, call) => {
  const crawl = await requireCrawl(call, crawlId)
  const { waiting, done, dead } = crawl.workCounts ?? (await workCounts(call.app.store.pool, crawl.id))
  const isHeld = !hasEnded(crawl) && crawl.leaseOwner !== null
  return {
    crawlerRun: wireCrawl(crawl, await urlMask(call.app.store)),
    progress: {
      activeSeconds: crawl.activeMs / 1000,
      acceptedUrls: crawl.acceptedUrls,
      rejectedUrls: crawl.rejectedUrls,
      capturedExchanges: crawl.capturedExchanges,
      steps: crawl.steps,
      waiting: { ...waiting },
      done,
      givenUp: dead,
      restarts: crawl.restarts,
      workers: isHeld ? 1 + (await countHelpers(call.app.store, crawl.id)) : 0,
      harmfulActions: crawl.harmfulActions,
      end: crawl.endReason,
      summary: crawl.summary,
      coverage: await coverageOf(call.app.store, crawl),
    },
  }
}
