import { loadMemory } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Gives a module back what was learned of the application that it crawls. */
export const fetchCrawlMemory: Handler<'fetchCrawlMemory'> = async ({ crawlId }, call) => {
  const crawl = await requireCrawl(call, crawlId)
  return { memory: await loadMemory(call.app.store, crawl.id) }
}
