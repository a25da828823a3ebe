import { headerValue } from '../../http/index.ts'
import type { CapturedExchange } from '../browser/capture.ts'
import type { DriverPage } from '../browser/driver.ts'
import { operationInUrl } from '../safety/changing-words.ts'
import type { CrawlScope } from '../scope/crawl-scope.ts'
import { elementOf } from './action-cause.ts'
import { type CatchAll, foldersOver } from './catch-all.ts'
import type { Candidate, Harvest } from './harvest.ts'
import { isRouteHash, isStaticFile, segmentTemplate } from './locations.ts'
import type { NamedCalls } from './named-calls.ts'
import { filledQuery, splitQuery, type ValueOf } from './named-query.ts'
import type { Analyser } from './static/analyser.ts'
import type { TextFindings } from './static/found-in-text.ts'
import { readOpenApi, readSitemap } from './static/known-files.ts'
import { scanCss } from './static/scan-css.ts'
import { scanHeaders } from './static/scan-headers.ts'

/** Kinds of requests that pages make by script. */
const CALLS: ReadonlySet<string> = new Set(['XHR', 'Fetch', 'EventSource', 'WebSocket'])
/** Names of files that are relative to where they stand; `error.name` is a property. */
const FILE =
  /\.(?:html?|xhtml|php\d?|aspx?|jspx?|do|action|cgi|json|xml|ya?ml|txt|csv|pdf|m?js|css|svg|md)(?:\?|$)/i
/** Most routes that wait. */
const MAX_ROUTES = 3000

/** What is read besides answers. */
export interface AnswerReader {
  readonly scope: CrawlScope
  readonly harvest: Harvest
  readonly analyser: Analyser
  /** Routes and pages that wait for {@link takeRoutes}. */
  readonly routes: WaitingRoute[]
  /** Other addresses that gave the same document as this one. */
  alike(url: string): readonly string[]
  /** What tells the document of an address from others; null when it is not known. */
  markOf(url: string): string | null
  readonly catchAll: CatchAll
  /** Calls that wait until pages have asked for enough to tell their paths. */
  readonly calls: NamedCalls
  /** A value for a parameter of a path or a query; null when none was seen. */
  readonly valueOf: ValueOf
}

/** An entry of a router table, or what looks like a page in a script. */
interface WaitingRoute {
  readonly route: string
  /** Absolute URL of what is not an entry of a table; null for one that is. */
  readonly url: string | null
  readonly pageBase: string
  readonly scriptBase: string
}

/** Takes URLs out of one answer: headers, documents, scripts, style sheets, data, descriptions of APIs. */
export async function readAnswer(captured: CapturedExchange, reader: AnswerReader): Promise<void> {
  if (captured.outcome !== 'answered' || !URL.canParse(captured.url)) return
  const url = new URL(captured.url)
  if (!reader.scope.hasHost(url)) return
  if (CALLS.has(captured.kind) && captured.cause !== 'probe' && captured.pageUrl !== '')
    await reader.harvest.noteCall(url, captured.pageUrl, elementOf(captured.cause))
  const { headers, bodyIsBase64 } = captured.exchange.response
  const body = captured.script ?? captured.exchange.response.body
  await takeLinks(scanHeaders(headers), captured.url, 'header', reader)
  if (bodyIsBase64 || body.length < 8) return
  const type = (headerValue(headers, 'content-type') ?? '').toLowerCase()
  const isPage = captured.kind === 'Document' || type.includes('html')
  if (type.includes('css') || captured.kind === 'Stylesheet') {
    await takeLinks(scanCss(body), captured.url, 'css', reader)
  } else if (captured.kind === 'Script' || type.includes('javascript')) {
    const base = captured.pageUrl === '' ? captured.url : captured.pageUrl
    await takeFindings(await reader.analyser.read('script', body), base, captured.url, reader)
  } else if (isPage && captured.exchange.response.status < 500) {
    await takeFindings(await reader.analyser.read('html', body), captured.url, captured.url, reader)
  } else if (type.includes('xml')) {
    await takeLinks(readSitemap(body)?.pages ?? [], captured.url, 'sitemap', reader)
  } else if (/json|text|yaml|event-stream/.test(type)) {
    await readData(body, captured, reader)
  }
}

