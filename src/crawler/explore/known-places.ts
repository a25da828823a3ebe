import type { DriverPage } from '../browser/driver.ts'
import type { CrawlScope } from '../scope/crawl-scope.ts'
import type { CrawlContext } from './crawl-context.ts'
import type { CrawlOptions } from './crawl-options.ts'
import type { Candidate, LoadPayload } from './harvest.ts'
import { readRobots, readSitemap } from './static/known-files.ts'

/** Places where applications describe their API, from the root. */
const described = [
  'openapi.json',
  'openapi.yaml',
  'swagger.json',
  'swagger.yaml',
  'v2/api-docs',
  'v3/api-docs',
  'api-docs',
  'api/openapi.json',
  'swagger/v1/swagger.json',
  '.well-known/openid-configuration',
  '.well-known/security.txt',
]
/** Sitemaps read, and the longest text of one in characters. */
const MAX_SITEMAPS = 20
const MAX_TEXT = 5_000_000

/** A URL that stands on no page. */
export function outsideCandidate(
  url: string,
  origin: string,
  use: Candidate['use'],
  sourceUrl = '',
): Candidate {
  return { url, origin, use, sourceUrl, sourceXpath: '', text: '' }
}

/** Pages to begin with: seeds, then the start. */
export function firstPages({ start, seeds }: Pick<CrawlOptions, 'start' | 'seeds'>): Candidate[] {
  const pages = [...seeds, start].filter((seed) => URL.canParse(seed, start))
  return pages.map((seed) => outsideCandidate(new URL(seed, start).href, 'start', 'page'))
}

/**
 * Queues the start once more, where a crawl saw nothing else: it may have been slow to show what it has.
 *
 * @returns how much was queued: nothing the second time
 */
export async function lookAgain({
  options,
  ports,
  states,
}: Pick<CrawlContext, 'options' | 'ports' | 'states'>): Promise<number> {
  if (states.count > 1) return 0
  const { href } = new URL(options.start)
  const payload: LoadPayload = { url: href, sourceUrl: href, sourceXpath: '', text: '', isAgain: true }
  const item = { kind: 'load' as const, key: `load ${href} again`, location: href, priority: 1 }
  return ports.frontier.add([{ ...item, payload: JSON.stringify(payload) }])
}

/**
 * URLs of `robots.txt` and the sitemaps, and places where descriptions of APIs usually are. Read through a page, so that
 * guard and login of the crawl count.
 */
export async function readKnownPlaces(
  page: DriverPage,
  start: string,
  scope: CrawlScope,
): Promise<Candidate[]> {
  const { origin } = new URL(start)
  const found = described.map((place) => outsideCandidate(`${origin}/${place}`, 'openapi', 'endpoint'))
  page.cause = 'load'
  const robotsUrl = `${origin}/robots.txt`
  const robots = readRobots(await read(page, robotsUrl, scope))
  for (const path of robots.paths)
    found.push(outsideCandidate(`${origin}${path}`, 'robots', 'page', robotsUrl))
  const sitemaps = [...robots.sitemaps.slice(0, MAX_SITEMAPS / 2), `${origin}/sitemap.xml`]
  for (let i = 0; i < sitemaps.length && i < MAX_SITEMAPS; i++) {
    if (!URL.canParse(sitemaps[i]!, origin)) continue
    const at = new URL(sitemaps[i]!, origin).href
    const sitemap = readSitemap(await read(page, at, scope))
    sitemaps.push(...(sitemap?.sitemaps ?? []).slice(0, MAX_SITEMAPS))
    // An index may name pages as if they were sitemaps.
    for (const url of sitemap?.sitemaps ?? []) found.push(outsideCandidate(url, 'sitemap', 'page', at))
    for (const url of sitemap?.pages ?? []) found.push(outsideCandidate(url, 'sitemap', 'page', at))
  }
  return found
}

async function read(page: DriverPage, url: string, scope: CrawlScope): Promise<string> {
  if (!scope.judge(url).accepted) return ''
  const visit = await page.goto(url, { deadlineMs: 8000 })
  if (visit.problem !== null || visit.status !== 200) return ''
  return page.evaluate<string>(
    `fetch(location.href).then((answer) => answer.text()).then((text) => text.slice(0, ${MAX_TEXT}))`,
    { isolated: true },
  )
}
