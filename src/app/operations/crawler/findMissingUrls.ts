import { acceptedUrls } from '../../../crawler/index.ts'
import { KnownPaths } from '../../crawler/known-paths.ts'
import type { Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

const MAX_URLS = 10_000

/** Crawled URLs whose path no endpoint of the collection stands for. */
export const findMissingUrls: Handler<'findMissingUrls'> = async ({ crawlId, missingUrls }, call) => {
  const { store } = call.app
  const crawl = await requireCrawl(call, crawlId)
  const urls = missingUrls ?? (await acceptedUrls(store, crawl.id, MAX_URLS))
  const known = await KnownPaths.read(store, crawl.collectionId)
  return { missingUrls: urls.filter((url) => !known.has(url)), looked: urls.length }
}
