import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AxeResults } from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScanResult } from '../../src/cli/scan/scan-result.ts'
import { recordMarketTraffic, startMarket } from '../../src/demo/index.ts'
import { startBrowser, stopBrowser, testBrowser } from '../browser/browser.ts'
import { runCli } from '../cli-process.ts'
import { harOf } from '../har-of.ts'
import { startTestServer } from '../harness.ts'
import { scoreMarket } from '../scorecard/score-market.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { freePort } from '../server-process.ts'

/** `vigil scan` of a recording of the demo shop, with the whole library and a store that is thrown away. */

let folder: string
let scanned: ScanResult

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-demo-shop-scan-'))
  const market = await startMarket('all')
  try {
    const { messages, tokens } = await recordMarketTraffic(market)
    const har = join(folder, 'shop.har')
    const roles = join(folder, 'roles.yaml')
    writeFileSync(har, JSON.stringify(harOf(market.origin, messages)))
    writeFileSync(
      roles,
      `ATTACKER:\n  Authorization: Bearer ${tokens.bob}\nADMIN:\n  Authorization: Bearer ${tokens.carol}\n`,
    )
    const reports = ['--json', join(folder, 'scan.json'), '--html', join(folder, 'scan.html')]
    // A run of the server writes what its tests write unless it names a lower level; a scan names one.
    const args = ['--target', market.origin, '--roles', roles, '--write-level', 'all', ...reports]
    const end = await runCli(['scan', har, ...args])
    expect(end.code, end.stderr).toBe(10)
    scanned = JSON.parse(readFileSync(join(folder, 'scan.json'), 'utf8')) as ScanResult
  } finally {
    await market.close()
  }
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a scan ends with the same findings as a run of the server', async () => {
  // Like every server, but for the tests: somewhere for the target to call.
  const server = await startTestServer({ 'callback-port': String(await freePort()) })
  try {
    const { findings } = await scoreMarket(vigilOf(server), 'all')
    const onServer = findings.map(({ testId, method, url }) => `${testId} ${method} ${url}`)
    const inScan = scanned.findings.flatMap(({ places }) =>
      places.map(({ testId, method, path }) => `${testId} ${method} ${path}`),
    )
    expect([...new Set(inScan)].sort()).toEqual([...new Set(onServer)].sort())
  } finally {
    await server.close()
  }
}, 600_000)

const found = await testBrowser()
if (found === null)
  console.warn('NOT TESTED: the HTML report in a browser, since there is none on this machine')

describe.skipIf(found === null)('the HTML report, opened from a folder', () => {
  const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  let started: Awaited<ReturnType<typeof startBrowser>>
  beforeAll(async () => {
    started = await startBrowser(found!)
  })
  afterAll(() => stopBrowser(started))

  test.each(['light', 'dark'] as const)(
    'asks for nothing, has no breach of the rules of axe and fits a telephone, in %s',
    async (scheme) => {
      const page = await started.browser.newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      const address = pathToFileURL(join(folder, 'scan.html')).href
      await page.goto(address)
      expect(await page.evaluate('document.querySelectorAll("article").length')).toBe(scanned.findings.length)
      await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true')
      await page.evaluate(axeSource)
      const { violations } = (await page.evaluate('axe.run()')) as AxeResults
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`)).toEqual([])
      await page.setViewport({ width: 390, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      expect(asked).toEqual([address])
      await page.close()
    },
  )
})
