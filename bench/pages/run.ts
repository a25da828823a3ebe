/**
 * Pages of the dashboard over a large store, in headless Chromium with an empty cache: largest contentful paint and
 * kilobytes of script (compressed) of each main page, and the time until 200 rows are listed. Exits with 1 when a page
 * is over its limit or was not measured.
 *
 *   node bench/pages/run.ts [--endpoints 100000] [--events 1000000] [--rounds 3] [--minutes 30] [--only /issues]
 *
 * Issues are a fifth of the endpoints, at most 20,000. Uses a store as the tests do: the embedded one, or a database of
 * the server that VIGIL_TEST_DATABASE_URL names. Pages that are not reached in the time given are listed as such.
 */
import { parseArgs } from 'node:util'
import type { Page } from 'puppeteer-core'
import { nowSeconds } from '../../src/kit/index.ts'
import { startBrowser, stopBrowser, testBrowser } from '../../test/browser/browser.ts'
import { buildDashboardWhenStale } from '../../test/browser/built-dashboard.ts'
import { email, signedIn } from '../../test/browser/installation.ts'
import { signUpPerson, startTestServer, type TestServer } from '../../test/harness.ts'
import { endpointUrl, SEED, seedInventory } from '../lists/seed.ts'
import { RUNS, seedRuns } from '../lists/seed-runs.ts'
import { seedEvents } from '../threat-lists/seed.ts'

const PAINT_MS = 1_000
const SCRIPT_KB = 300
const PAGE_MS = 60_000
/** Rows of the longest page that the interface gives. */
const ROWS = 200

interface PageCase {
  readonly path: string
  /** Editors and maps may load more. */
  readonly mayBeLarge?: boolean
  /** Its time until 200 rows are listed is measured instead of its largest paint. */
  readonly isList?: boolean
}

const firstCollection = SEED.at + 1
const endpoint = new URLSearchParams({ method: 'POST', url: endpointUrl(1) })

const pages: readonly PageCase[] = [
  { path: '/' },
  { path: '/apis' },
  { path: '/apis/all' },
  { path: `/apis/${firstCollection}` },
  { path: `/apis/${firstCollection}/endpoint?${endpoint}` },
  { path: '/apis/sensitive' },
  { path: '/apis/changes' },
  { path: '/issues' },
  { path: '/runs' },
  { path: '/runs/new' },
  { path: `/runs/${RUNS.runId}` },
  { path: '/runs/coverage' },
  { path: '/library' },
  { path: '/library/new', mayBeLarge: true },
  { path: '/reports' },
  { path: '/crawls' },
  { path: '/threats', mayBeLarge: true },
  { path: '/threats/events' },
  { path: '/threats/actors' },
  { path: '/threats/filters' },
  { path: '/settings/organisation' },
  { path: '/settings/status' },
  { path: '/api-reference' },
  { path: `/apis/all?size=${ROWS}`, isList: true },
  { path: `/issues?size=${ROWS}`, isList: true },
]

interface Measured {
  readonly paintMs: number
  readonly scriptKb: number
  /** When the rows were there, for lists. */
  readonly rowsMs: number
}

/** Nothing loads any more, and no larger paint came for a while. */
const settled = `document.querySelector('h1') !== null
  && document.querySelector('.mantine-Skeleton-root, [aria-busy="true"], .mantine-Loader-root') === null
  && globalThis.largestPaint > 0 && performance.now() - globalThis.paintSeenAt > 500`
/** A long table has its rows when it counts them all and shows the first. */
const listed = `[...document.querySelectorAll('main table')].some((table) =>
  Number(table.ariaRowCount) > ${ROWS} && table.querySelectorAll('tbody tr[aria-rowindex]').length > 10)
  && performance.now()`

/** Notes the latest of the largest paints; there are none after the first key or click. */
const watchPaints = `{
  globalThis.largestPaint = 0
  globalThis.paintSeenAt = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.largestPaint = entry.startTime
    globalThis.paintSeenAt = performance.now()
  }).observe({ type: 'largest-contentful-paint', buffered: true })
}`

