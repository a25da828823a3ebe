import { findCrawl, listUrls } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { maySee } from '../../require-collection.ts'
import { wireUrl } from './wire-crawl.ts'

/** The URLs of a crawl, in and out of scope; of a crawl that is unknown or hidden none. */
export const fetchDastScan: Handler<'fetchDastScan'> = async ({ crawlId }, { app, caller }) => {
  if (crawlId === '') throw new Failure('CRAWL_ID_REQUIRED', {})
  const crawl = await findCrawl(app.store, crawlId)
  const isShown = crawl !== undefined && maySee(caller, crawl.collectionId)
  const urls = isShown ? await listUrls(app.store, crawlId) : []
  return { crawlerUrls: urls.map((found) => wireUrl(crawlId, found)), actionErrors: [] }
}
