import {
  dismissHelpers,
  findCrawl,
  keepCrawl,
  keepWorker,
  moduleLeaseSeconds,
  resumableLeaseSeconds,
} from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { maySee } from '../../require-collection.ts'

/** Tells a module whether its crawl is to continue, and takes the call for a heartbeat. */
export const checkCrawlStatus: Handler<'checkCrawlStatus'> = async (
  { crawlId, activeSeconds, worker, isEnding },
  { app, caller },
) => {
  if (crawlId === '') throw new Failure('CRAWL_ID_REQUIRED', {})
  const crawl = await findCrawl(app.store, crawlId)
  if (crawl === undefined || !maySee(caller, crawl.collectionId))
    return { status: null, isWatched: false, workers: 0 }
  if (crawl.moduleName === null) return { status: crawl.status, isWatched: false, workers: 0 }
  if (worker !== null) {
    const kept = await keepWorker(app.store, crawl.id, worker, resumableLeaseSeconds)
    if (kept === null) return { status: crawl.status, isWatched: false, workers: 0 }
    const status = kept.isStopRequested ? 'STOP_REQUESTED' : crawl.status
    return { status, isWatched: kept.isWatched, workers: kept.workers }
  }
  if (isEnding) await dismissHelpers(app.store, crawl.id)
  const signs = await keepCrawl(app.store, crawl.id, {
    leaseOwner: null,
    leaseSeconds: activeSeconds === null ? moduleLeaseSeconds : resumableLeaseSeconds,
    activeMs: activeSeconds === null ? null : activeSeconds * 1000,
  })
  if (signs === null) return { status: crawl.status, isWatched: false, workers: 0 }
  return {
    status: signs.isStopRequested ? 'STOP_REQUESTED' : signs.status,
    isWatched: signs.isWatched,
    workers: signs.workers,
  }
}
