import { deleteCrawl as removeCrawl } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Removes a crawl that ended, with everything it found but the inventory. */
export const deleteCrawl: Handler<'deleteCrawl'> = async ({ crawlId }, call) => {
  const crawl = await requireCrawl(call, crawlId)
  if (!(await removeCrawl(call.app.store, crawl.id))) throw new Failure('CRAWL_IS_RUNNING', {})
}
