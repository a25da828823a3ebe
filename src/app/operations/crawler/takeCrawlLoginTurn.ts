import { takeLoginTurn } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Keeps logins of one crawl with codes of one time apart. */
export const takeCrawlLoginTurn: Handler<'takeCrawlLoginTurn'> = async ({ crawlId }, call) => {
  const crawl = await requireCrawl(call, crawlId)
  return { seconds: await takeLoginTurn(call.app.store, crawl.id) }
}
