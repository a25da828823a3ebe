import { requestStop } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Asks a crawl to stop; anyone who crawls hears of it within a second. */
export const stopCrawler: Handler<'stopCrawler'> = async ({ crawlId }, call) => {
  const crawl = await requireCrawl(call, crawlId)
  await requestStop(call.app.store, crawl.id)
}