async function readData(body: string, captured: CapturedExchange, reader: AnswerReader): Promise<void> {
  const operations = readOpenApi(body)
  if (operations) {
    await reader.harvest.take(
      operations.map((operation) => ({
        url: new URL(filledPath(operation.path, reader), captured.url).href,
        origin: 'openapi',
        use: 'endpoint',
        method: operation.method,
        sourceUrl: captured.url,
        sourceXpath: '',
        text: '',
      })),
    )
    return
  }
  if (body.length < 200_000) {
    await takeFindings(await reader.analyser.read('text', body), captured.url, captured.url, reader)
  }
}

/** Queues what was read in a text. `pageBase` resolves paths, `scriptBase` the names of scripts. */
async function takeFindings(
  found: TextFindings,
  pageBase: string,
  scriptBase: string,
  reader: AnswerReader,
): Promise<void> {
  const provenance = { sourceUrl: scriptBase, sourceXpath: '', text: '', origin: 'script' }
  const candidates: Candidate[] = []
  for (const endpoint of found.endpoints) {
    const { path, query } = splitQuery(endpoint.url)
    const isOpen = hasParameter(path)
    if (endpoint.isCall || isOpen) reader.calls.add(endpoint, pageBase, scriptBase)
    if (endpoint.method !== 'GET' || isOpen) continue
    const url = resolve(filledPath(path, reader) + filledQuery(query, reader.valueOf), pageBase)
    if (url === null) continue
    candidates.push({
      ...provenance,
      url,
      use: 'endpoint',
      method: endpoint.method,
      bodyKeys: endpoint.bodyKeys,
    })
  }
  for (const link of found.links) {
    if (hasParameter(link))
      reader.calls.add({ method: 'GET', url: link, bodyKeys: null, isCall: false }, pageBase, scriptBase)
    const url = resolve(filledPath(link, reader), pageBase)
    if (url === null) continue
    // A string is not evidence of a page: asking tells. One that can only be a route waits for its page.
    if (!isRouteHash(new URL(url).hash)) candidates.push({ ...provenance, url, use: 'endpoint' })
    else if (reader.routes.length < MAX_ROUTES) reader.routes.push({ route: '', url, pageBase, scriptBase })
    // What a path in a text is relative to is anybody's guess: the root is as good as the page.
    const rooted = /^\.\.?\//.test(link) ? resolve(link, new URL('/', pageBase).href) : null
    if (rooted !== null && rooted !== url) candidates.push({ ...provenance, url: rooted, use: 'endpoint' })
  }
  for (const script of found.scripts) {
    const url = resolve(script, scriptBase)
    if (url !== null) candidates.push({ ...provenance, url, use: /\.m?js$/.test(url) ? 'script' : 'file' })
  }
  // Read again in another page, a table tells something new only where that page is its own document.
  const isWorthIt =
    found.isRepeat !== true || /\.(?:x?html?|php|aspx?|jsp)$/i.test(new URL(pageBase).pathname)
  for (const route of isWorthIt ? found.routes : []) {
    if (reader.routes.length < MAX_ROUTES) reader.routes.push({ route, url: null, pageBase, scriptBase })
  }
  await reader.harvest.take(candidates)
}

/**
 * Queues the routes read so far whose page was surveyed: only its links show whether it routes in the fragment. `isLast`
 * takes the others as well.
 *
 * @returns how many were queued
 */
export async function takeRoutes(
  reader: AnswerReader,
  page: DriverPage | null,
  isLast = false,
): Promise<number> {
  const { harvest, routes } = reader
  const candidates: Candidate[] = []
  const waiting: WaitingRoute[] = []
  for (const entry of routes.splice(0)) {
    const { route, url, scriptBase } = entry
    // The page that loaded the script may be a stand-in for any path; the one that was looked at counts.
    const known = [entry.pageBase, ...reader.alike(entry.pageBase)].find((each) =>
      harvest.wasSurveyed(new URL(each)),
    )
    if (known === undefined && !isLast) {
      waiting.push(entry)
      continue
    }
    const pageBase = known ?? entry.pageBase
    const base = new URL(pageBase)
    const shared = { sourceUrl: scriptBase, sourceXpath: '', text: '', origin: 'script' } as const
    if (url === null) {
      const { folders, use } = await basesOf(pageBase, page, reader)
      for (const each of routeUrls(route, pageBase, folders, reader))
        candidates.push({ ...shared, url: each, use })
      // An application that lives in a folder may be one of several ways to what is there: asking tells.
      const isPlain = harvest.usesHashRoutes(base) && /^\/?[\w./-]+$/.test(route)
      for (const folder of isPlain ? foldersOf(base) : []) {
        const each = `${base.origin}${folder}${route.replace(/^\//, '')}`
        candidates.push({ ...shared, url: each, use: 'endpoint' })
      }
      continue
    }
    candidates.push({ ...shared, url, use: 'page' })
  }
  routes.push(...waiting)
  return harvest.take(candidates)
}

