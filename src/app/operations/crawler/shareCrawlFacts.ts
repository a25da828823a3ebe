import { shareLearned } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Puts what one process learned of a crawl together with what the others did. */
export const shareCrawlFacts: Handler<'shareCrawlFacts'> = async ({ crawlId, since, facts }, call) => {
  const crawl = await requireCrawl(call, crawlId)
  const news = await shareLearned(call.app.store, crawl.id, since, facts ?? [])
  return { revision: news.revision, facts: [...news.facts] }
}
