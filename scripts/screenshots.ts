/**
 * `node scripts/screenshots.ts [folder] [--state empty] [--only /threats] [--width 390] [--scheme dark]`: pictures of
 * every page in both colour schemes at 1440, 1024 and 390 pixels, in each state: empty, failing (a fault of the server), lost (no answer), loading, full
 * (an installation with a recording, attacks, runs and findings), unknown (addresses of what does not exist), opened
 * (dialogs, menus and what else opens on a click, see openings.ts; `--only` takes their names). A page is opened once for
 * a state; then the window and the scheme change. Beside the pictures stand the text of each page and contact sheets of
 * many pictures. Faults that a program sees are printed: pages wider than the window, controls without
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
import { openings, take } from './openings.ts'

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
/** A control that is not there by then is reported. */
const MOST_WAIT_MS = 15_000

const STATES = ['empty', 'unknown', 'failing', 'lost', 'loading', 'full', 'opened'] as const
type State = (typeof STATES)[number]
/** The windows and schemes of the pictures. */
interface Looks {
  readonly windows: readonly (typeof WINDOWS)[number][]
  readonly schemes: readonly (typeof SCHEMES)[number][]
}

/** Those that were asked for. Between a phone and a wide window dialogs and menus do not change. */
function looksOf(state: State, widths: readonly string[] = [], schemes: readonly string[] = []): Looks {
  const isWanted = (all: readonly string[], one: string) => all.length === 0 || all.includes(one)
  return {
    windows: WINDOWS.filter(
      ({ width }) => isWanted(widths, String(width)) && (state !== 'opened' || width !== 1024),
    ),
    schemes: SCHEMES.filter((scheme) => isWanted(schemes, scheme)),
  }
}

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

/** One thing to look at: a page, or what steps open on it. */
interface Shot {
  readonly name: string
  readonly title: string
  readonly path: string
  readonly steps: readonly string[]
}

