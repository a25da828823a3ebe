import { noteLogin, stopSharing } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Keeps how the sign-in of a crawl ended. */
export const reportCrawlLogin: Handler<'reportCrawlLogin'> = async ({ crawlId, error, worker }, call) => {
  const crawl = await requireCrawl(call, crawlId)
  if (worker === null) await noteLogin(call.app.store, crawl.id, error)
  else if (error !== null) await stopSharing(call.app.store, crawl.id)
}
