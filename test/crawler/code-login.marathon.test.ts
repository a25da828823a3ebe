import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { testBrowser } from '../browser/browser.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { ask, endpointsOf } from '../scenarios/ask.ts'
import { startVault, type Vault, vaultUser } from '../targets/vault/server.ts'

const browser = await testBrowser()
if (browser === null) console.warn('\nSKIPPED: crawls with one-time codes, since there is no browser here.\n')

/** Longer than a session has to hold for another worker to stay, shorter than the crawl on the fastest machine. */
const SESSION_SECONDS = 12
const WHO = `fetch('/api/me').then((answer) => answer.json()).then(({ user }) => user)`

describe.skipIf(browser === null)('a login with one-time codes, each of which is good once', () => {
  let server: TestServer
  let vault: Vault
  let content: string

  beforeAll(async () => {
    vault = await startVault({ periodSeconds: 4, sessionSeconds: SESSION_SECONDS, latencyMs: 200 })
    server = await startTestServer({
      'crawls-at-once': '1',
      'crawl-workers': '2',
      'crawl-requests-per-second': '0',
      browser: browser!.path,
    })
    content = readFileSync(join(import.meta.dirname, 'recordings', 'vault.json'), 'utf8')
      .replaceAll('http://vault.test', vault.origin)
      .replace('CODE_URI', vault.codeUri)
  })

  afterAll(async () => {
    await server?.close()
    await vault?.close()
  })

  it('yields its token once it was uploaded', async () => {
    await ask(server, 'uploadRecordedFlow', { content, tokenFetchCommand: WHO, roleName: 'KEEPER' })
    const output = () => ask(server, 'fetchRecordedFlowOutput', {})
    await expect.poll(async () => (await output()).tokenFetchInProgress, { interval: 100 }).toBe(false)
    expect(JSON.parse((await output()).token!)).toMatchObject({ token: vaultUser })
    expect(vault.refusals).toEqual([])
  })

  it('signs a crawl of two workers in, right after, and again with other codes whenever the session is over', async () => {
    await ask(server, 'addTestRoles', { roleName: 'KEEPER' })
    await ask(server, 'addAuthToRole', {
      roleName: 'KEEPER',
      apiCond: {},
      authParamData: [],
      authAutomationType: 'LOGIN_REQUEST',
      reqData: [{ type: 'RECORDED_FLOW' }],
      recordedLoginFlowInput: {
        content,
        tokenFetchCommand: '',
        outputFilePath: null,
        errorFilePath: null,
        tokenResult: null,
      },
      urlRegex: null,
    })
    const { testRoles } = await ask(server, 'fetchTestRoles')
    const testRoleHexId = testRoles!.find(({ name }) => name === 'KEEPER')!.hexId
    const answer = await server.post('/api/initiateCrawler', {
      hostname: `${vault.origin}/`,
      crawlingTime: 600,
      testRoleHexId,
    })
    expect(answer.status).toBe(200)
    const crawlId = answer.headers.get(crawlIdHeader)!
    const run = () => ask(server, 'fetchCrawlerRun', { crawlId })
    await expect
      .poll(async () => (await run()).crawlerRun.endTimestamp, { timeout: 500_000, interval: 200 })
      .toBeGreaterThan(0)
    const { crawlerRun } = await run()
    const log = (await ask(server, 'fetchCrawlLogs', { crawlId })).crawlLogs
      .map(({ log }) => log)
      .toReversed()
    expect(crawlerRun, log.join('\n')).toMatchObject({
      status: 'COMPLETED',
      testRoleFailed: false,
      testRoleError: null,
    })
    expect(vault.refusals).toEqual([])
    expect(new Set(vault.steps).size).toBe(vault.steps.length)
    expect(log.filter((line) => line.startsWith('Signed in'))).toHaveLength(2)
    const renewed = log.filter((line) => /^The session was lost .* repeated/.test(line))
    expect(renewed.length).toBeGreaterThan(0)
    // The uploaded flow, each of two workers, and what was lost since.
    expect(vault.steps).toHaveLength(3 + renewed.length)
    const missed = [...vault.calls].filter((call) => !vault.answered.has(call))
    expect(missed.length, [...missed, ...log].join('\n')).toBeLessThanOrEqual(vault.calls.size * 0.05)
    const known = await endpointsOf(server, crawlerRun.collectionId)
    expect(known).toEqual(expect.arrayContaining([`GET ${vault.origin}/api/me`]))
    const samples = await ask(server, 'fetchSampleData', {
      apiCollectionId: crawlerRun.collectionId,
      url: `${vault.origin}/login`,
      method: 'POST',
    })
    expect(JSON.stringify(samples)).not.toContain('open-sesame')
  }, 600_000)
})
