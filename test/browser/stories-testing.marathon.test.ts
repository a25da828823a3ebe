import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Market, recordMarketTraffic, startMarket } from '../../src/demo/index.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import { runCli } from '../cli-process.ts'
import { signUpPerson, startTestServer, type TestServer, testKey } from '../harness.ts'
import { messageLines } from '../scenarios/ask.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { until } from '../until.ts'
import { collectionOf } from '../use-vigil.ts'
import { inBrowser } from './in-browser.ts'
import { email, signedIn } from './installation.ts'
import { type Hand, Steps } from './steps.ts'
import type { Visitor } from './visitor.ts'

/** Three stories that the dashboard carries without help, by mouse and by keyboard alone, in at most 12 actions. */

const MOST_ACTIONS = 12
const patience = 240_000
const HANDS: readonly Hand[] = ['mouse', 'keyboard']

inBrowser('stories about testing', (browser) => {
  let server: TestServer
  let market: Market
  let attacker = ''
  let host = ''
  let collectionId = 0

  beforeAll(async () => {
    market = await startMarket('all')
    server = await startTestServer()
    const { messages, tokens } = await recordMarketTraffic(market)
    attacker = tokens.bob
    await vigilOf(server).call('ingestData', { batchData: messages })
    host = new URL(market.origin).host
    collectionId = await collectionOf(vigilOf(server), host)
    await signUpPerson(server, email)
  }, patience)

  afterAll(async () => {
    await server.close()
    await market.close()
  })

  /** A visitor with a folder for downloads. */
  async function arrive(): Promise<{ ada: Visitor; folder: string }> {
    const ada = await signedIn(browser(), server)
    const folder = mkdtempSync(join(tmpdir(), 'vigil-story-'))
    const session = await ada.page.createCDPSession()
    const contextId = ada.page.browserContext().id
    await session.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: folder,
      ...(contextId === undefined ? {} : { browserContextId: contextId }),
    })
    return { ada, folder }
  }

  async function downloaded(folder: string): Promise<string> {
    const names = await until('a saved file', async () => readdirSync(folder), {
      isRight: (found) => found.length === 1 && !found[0]!.endsWith('.crdownload'),
      ms: 60_000,
    })
    return join(folder, names[0]!)
  }

  async function leave(ada: Visitor, steps: Steps): Promise<void> {
    expect(ada.faults).toEqual([])
    expect(steps.count).toBeLessThanOrEqual(MOST_ACTIONS)
    await ada.leave()
  }

  describe.each(HANDS)('by %s', (hand) => {
    it('stores a login, plans an authorization run, sees why checks are skipped, and replays a finding', {
      timeout: patience,
    }, async () => {
      const { ada, folder } = await arrive()
      const steps = new Steps(ada, hand)
      await ada.open('/settings/roles')
      await steps.press('button', 'Set the credential')
      await steps.type('Value', `Bearer ${attacker}`)
      await steps.press('button', 'Store it')
      await ada.page.waitForSelector('[aria-label="Credentials of Attacker"] tbody tr')
      await ada.open(`/runs/new?collection=${collectionId}`)
      await ada.page.waitForSelector('[aria-label="Quick choices"] button')
      const choices = await ada.texts('[aria-label="Quick choices"] button')
      await steps.press('button', choices.find((text) => text.startsWith('Only authorization'))!)
      await steps.press('button', 'Dry run')
      await ada.page.waitForSelector('[aria-label="Reasons for skipping"] tbody tr')
      const reasons = await ada.texts('[aria-label="Reasons for skipping"] tbody tr')
      expect(reasons.length).toBeGreaterThan(1)
      await ada.sees('Nothing was sent')
      await steps.press('button', 'Start the run')
      await ada.page.waitForFunction(
        `document.querySelector('section[aria-label="Summary"]')?.textContent.includes('Completed')`,
        { timeout: 120_000 },
      )
      await ada.page.waitForSelector('[aria-label="Results"] tbody tr a[href^="/results/"]')
      const name = (await ada.texts('[aria-label="Results"] tbody tr a[href^="/results/"]'))[0]!.trim()
      await steps.press('link', name)
      await ada.page.waitForSelector('section[aria-label="Evidence"]')
      await steps.press('button', 'Download')
      const replayed = await runCli(['replay', await downloaded(folder)])
      expect(replayed).toMatchObject({ code: 0 })
      await leave(ada, steps)
    })

    it('opens the link of a failed pipeline, marks the new finding as false, and sees the gate pass', {
      timeout: patience,
    }, async () => {
      const { link, runId } = await failedPipeline(hand)
      const { ada } = await arrive()
      const steps = new Steps(ada, hand)
      expect(await gate(runId)).toBe(10)
      await ada.open(link)
      await ada.page.waitForSelector('[aria-label="Comparison"] tbody tr')
      expect(await ada.texts('[aria-label="Comparison"] tbody tr')).toHaveLength(1)
      const name = (await ada.texts('[aria-label="Comparison"] tbody tr a[href^="/results/"]'))[0]!.trim()
      await steps.press('link', name)
      await steps.press('button', 'False positive')
      await steps.type('Why', 'The list is public on purpose')
      await steps.press('button', 'Mark as false positive')
      await ada.until(`document.querySelector('[role="dialog"]') === null`)
      expect(await gate(runId)).toBe(0)
      await leave(ada, steps)
    })

    it('gives an auditor the signed record of a month', { timeout: patience }, async () => {
      const { ada, folder } = await arrive()
      const steps = new Steps(ada, hand)
      await ada.open('/')
      await steps.press('link', 'Reports')
      await ada.heading('Reports')
      await steps.type('Month', 'March2026')
      await steps.press('button', 'Create signed record')
      await ada.sees('is saved')
      const file = await downloaded(folder)
      expect(file).toMatch(/2026-0[23]-\d\d-to-2026-0[34]-\d\d\.pdf$/)
      expect(await runCli(['report', 'verify', file])).toMatchObject({ code: 0 })
      await leave(ada, steps)
    })
  })

  /** Two executions, of which the later one finds something more; @returns the link that a pipeline shows. */
  async function failedPipeline(hand: Hand): Promise<{ link: string; runId: string }> {
    const { store } = server.running.app
    const origin = `https://${hand}.pipeline.test`
    const content = messageLines(['orders', 'menu'].map((name) => ({ path: `${origin}/${name}` })))
    const { apiCollectionId } = await server.client.call('importTraffic', {
      apiCollectionName: `pipeline ${hand}`,
      content,
    })
    const found = { collectionId: apiCollectionId, testId: 'BOLA_READ', category: 'BOLA' }
    const run = { collectionIds: [apiCollectionId], name: `pipeline ${hand}` }
    const earlier = await startedRun(store, run)
    await report(store, earlier.summaryId, [pairOf({ ...found, url: `${origin}/orders`, outcome: 'SECURE' })])
    await endExecution(store, earlier.summaryId, { state: 'COMPLETED' })
    const later = await startedRun(store, run)
    await report(store, later.summaryId, [
      pairOf({ ...found, url: `${origin}/orders`, outcome: 'SECURE' }),
      pairOf({ ...found, url: `${origin}/menu` }),
    ])
    await endExecution(store, later.summaryId, { state: 'COMPLETED' })
    const link = `/runs/${later.runId}?execution=${later.summaryId}&compare=${earlier.summaryId}&change=NEW`
    return { link, runId: later.runId }
  }

  /** The exit code that a pipeline sees. */
  async function gate(runId: string): Promise<number | null> {
    const address = ['--server', server.baseUrl, '--key', testKey]
    return (await runCli(['report', '--run', runId, '--fail-on', 'low', ...address])).code
  }
})