interface Shoot {
  readonly visitor: Visitor
  readonly folder: string
  readonly state: State
  readonly looks: Looks
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

/** Pictures of what a page shows now, in each window and scheme. What opens on a click is looked at as it lies on the screen. */
async function picture({ visitor, folder, state, looks }: Shoot, name: string): Promise<void> {
  const { page } = visitor
  for (const { width } of looks.windows) {
    await page.setViewport({ width, height: HEIGHT })
    for (const scheme of looks.schemes) {
      await visitor.prefer(scheme)
      await page.evaluate(drawn)
      const size = (await page.evaluate(
        '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
      )) as [number, number]
      if (size[0] > width) console.error(`${state} ${name}: ${size[0]} pixels wide at ${width}`)
      const path = join(folder, state, `${name}-${width}-${scheme}.png`) as `${string}.png`
      if (state === 'opened') {
        // Without a clip, which begins at the top of the document: the page may be scrolled.
        await page.screenshot({ path, captureBeyondViewport: false, optimizeForSpeed: true })
        continue
      }
      const clip = { x: 0, y: 0, width, height: Math.min(MOST_HEIGHT, Math.max(HEIGHT, size[1])) }
      await page.screenshot({ path, clip, captureBeyondViewport: true, optimizeForSpeed: true })
    }
  }
  await page.setViewport({ width: WINDOWS[0].width, height: HEIGHT })
  await visitor.prefer('light')
}

/** Does the steps of a shot; says which one was not possible, and continues. */
async function open(visitor: Visitor, { name, steps }: Shot): Promise<void> {
  for (const step of steps) {
    await take(visitor, step).catch((error: unknown) => {
      console.error(`${name}: ${step}: ${error instanceof Error ? error.message : String(error)}`)
    })
  }
}

async function shoot(deps: Shoot, shots: readonly Shot[]): Promise<void> {
  const { visitor, folder, state, baseUrl } = deps
  for (const shot of shots) {
    await visitor.page.goto(baseUrl + shot.path)
    await expectSoon(visitor.page, settledIn(state), `${state} ${shot.path}`)
    await open(visitor, shot)
    if (shot.steps.length > 0) await expectSoon(visitor.page, settledIn(state), `${state} ${shot.name}`)
    const text = String(
      await visitor.page.evaluate(
        '(document.querySelector("[role=dialog]") ?? document.querySelector("#content") ?? document.body).innerText',
      ),
    )
    writeFileSync(join(folder, state, `${shot.name}.txt`), `${shot.title}\n${text}\n`)
    await picture(deps, shot.name)
    for (const fault of visitor.faults.splice(0)) console.error(`${state} ${shot.title}: ${fault}`)
  }
}

async function writeSheets(browser: Browser, { folder, state, looks }: Shoot, shots: readonly Shot[]) {
  mkdirSync(join(folder, 'sheets'), { recursive: true })
  for (const { width, columns, perSheet } of looks.windows) {
    for (const scheme of looks.schemes) {
      const pictures = shots.map(({ name, title }) => ({
        title,
        file: join(folder, state, `${name}-${width}-${scheme}.png`),
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
  given: Pick<Shoot, 'folder' | 'state' | 'looks'>,
  shots: readonly Shot[],
) {
  const { folder, state } = given
  mkdirSync(join(folder, state), { recursive: true })
  const visitor = await signedIn(browser, server)
  const breakage = breakages[state]
  if (breakage !== undefined) await breakServer(visitor.page, breakage)
  if (state === 'opened') visitor.page.setDefaultTimeout(MOST_WAIT_MS)
  await visitor.page.setViewport({ width: WINDOWS[0].width, height: HEIGHT })
  const deps = { ...given, visitor, baseUrl: server.baseUrl }
  await shoot(deps, shots)
  await visitor.leave()
  await writeSheets(browser, deps, shots)
  console.log(`${state}: ${shots.length} shots`)
}

function pagesOf(state: State, filled: readonly string[]): readonly string[] {
  if (state === 'unknown') return detailPages
  if (state === 'empty') return everyPage
  return [...everyPage, ...(state === 'full' ? filled : detailPages)]
}

/** What to look at in a state; `only` are beginnings of addresses, or of names of openings. */
function shotsOf(state: State, filled: readonly string[], only: readonly string[]): Shot[] {
  const isWanted = (text: string) => only.length === 0 || only.some((one) => text.startsWith(one))
  if (state !== 'opened') {
    const paths = pagesOf(state, filled).filter(isWanted)
    return paths.map((path) => ({ name: nameOf(path), title: path, path, steps: [] }))
  }
  return openings
    .filter(({ name }) => isWanted(name))
    .map(({ name, page, steps }) => {
      const path = page instanceof RegExp ? filled.find((one) => page.test(one)) : page
      if (path === undefined) throw new Error(`The full installation has no page ${page}`)
      return { name, title: `${name}: ${path}`, path, steps }
    })
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      state: { type: 'string', multiple: true },
      width: { type: 'string', multiple: true },
      scheme: { type: 'string', multiple: true },
    },
  })
  const folder = positionals[0] ?? '/tmp/vigil-screenshots'
  const found = await testBrowser()
  if (found === null) throw new Error('No browser was found: set VIGIL_BROWSER to one')
  await buildDashboardWhenStale()
  const started = await startBrowser(found)
  for (const state of STATES) {
    if (values.state !== undefined && !values.state.includes(state)) continue
    const server = await startTestServer()
    const isFull = state === 'full' || state === 'opened'
    const filled = isFull ? await fillInstallation(server) : []
    if (!isFull) await signUpPerson(server, email)
    const looks = looksOf(state, values.width, values.scheme)
    await visit(started.browser, server, { folder, state, looks }, shotsOf(state, filled, values.only ?? []))
    await server.close()
  }
  await stopBrowser(started)
}

await main()
