import { listCrawls } from '../../../crawler/index.ts'
import type { Handler } from '../../handler.ts'
import { urlMask } from '../../shown-urls.ts'
import { wireCrawl } from './wire-crawl.ts'

/** The crawls of collections that the caller may see. */
export const fetchAllDastScans: Handler<'fetchAllDastScans'> = async (
  { includeAllStatuses },
  { app, caller },
) => {
  const crawls = await listCrawls(app.store, caller.collectionIds, includeAllStatuses)
  const mask = await urlMask(app.store)
  return { crawlerRuns: crawls.map((crawl) => wireCrawl(crawl, mask)), actionErrors: [] }
}
