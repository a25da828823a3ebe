/**
 * `node scripts/screenshots.ts [folder] [--only /threats]`: pictures of every page in both colour schemes at 1440, 1024
 * and 390 pixels: full (the demo's installation), empty, loading and failing. Chromium is found as for the tests of the
 * dashboard. Pictures go to /tmp/vigil-screenshots unless a folder is given.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'puppeteer-core'
import { breakServer } from '../test/browser/break-server.ts'
import { startBrowser, stopBrowser, testBrowser } from '../test/browser/browser.ts'
import { buildDashboardWhenStale } from '../test/browser/built-dashboard.ts'
import { fillInstallation } from '../test/browser/full-installation.ts'
import { email, everyPage, signedIn } from '../test/browser/installation.ts'
import { signUpPerson, startTestServer, type TestServer } from '../test/harness.ts'

const WIDTHS = [1440, 1024, 390] as const
const SCHEMES = ['light', 'dark'] as const
const HEIGHT = 900

type State = 'full' | 'empty' | 'loading' | 'failing'

/** A file name of an address: `/threats/actors?x=1` is `threats-actors-x-1`. */
function nameOf(path: string): string {
  return path.replaceAll(/[^\w]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview'
}

/** Answers no operation but the one that tells who is there, so that pages stay as they are while they load. */
async function holdServer(page: Page): Promise<void> {
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/') || pathname === '/api/fetchOwnUser') void request.continue()
  })
}

interface Shoot {
  readonly page: Page
  readonly baseUrl: string
  readonly folder: string
  readonly state: State
}

async function shoot({ page, baseUrl, folder, state }: Shoot, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (const width of WIDTHS) {
      await page.setViewport({ width, height: HEIGHT })
      for (const scheme of SCHEMES) {
        await page.emulateMediaFeatures([
          { name: 'prefers-color-scheme', value: scheme },
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ])
        await page.goto(baseUrl + path)
        await page.waitForFunction(settledIn(state), { timeout: 20_000 }).catch((error: unknown) => {
          console.error(`${state} ${path} at ${width}: ${String(error)}`)
        })
        const target = join(folder, state, `${nameOf(path)}-${width}-${scheme}.png`)
        await page.screenshot({ path: target as `${string}.png` })
      }
    }
  }
}

function settledIn(state: State): string {
  const heading = `document.querySelector('h1') !== null`
  if (state === 'loading') return heading
  return `${heading} && document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]') === null`
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
  const wanted = (state: State): boolean => values.state === undefined || values.state.includes(state)
  const chosen = (paths: readonly string[]): readonly string[] =>
    values.only === undefined
      ? paths
      : paths.filter((path) => values.only?.some((one) => path.startsWith(one)))
  const visit = async (state: State, server: TestServer, paths: readonly string[]): Promise<void> => {
    if (!wanted(state)) return
    mkdirSync(join(folder, state), { recursive: true })
    const visitor = await signedIn(started.browser, server)
    if (state === 'failing') await breakServer(visitor.page)
    if (state === 'loading') await holdServer(visitor.page)
    await shoot({ page: visitor.page, baseUrl: server.baseUrl, folder, state }, chosen(paths))
    await visitor.leave()
    console.log(`${state}: ${chosen(paths).length} pages`)
  }
  const empty = await startTestServer()
  await signUpPerson(empty, email)
  for (const state of ['empty', 'loading', 'failing'] as const) await visit(state, empty, everyPage)
  await empty.close()
  if (wanted('full')) {
    const full = await startTestServer()
    const paths = await fillInstallation(full)
    await visit('full', full, [...everyPage, ...paths])
    await full.close()
  }
  await stopBrowser(started)
}

await main()
