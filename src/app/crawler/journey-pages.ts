import { readJourney } from '../../crawler/index.ts'
import { Failure } from '../../kit/index.ts'

/** Pages that recordings of one order may add. */
const MOST_PAGES = 1_000

/**
 * Pages of recorded journeys on the host of a crawl, for its list of pages to begin with.
 *
 * @returns entries of `applicationPages`; those written beside them come first
 * @throws Failure CRAWL_SCOPE_INVALID when a recording cannot be read
 */
export function withJourneys(
  pages: string | null,
  journeys: readonly string[] | null,
  hostname: string,
): string | null {
  const start = new URL(hostname)
  const found = new Set<string>()
  for (const [place, text] of (journeys ?? []).entries()) {
    const journey = readJourney(text)
    if (journey === null)
      throw new Failure('CRAWL_SCOPE_INVALID', {
        reason: `journeys: number ${place + 1} names no page; send a recording of Chrome DevTools, a HAR file, a Playwright trace, or a Cypress spec or report`,
      })
    for (const page of journey.pages) {
      const url = URL.canParse(page, start.href) ? new URL(page, start.href) : null
      // A comma ends an entry of the list.
      if (url?.host === start.host && found.size < MOST_PAGES)
        found.add(`${url.pathname}${url.search}${url.hash}`.replaceAll(',', '%2C'))
    }
  }
  const all = [...(pages === null || pages.trim() === '' ? [] : [pages]), ...found]
  return all.length === 0 ? null : all.join(',')
}
