import { takeCodeStep } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Gives a login of a crawl a time step whose code nobody typed. */
export const takeCrawlCodeStep: Handler<'takeCrawlCodeStep'> = async ({ crawlId, digest, step }, call) => {
  await requireCrawl(call, crawlId)
  return { step: await takeCodeStep(call.app.store, digest, step) }
}