async function takeLinks(
  links: readonly string[],
  base: string,
  origin: string,
  reader: AnswerReader,
): Promise<void> {
  const candidates: Candidate[] = []
  for (const link of links) {
    const url = resolve(link, base)
    if (url === null) continue
    const use = isStaticFile(new URL(url)) ? 'file' : origin === 'css' ? 'endpoint' : 'page'
    candidates.push({ url, origin, use, sourceUrl: base, sourceXpath: '', text: '' })
  }
  await reader.harvest.take(candidates)
}

/**
 * URLs of an entry of a router table: in the fragment where the application routes there, else in the path below each of
 * the folders. A route that ends with parameters is tried without them as well.
 */
function routeUrls(
  route: string,
  pageBase: string,
  folders: readonly string[],
  reader: AnswerReader,
): string[] {
  const clean = route.replace(/\/?\*+$/, '').replace(/\([^()]{0,100}\)/g, '')
  if (clean === '' || clean === '/' || clean.includes('*')) return []
  const shorter = clean.replace(/(?:\/:[\w-]{1,60}\??)+$/, '')
  const paths = [...new Set([clean, shorter])]
    .filter((path) => path !== '' && path !== '/')
    .map((path) => filledPath(path, reader).replace(/^\//, ''))
  const base = new URL(pageBase)
  if (reader.harvest.usesHashRoutes(base)) {
    return paths.map((path) => {
      base.hash = `#/${path}`
      return base.href
    })
  }
  return paths.flatMap((path) => folders.map((folder) => `${base.origin}${folder}${path}`))
}

/**
 * Where the routes of a table begin, which it does not tell: where the application answers any path with its document.
 * Without such a place routes may be pages of the server: each folder is asked for them.
 */
async function basesOf(
  pageBase: string,
  page: DriverPage | null,
  reader: AnswerReader,
): Promise<{ readonly folders: readonly string[]; readonly use: Candidate['use'] }> {
  const url = new URL(pageBase)
  if (reader.harvest.usesHashRoutes(url)) return { folders: ['/'], use: 'page' }
  const mark = reader.markOf(pageBase)
  const base = mark === null || page === null ? null : await reader.catchAll.baseOf(page, url, mark)
  return base === null ? { folders: foldersOver(url), use: 'endpoint' } : { folders: [base], use: 'page' }
}

/** Folders that a page may take for its own: the one it is in, and itself. Never the root. */
function foldersOf({ pathname }: URL): string[] {
  const own = /\.\w+$/.test(pathname) ? [] : [`${pathname.replace(/\/$/, '')}/`]
  return [...new Set([pathname.replace(/[^/]*$/, ''), ...own])].filter((folder) => folder !== '/')
}

function hasParameter(path: string): boolean {
  return /\{[\w-]*\}|\/:[A-Za-z_]/.test(path)
}

/** Path with values for its parameters: seen ones, else 1, also in what asks for an operation: no record is guessed there. */
function filledPath(path: string, reader: { valueOf(name: string): string | null }): string {
  const plain = withValues(path, { valueOf: () => null })
  const base = 'http://host/'
  const isOperation =
    URL.canParse(plain, base) &&
    operationInUrl(new URL(plain, base), (each) => segmentTemplate(each) !== each) !== null
  return isOperation ? plain : withValues(path, reader)
}

function withValues(path: string, reader: { valueOf(name: string): string | null }): string {
  return path
    .replace(/\{([\w-]{0,60})\}/g, (_, name: string) => valueFor(name, reader))
    .replace(/(?<=\/):([A-Za-z_][\w-]{0,60})\??/g, (_, name: string) => valueFor(name, reader))
    .replace(/^:([A-Za-z_][\w-]{0,60})\??/, (_, name: string) => valueFor(name, reader))
}

function valueFor(name: string, reader: { valueOf(name: string): string | null }): string {
  return encodeURIComponent((name === '' ? null : reader.valueOf(name)) ?? '1')
}

function resolve(text: string, base: string): string | null {
  const rooted = /^(?:https?:|wss?:|\.{0,2}\/|#|\?)/i.test(text) || FILE.test(text) ? text : `/${text}`
  if (!URL.canParse(rooted, base)) return null
  const url = new URL(rooted, base)
  return /^https?:$/.test(url.protocol) ? url.href : null
}
