import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { testBrowser } from '../browser/browser.ts'
import { startCommand } from '../cli-process.ts'
import { browserOf, workerOf, workersOf } from '../faults/crawl-processes.ts'
import { startTestServer, type TestServer, testKey } from '../harness.ts'
import { ask, endpointsOf } from '../scenarios/ask.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { killPrograms } from '../start-program.ts'
import { type Portal, portalPassword, portalUser, startPortal } from '../targets/portal/server.ts'
import { until } from '../until.ts'
import { giveRole } from '../use-vigil.ts'

const browser = await testBrowser()
if (browser === null)
  console.warn('NOT TESTED: crawls of the server, since there is no browser on this machine')

/** Pages whose crawling would prove nothing more. */
const LEFT_OUT = '/loop,/slow,/two-step,/frame-login,/shadow-login,/code-login,/spa-login,/excluded'

describe.skipIf(browser === null)('crawls of the server', () => {
  let server: TestServer
  let portal: Portal

  beforeAll(async () => {
    portal = await startPortal()
    server = await startTestServer({
      'crawls-at-once': '1',
      'crawl-workers': '2',
      'crawl-requests-per-second': '0',
      browser: browser!.path,
    })
  })

  afterAll(async () => {
    await killPrograms()
    await server?.close()
    await portal?.close()
  })

  async function begin(body: Record<string, unknown>): Promise<string> {
    const order = { hostname: `${portal.origin}/`, crawlingTime: 600, outscopeUrls: LEFT_OUT, ...body }
    const answer = await server.post('/api/initiateCrawler', order)
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    return answer.headers.get(crawlIdHeader)!
  }

  /** The crawl as soon as it is so; fails when it ended otherwise. */
  function crawled(crawlId: string, isRight: (run: Run) => boolean): Promise<Run> {
    const now = async (): Promise<Run> => {
      const run = await ask(server, 'fetchCrawlerRun', { crawlId })
      if (!isRight(run) && run.crawlerRun.endTimestamp > 0)
        throw new Error(`it ended: ${run.crawlerRun.status} ${run.crawlerRun.errorMessage}`)
      return run
    }
    return until('the crawl', now, { isRight, ms: 120_000 })
  }
  async function kindsOf(apiCollectionId: number, path: string): Promise<string[]> {
    const answer = await ask(server, 'fetchApiInfosForCollection', { apiCollectionId })
    const infos = 'apiInfoList' in answer ? answer.apiInfoList : []
    return [...(infos.find(({ id }) => id.url === portal.origin + path)?.actualAuthType ?? [])]
  }

  /** A role with fixed headers. */
  async function makeRole(roleName: string, headers: Record<string, string>): Promise<string> {
    await giveRole(vigilOf(server), roleName, headers)
    const { testRoles } = await ask(server, 'fetchTestRoles')
    return testRoles!.find(({ name }) => name === roleName)!.hexId
  }

  async function samplesOf(apiCollectionId: number, method: string, path: string): Promise<string> {
    const url = portal.origin + path
    return JSON.stringify(
      await ask(server, 'fetchSampleData', { apiCollectionId, url, method, unmasked: true }),
    )
  }
  type Run = Awaited<ReturnType<typeof ask<'fetchCrawlerRun'>>>
  type Command = ReturnType<typeof startCommand>

  it('sign in by a form with two processes, go on after one and its browser are killed, and complete', {
    tags: ['marathon'],
  }, async () => {
    portal.pageDelayMs = 500
    const crawlId = await begin({ username: portalUser, password: portalPassword })
    await crawled(crawlId, ({ progress }) => progress.workers === 2)
    await crawled(crawlId, () => workersOf(process.pid).length === 2)
    process.kill(workerOf(process.pid)!, 'SIGKILL')
    await crawled(crawlId, ({ progress }) => progress.restarts === 1)
    await crawled(crawlId, () => browserOf(process.pid) !== null)
    process.kill(browserOf(process.pid)!, 'SIGKILL')
    portal.pageDelayMs = 0
    const { crawlerRun, progress } = await crawled(crawlId, (run) => run.crawlerRun.endTimestamp > 0)
    expect(crawlerRun).toMatchObject({ status: 'COMPLETED', testRoleError: null })
    expect(progress.end).toBe('finished')
    expect(progress.restarts).toBeGreaterThan(0)
    const log = (await ask(server, 'fetchCrawlLogs', { crawlId })).crawlLogs.map(({ log }) => log)
    expect(log.toReversed().filter((line) => /worker/.test(line))).toEqual([
      'A second worker joined',
      'A worker left',
    ])
    expect(await endpointsOf(server, crawlerRun.collectionId)).toContain(`GET ${portal.origin}/api/me`)
    expect(await samplesOf(crawlerRun.collectionId, 'POST', '/sign-in/plain')).toMatch(/password=\*\*\*/)
    expect(await samplesOf(crawlerRun.collectionId, 'POST', '/sign-in/plain')).not.toContain(portalPassword)
    expect(await samplesOf(crawlerRun.collectionId, 'GET', '/events')).toMatch(/tick/)
    const { steps, navigationGraph } = await ask(server, 'getCrawlerGraph', { crawlId })
    expect([steps.length > 0, navigationGraph.startsWith('graph LR')]).toEqual([true, true])
    const whoAmI = `${portal.origin}/api/me`
    const loads = steps.filter(({ action, calls }) => action === 'load' && calls.includes(`GET ${whoAmI}`))
    expect(loads.map(({ toUrl }) => toUrl)).toContain(`${portal.origin}/home`)
    const { crawlerUrls } = await ask(server, 'fetchDastScan', { crawlId })
    expect(crawlerUrls).toContainEqual(
      expect.objectContaining({ url: whoAmI, sourceUrl: `${portal.origin}/home`, accepted: true }),
    )
    const { crawledUrls } = await ask(server, 'fetchCrawlerUrls', { crawlId, accepted: false })
    expect(crawledUrls.every(({ reason }) => reason !== '')).toBe(true)
    expect(workerOf(process.pid)).toBeNull()
    expect(portal.stranger.asked).toEqual([])
  })

  it('shows what it looks at, stops within seconds, and keeps no token', async () => {
    const headers = { Host: 'else.test', Authorization: 'Bearer token-of-the-role-1' }
    portal.asked.length = 0
    // The crawl must not end before it is stopped.
    portal.pageDelayMs = 2_000
    const crawlId = await begin({
      testRoleHexId: await makeRole('CALLER', headers),
      collectionName: 'of a role',
    })
    await crawled(crawlId, ({ progress }) => progress.workers === 2)
    for (;;) {
      const { frameData } = await ask(server, 'getLatestCrawlerFrame', { crawlId })
      if (frameData !== '') break
      await crawled(crawlId, ({ crawlerRun }) => crawlerRun.status === 'RUNNING')
    }
    await crawled(crawlId, () => portal.asked.includes('GET /to-excluded'))
    const askedMs = performance.now()
    await ask(server, 'stopCrawler', { crawlId })
    portal.pageDelayMs = 0
    const { crawlerRun } = await crawled(crawlId, (run) => run.crawlerRun.endTimestamp > 0)
    expect(crawlerRun.status).toBe('STOPPED')
    expect(performance.now() - askedMs).toBeLessThan(35_000)
    expect(workersOf(process.pid)).toEqual([])
    const leftOut = LEFT_OUT.split(',')
    expect(portal.asked.filter((line) => leftOut.some((path) => line.includes(` ${path}`)))).toEqual([])
    expect(portal.stranger.asked).toEqual([])
    expect(await ask(server, 'getLatestCrawlerFrame', { crawlId })).toMatchObject({ frameData: '' })
    expect(portal.headers.get('/api/plain')?.authorization).toBe('Bearer token-of-the-role-1')
    const samples = await samplesOf(crawlerRun.collectionId, 'GET', '/api/plain')
    expect(samples).toContain('Bearer ***masked***')
    expect(samples).not.toContain('token-of-the-role-1')
    expect(await kindsOf(crawlerRun.collectionId, '/api/plain')).toContain('BEARER')
    const { crawlLogs } = await ask(server, 'fetchCrawlLogs', { crawlId })
    expect(crawlLogs.map(({ log }) => log)).toContainEqual(expect.stringMatching(/^Not sent, .*: Host$/))
  })

  it('tells why nothing could be crawled', async () => {
    const gone = await startPortal()
    await gone.close()
    const crawlId = await begin({ hostname: `${gone.origin}/` })
    const { crawlerRun } = await crawled(crawlId, (run) => run.crawlerRun.endTimestamp > 0)
    expect(crawlerRun.status).toBe('FAILED')
    expect(crawlerRun.errorMessage).toMatch(/^The application did not answer/)
    const nameless = await begin({ hostname: 'http://nameless.invalid/' })
    const { errorMessage } = (await crawled(nameless, (run) => run.crawlerRun.endTimestamp > 0)).crawlerRun
    expect(errorMessage).toBe(
      'The application did not answer: nameless.invalid cannot be reached: its name has no address. Check the URL, and that the machine that crawls can reach it.',
    )
  }, 180_000)

  it('are worked on by a module elsewhere, which continues after its process is killed', {
    tags: ['marathon'],
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-module-'))
    const flags = ['--server', server.baseUrl, '--key', testKey, '--name', 'elsewhere']
    const [module, second] = ['one', 'two'].map((name) =>
      startCommand(['crawler', ...flags, '--data-dir', join(folder, name), '--browser', browser!.path]),
    ) as [Command, Command]
    await expect
      .poll(async () => (await ask(server, 'fetchAvailableDastModules', {})).availableModules.length)
      .toBe(1)
    portal.pageDelayMs = 500
    const crawlId = await begin({
      selectedModuleName: 'elsewhere',
      collectionName: 'from elsewhere',
      username: portalUser,
      password: portalPassword,
      customHeaders: { 'x-api-key': 'key-of-the-portal-1' },
    })
    await crawled(crawlId, ({ progress }) => progress.capturedExchanges > 0)
    await crawled(crawlId, () => [module, second].every(({ process }) => workerOf(process.pid!) !== null))
    process.kill(workerOf(module.process.pid!)!, 'SIGKILL')
    portal.pageDelayMs = 0
    const { crawlerRun, progress } = await crawled(crawlId, (run) => run.crawlerRun.endTimestamp > 0)
    expect(crawlerRun).toMatchObject({
      status: 'COMPLETED',
      moduleName: 'elsewhere',
      testRoleError: null,
    })
    expect(progress.done).toBeGreaterThan(0)
    expect(progress.end).toBe('finished')
    expect(await endpointsOf(server, crawlerRun.collectionId)).toContain(`GET ${portal.origin}/api/me`)
    expect(portal.headers.get('/api/plain')?.['x-api-key']).toBe('key-of-the-portal-1')
    const samples = await samplesOf(crawlerRun.collectionId, 'GET', '/api/plain')
    expect(samples).toContain('***masked***')
    expect(samples).not.toContain('key-of-the-portal-1')
    expect(await kindsOf(crawlerRun.collectionId, '/api/plain')).toContain('API_KEY')
    for (const { process } of [module, second]) process.kill('SIGTERM')
    const [one, two] = await Promise.all([module.ended, second.ended])
    expect([one.code, two.code]).toEqual([0, 0])
    // Whichever asked first has it, and alone ends it.
    expect(`${one.stdout}${two.stdout}`.match(new RegExp(`Crawl ${crawlId} ended: `, 'g'))).toHaveLength(1)
    expect(`${one.stdout}${two.stdout}`.match(/Helps with crawl/g)).toHaveLength(1)
    rmSync(folder, { recursive: true })
  })
})