async function measure(page: Page, url: string, isList: boolean): Promise<Measured> {
  await page.goto(url, { timeout: PAGE_MS })
  let rowsMs = 0
  if (isList) {
    const at = await page.waitForFunction(listed, { timeout: PAGE_MS, polling: 'raf' })
    rowsMs = Number(await at.jsonValue())
  }
  await page.waitForFunction(settled, { timeout: PAGE_MS, polling: 100 })
  const paintMs = Number(await page.evaluate('globalThis.largestPaint'))
  const bytes = await page.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
       .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  )
  return { paintMs, scriptKb: Number(bytes) / 1_000, rowsMs }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Prints one page; whether it is within its limits. */
function report(
  { path, mayBeLarge = false, isList = false }: PageCase,
  rounds: readonly Measured[],
): boolean {
  const paint = median(rounds.map(({ paintMs }) => paintMs))
  const rows = median(rounds.map(({ rowsMs }) => rowsMs))
  const script = Math.max(...rounds.map(({ scriptKb }) => scriptKb))
  const isQuick = (isList ? rows : paint) <= PAINT_MS
  const isSmall = mayBeLarge || script <= SCRIPT_KB
  const figures = [paint.toFixed(0), script.toFixed(0), isList ? rows.toFixed(0) : '-']
  const words = [isQuick ? '' : 'slow', isSmall ? '' : 'large'].filter(Boolean).join(', ')
  console.log(`${path.padEnd(64)}${figures.map((figure) => figure.padStart(10)).join('')}  ${words}`)
  return isQuick && isSmall
}

async function fill(server: TestServer, endpoints: number, events: number): Promise<void> {
  const begun = performance.now()
  const { store } = server.running.app
  const collections = Math.max(1, Math.ceil(endpoints / SEED.perCollection))
  await seedInventory(store, collections, endpoints)
  await seedRuns(store, collections)
  await seedEvents(store, events, nowSeconds())
  await store.pool.query('VACUUM ANALYZE')
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(`${endpoints} endpoints, ${events} events on the ${store.kind} store, filled in ${seconds} s`)
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      endpoints: { type: 'string', default: '100000' },
      events: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '3' },
      minutes: { type: 'string', default: '30' },
      only: { type: 'string', default: '' },
    },
  })
  const deadline = performance.now() + Number(values.minutes) * 60_000
  const found = await testBrowser()
  if (found === null) throw new Error('No browser was found: set VIGIL_BROWSER to one')
  await buildDashboardWhenStale()
  const server = await startTestServer()
  await signUpPerson(server, email)
  await fill(server, Number(values.endpoints), Number(values.events))
  const started = await startBrowser(found)
  const { page, leave } = await openPage(started.browser, server)
  console.log(
    `${'page'.padEnd(64)}${['LCP ms', 'script kB', 'rows ms'].map((head) => head.padStart(10)).join('')}`,
  )
  let failed = 0
  for (const one of pages.filter(({ path }) => path.startsWith(values.only))) {
    const rounds: Measured[] = []
    try {
      for (let round = 0; round < Number(values.rounds); round++) {
        if (performance.now() > deadline) throw new Error(`not within ${values.minutes} minutes`)
        rounds.push(await measure(page, server.baseUrl + one.path, one.isList ?? false))
      }
      if (!report(one, rounds)) failed++
    } catch (error) {
      failed++
      console.log(`${one.path.padEnd(64)}  not measured: ${error instanceof Error ? error.message : error}`)
    }
  }
  await leave()
  await stopBrowser(started)
  await server.close()
  return failed
}

type Browser = Awaited<ReturnType<typeof startBrowser>>['browser']

/** A signed-in page that takes nothing from its cache. */
async function openPage(
  browser: Browser,
  server: TestServer,
): Promise<{ page: Page; leave(): Promise<void> }> {
  const visitor = await signedIn(browser, server)
  await visitor.page.setCacheEnabled(false)
  await visitor.page.setViewport({ width: 1440, height: 900 })
  await visitor.page.evaluateOnNewDocument(watchPaints)
  return { page: visitor.page, leave: () => visitor.leave() }
}

const failed = await main()
console.log(failed === 0 ? 'every page is within its limits' : `${failed} pages are not`)
process.exitCode = failed > 0 ? 1 : 0
