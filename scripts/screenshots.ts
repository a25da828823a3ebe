/**
 * `node scripts/screenshots.ts [folder] [--state empty] [--only /threats]`: pictures of every page in both colour schemes
 * at 1440, 1024 and 390 pixels, in each state: empty, failing (a fault of the server), lost (no answer), loading, full
 * (an installation with a recording, attacks, runs and findings), unknown (addresses of what does not exist). A page is
 * opened once for a state; then the window and the scheme change. Beside the pictures stand the text of each page and
 * contact sheets of many pictures. Faults that a program sees are printed: pages wider than the window, controls without
 * a visible name, exceptions. Pictures go to /tmp/vigil-screenshots unless a folder is given.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'puppeteer-core'
import { type Breakage, breakServer } from '../test/browser/break-server.ts'
import { startBrowser, stopBrowser, testBrowser } from '../test/browser/browser.ts'
import { buildDashboardWhenStale } from '../test/browser/built-dashboard.ts'
import { fillInstallation } from '../test/browser/full-installation.ts'
import { detailPages, email, everyPage, signedIn } from '../test/browser/installation.ts'
import type { Visitor } from '../test/browser/visitor.ts'
import { signUpPerson, startTestServer, type TestServer } from '../test/harness.ts'
import { inParts, writeSheet } from './contact-sheets.ts'

const SCHEMES = ['light', 'dark'] as const
/** Widths of windows, and how their pictures are put on a sheet. */
const WINDOWS = [
  { width: 1440, columns: 2, perSheet: 6 },
  { width: 390, columns: 5, perSheet: 10 },
  { width: 1024, columns: 3, perSheet: 9 },
] as const
const HEIGHT = 900
/** Longer pages are cut off here. */
const MOST_HEIGHT = 1_800

const STATES = ['empty', 'unknown', 'failing', 'lost', 'loading', 'full'] as const
type State = (typeof STATES)[number]
const breakages: Partial<Record<State, Breakage>> = { failing: 'fault', lost: 'lost', loading: 'held' }

/** A file name of an address: `/threats/actors?x=1` is `threats-actors-x-1`. */
function nameOf(path: string): string {
  return (
    path
      .replaceAll(/[^\w]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 180) || 'overview'
  )
}

interface Shoot {
  readonly visitor: Visitor
  readonly folder: string
  readonly state: State
  readonly baseUrl: string
}

function settledIn(state: State): string {
  const heading = `document.querySelector('h1') !== null`
  if (state === 'loading') return heading
  return `${heading} && document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]') === null`
}

/** Waits for something on the page; says so when it does not come, and continues. */
async function expectSoon(page: Page, expression: string, at: string): Promise<void> {
  await page.waitForFunction(expression, { timeout: 60_000 }).catch((error: unknown) => {
    console.error(`${at}: ${error instanceof Error ? error.message : String(error)}`)
  })
}

/** After the page has followed a new width or scheme. */
const drawn = `document.fonts.ready.then(() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))))`

/** Pictures of what a page shows now, in each window and scheme. */
async function picture({ visitor, folder, state }: Shoot, name: string): Promise<void> {
  const { page } = visitor
  for (const { width } of WINDOWS) {
    await page.setViewport({ width, height: HEIGHT })
    for (const scheme of SCHEMES) {
      await visitor.prefer(scheme)
      await page.evaluate(drawn)
      const size = (await page.evaluate(
        '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
      )) as [number, number]
      if (size[0] > width) console.error(`${state} ${name}: ${size[0]} pixels wide at ${width}`)
      const clip = { x: 0, y: 0, width, height: Math.min(MOST_HEIGHT, Math.max(HEIGHT, size[1])) }
      const path = join(folder, state, `${name}-${width}-${scheme}.png`) as `${string}.png`
      await page.screenshot({ path, clip, captureBeyondViewport: true, optimizeForSpeed: true })
    }
  }
  await page.setViewport({ width: WINDOWS[0].width, height: HEIGHT })
  await visitor.prefer('light')
}

async function shoot(deps: Shoot, paths: readonly string[]): Promise<void> {
  const { visitor, folder, state, baseUrl } = deps
  for (const path of paths) {
    const name = nameOf(path)
    await visitor.page.goto(baseUrl + path)
    await expectSoon(visitor.page, settledIn(state), `${state} ${path}`)
    const text = String(
      await visitor.page.evaluate('(document.querySelector("#content") ?? document.body).innerText'),
    )
    writeFileSync(join(folder, state, `${name}.txt`), `${path}\n${text}\n`)
    await picture(deps, name)
    for (const fault of visitor.faults.splice(0)) console.error(`${state} ${path}: ${fault}`)
  }
}

async function writeSheets(browser: Browser, folder: string, state: State, paths: readonly string[]) {
  mkdirSync(join(folder, 'sheets'), { recursive: true })
  for (const { width, columns, perSheet } of WINDOWS) {
    for (const scheme of SCHEMES) {
      const pictures = paths.map((path) => ({
        title: path,
        file: join(folder, state, `${nameOf(path)}-${width}-${scheme}.png`),
      }))
      for (const [at, part] of inParts(pictures, perSheet).entries()) {
        const file = join(
          folder,
          'sheets',
          `${state}-${width}-${scheme}-${String(at + 1).padStart(2, '0')}.png`,
        )
        await writeSheet(browser, { pictures: part, columns, file })
      }
    }
  }
}

/** One state of the given pages, in a separate window. */
async function visit(
  browser: Browser,
  server: TestServer,
  folder: string,
  state: State,
  paths: readonly string[],
) {
  mkdirSync(join(folder, state), { recursive: true })
  const visitor = await signedIn(browser, server)
  const breakage = breakages[state]
  if (breakage !== undefined) await breakServer(visitor.page, breakage)
  await visitor.page.setViewport({ width: WINDOWS[0].width, height: HEIGHT })
  await shoot({ visitor, folder, state, baseUrl: server.baseUrl }, paths)
  await visitor.leave()
  await writeSheets(browser, folder, state, paths)
  console.log(`${state}: ${paths.length} pages`)
}

function pagesOf(state: State, filled: readonly string[]): readonly string[] {
  if (state === 'unknown') return detailPages
  if (state === 'empty') return everyPage
  return [...everyPage, ...(state === 'full' ? filled : detailPages)]
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string', multiple: true }, state: { type: 'string', multiple: true } },
  })
  const folder = positionals[0] ?? '/tmp/vigil-screenshots'
  const found = await testBrowser()
  if (found === null) throw new Error('No browser was found: set VIGIL_BROWSER to one')
  await buildDashboardWhenStale()
  const started = await startBrowser(found)
  for (const state of STATES) {
    if (values.state !== undefined && !values.state.includes(state)) continue
    const server = await startTestServer()
    const filled = state === 'full' ? await fillInstallation(server) : []
    if (state !== 'full') await signUpPerson(server, email)
    const paths = pagesOf(state, filled).filter(
      (path) => values.only === undefined || values.only.some((one) => path.startsWith(one)),
    )
    await visit(started.browser, server, folder, state, paths)
    await server.close()
  }
  await stopBrowser(started)
}

await main()
