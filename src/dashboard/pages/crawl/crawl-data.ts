import { isCrawling } from '../../components/crawl/crawl-state.tsx'
import { pageIn, useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'

/** While a crawl runs its numbers are asked for so often. */
export const liveMs = 2_000
/** URLs on a page. */
export const urlPageSize = 50

/** Names of the filters of URLs in the address. */
export const urlFilterNames = ['q', 'scope', 'reason'] as const

/** One crawl with its progress. */
export function useCrawl(crawlId: string) {
  return useRead(
    'fetchCrawlerRun',
    { crawlId },
    { refreshEvery: (answer) => (isCrawling(answer?.crawlerRun.status ?? null) ? liveMs : 30_000) },
  )
}

/** The page of URLs of a crawl that the address names. */
export function useCrawlUrls(crawlId: string, live: boolean) {
  const address = useListAddress()
  const { one } = address
  const page = pageIn(one)
  const scope = one('scope')
  const query = useRead(
    'fetchCrawlerUrls',
    {
      crawlId,
      accepted: scope === 'in' ? true : scope === 'out' ? false : null,
      reason: one('reason') || null,
      search: one('q'),
      skip: page * urlPageSize,
      limit: urlPageSize,
    },
    { keepLast: true, refreshEvery: live ? liveMs : false },
  )
  return { ...query, address, page, filtered: urlFilterNames.some((name) => one(name) !== '') }
}
