import { type CrawlRun, findCrawl } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Call } from '../../handler.ts'
import { maySee } from '../../require-collection.ts'

/**
 * A crawl that the caller may see: one of a collection that was granted.
 *
 * @throws Failure CRAWL_ID_REQUIRED, CRAWL_NOT_FOUND
 */
export async function requireCrawl({ app, caller }: Call, crawlId: string): Promise<CrawlRun> {
  if (crawlId === '') throw new Failure('CRAWL_ID_REQUIRED', {})
  const crawl = await findCrawl(app.store, crawlId)
  if (crawl === undefined || !maySee(caller, crawl.collectionId)) throw new Failure('CRAWL_NOT_FOUND', {})
  return crawl
}
