import { saveMemory } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Keeps what a module learned of the application that it crawls. */
export const saveCrawlMemory: Handler<'saveCrawlMemory'> = async ({ crawlId, memory }, call) => {
  const crawl = await requireCrawl(call, crawlId)
  await saveMemory(call.app.store, crawl.id, memory)
}
