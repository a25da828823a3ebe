import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { MARATHON } from '../../scripts/test-files.ts'
import { crawlIdHeader } from '../../src/contract/index.ts'
import { testBrowser } from '../browser/browser.ts'
import { type CliServer, runCli, startCli } from '../cli-process.ts'
import { startSmallApp } from '../crawler/small-app.ts'
import { workersOf } from '../faults/crawl-processes.ts'
import { startTestServer, type TestServer, testKey } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { killPrograms } from '../start-program.ts'
import { freshStorePlace, type StorePlace, testedEngine } from '../store-fixture.ts'
import { until } from '../until.ts'
import { allTests, collectionOf, wholeCollection } from '../use-vigil.ts'
import { ask, endpointsOf } from './ask.ts'

/** Nothing listens there; a check that cannot reach its target is still worked off. */
const HOST = '127.0.0.1:9'
let place: StorePlace | null = null
let api: TestServer | null = null

afterEach(async () => {
  await api?.stop()
  await killPrograms()
  await place?.dispose()
  api = null
  place = null
})

test('a process on the embedded store has every role', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-test-roles-'))
  try {
    const ended = await runCli(['start', '--data-dir', folder, '--port', '0', '--roles', 'serve,worker'])
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).toContain('VIGIL_ROLES leaves out ingest, crawler')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function startProcess(
  { databaseUrl, dataDir }: StorePlace,
  roles: string,
  settings: readonly string[] = [],
): Promise<CliServer> {
  const store = ['--database-url', databaseUrl!, '--data-dir', dataDir]
  return startCli([...store, '--roles', roles, '--api-key', testKey, ...settings])
}

async function isElected({ baseUrl }: CliServer): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { 'x-api-key': testKey } })
  return (await answer.text()).includes('\nvigil_elected 1\n')
}

async function call({ baseUrl }: CliServer, operation: string, body: unknown): Promise<Response> {
  return fetch(`${baseUrl}/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': testKey },
    body: JSON.stringify(body),
  })
}

/**
 * Fails unless it comes true within 30 seconds of `sinceMs`, and prints the time. The product promises ten seconds, which
 * six processes on a busy machine cannot.
 */
async function takenOver(sinceMs: number, what: string, ask: () => Promise<boolean>): Promise<void> {
  await until(what, ask, { isRight: Boolean, ms: 60_000 })
  const ms = performance.now() - sinceMs
  console.log(`${what}: after ${(ms / 1000).toFixed(1)} s of the promised 10 s`)
  expect(ms, what).toBeLessThan(30_000)
}

const batch = {
  batchData: [
    {
      method: 'GET',
      path: '/orders?page=1',
      requestHeaders: { host: HOST },
      responseHeaders: { 'content-type': 'application/json' },
      statusCode: 200,
      responsePayload: '{"ok":true}',
      ip: '203.0.113.9',
      time: 1_795_000_000,
      source: 'MIRRORING',
    },
  ],
}

test.runIf(testedEngine === 'postgres')(
  'processes of one role each share an installation, and one that is killed is replaced',
  { tags: [MARATHON], timeout: 180_000 },
  async () => {
    place = await freshStorePlace()
    api = await startTestServer({ roles: 'serve' }, place)
    const ingest = await startProcess(place, 'ingest')
    expect((await call(ingest, 'ingestData', batch)).status).toBe(200)
    const elsewhere = await call(ingest, 'getAllCollections', {})
    expect(elsewhere.status).toBe(421)
    expect(await elsewhere.text()).toContain('its roles are ingest')
    expect((await fetch(`${ingest.baseUrl}/health`)).status).toBe(200)
    expect((await fetch(`${ingest.baseUrl}/`)).status).toBe(421)

    const vigil = vigilOf(api)
    const order = wholeCollection(await collectionOf(vigil, HOST), (await allTests(vigil)).slice(0, 3))
    const run = await vigil.call('startTest', { ...order })
    const summaryId = String(run['testingRunResultSummaryHexId'])
    const state = async (): Promise<string> => {
      const { rows } = await api!.running.app.store.pool.query<{ state: string }>(
        'SELECT state FROM run_summaries WHERE id = $1',
        [summaryId],
      )
      return rows[0]!.state
    }

    const workers = [await startProcess(place, 'worker'), await startProcess(place, 'worker')]
    await until(
      'one worker is elected',
      async () => (await Promise.all(workers.map(isElected))).filter(Boolean).length,
      {
        isRight: (count) => count === 1,
      },
    )
    await until('the run is worked off', state, { isRight: (now) => now === 'COMPLETED', ms: 60_000 })
    const [elected, other] = (await isElected(workers[0]!)) ? workers : workers.toReversed()
    elected!.process.kill('SIGKILL')
    const killedMs = performance.now()
    await takenOver(killedMs, 'the other worker is elected', () => isElected(other!))

    other!.process.kill('SIGTERM')
    expect((await other!.ended).code).toBe(0)
    const third = await startProcess(place, 'worker')
    await until('an office that was given up is taken at once', () => isElected(third), {
      isRight: Boolean,
      ms: 3000,
    })
  },
)

const NAMES = ['rose', 'mark', 'anna', 'otto', 'lena', 'hugo', 'ella', 'ivan', 'nora', 'paul', 'ruth', 'sven']

/** Sends a process one batch per name, with a call to the person of that name. */
async function callPeople(ingest: CliServer, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const [message] = batch.batchData
    const answer = await call(ingest, 'ingestData', { batchData: [{ ...message, path: `/people/${name}` }] })
    expect(answer.status).toBe(200)
  }
}

test.runIf(testedEngine === 'postgres')(
  'what one process does for all is taken over soon after its death: templates, schedules, retention',
  { tags: [MARATHON], timeout: 400_000 },
  async () => {
    place = await freshStorePlace()
    api = await startTestServer({ roles: 'serve' }, place)
    const { pool } = api.running.app.store
    const is = async (statement: string, values: unknown[] = []): Promise<boolean> =>
      (await pool.query<{ is: boolean }>(statement, values)).rows[0]?.is === true
    const store = place
    const started = await Promise.all(
      ['ingest', 'ingest', 'worker', 'worker'].map((role) => startProcess(store, role)),
    )
    const ingest = started.slice(0, 2)
    const workers = started.slice(2)
    await callPeople(ingest[1]!, NAMES.slice(0, 1))
    await callPeople(ingest[0]!, NAMES.slice(1, 6))
    await callPeople(ingest[1]!, NAMES.slice(6))
    ingest[0]!.process.kill('SIGKILL')
    await takenOver(performance.now(), 'all names stand at one template', () =>
      is(`SELECT count(*) = 1 AND min(url) = '/people/STRING' AS is FROM endpoints WHERE root_id = id`),
    )
    await until('every call is counted there', () =>
      is('SELECT call_count = 12 AS is FROM endpoints WHERE root_id = id'),
    )

    await until('one worker is elected', async () =>
      (await Promise.all(workers.map(isElected))).includes(true),
    )
    const [elected] = (await isElected(workers[0]!)) ? workers : workers.toReversed()
    const vigil = vigilOf(api)
    const order = wholeCollection(await collectionOf(vigil, HOST), (await allTests(vigil)).slice(0, 3))
    const dueInSeconds = 3
    const dueMs = performance.now() + dueInSeconds * 1000
    const startTimestamp = Math.ceil(Date.now() / 1000) + dueInSeconds
    const { testingRunHexId } = await vigil.call('startTest', { ...order, startTimestamp })
    // Older than anything is kept; the elected process has looked when it was elected.
    await pool.query(
      `INSERT INTO traffic_ledger (day, source, outcome, count) VALUES (1, 'MIRRORING', 'ACCEPTED', 1)`,
    )
    elected!.process.kill('SIGKILL')
    const killedMs = performance.now()
    await takenOver(killedMs, 'what is too old is removed', () =>
      is('SELECT NOT EXISTS (SELECT FROM traffic_ledger WHERE day = 1) AS is'),
    )
    await takenOver(dueMs, 'the scheduled run is under way', () =>
      is(`SELECT EXISTS (SELECT FROM run_summaries WHERE run_id = $1 AND state <> 'SCHEDULED') AS is`, [
        testingRunHexId,
      ]),
    )
    await until('the scheduled run ends', () =>
      is(`SELECT state = 'COMPLETED' AS is FROM run_summaries WHERE run_id = $1`, [testingRunHexId]),
    )
  },
)

const browser = await testBrowser()
if (browser === null)
  console.warn('NOT TESTED: a process that only crawls, since there is no browser on this machine')

test.runIf(testedEngine === 'postgres' && browser !== null)(
  'crawls wait for a process with the role crawler, which takes them from the shared database',
  { tags: [MARATHON], timeout: 240_000 },
  async () => {
    place = await freshStorePlace()
    api = await startTestServer({ roles: 'serve' }, place)
    const app = await startSmallApp({
      script:
        "route((path) => { show(make('a', { href: '/orders' }, path)); call('GET', path.slice(1) || 'home') })",
    })
    try {
      const order = { hostname: `${app.origin}/`, crawlingTime: 600 }
      const answer = await api.post('/api/initiateCrawler', order)
      const crawlId = answer.headers.get(crawlIdHeader)!
      const crawl = async () => (await ask(api!, 'fetchCrawlerRun', { crawlId })).crawlerRun
      const other = await startProcess(place, 'worker')
      expect([(await crawl()).status, app.documents]).toEqual(['PENDING', []])

      const settings = ['--browser', browser!.path, '--crawl-requests-per-second', '0']
      const crawler = await startProcess(place, 'crawler', settings)
      await until('its process crawls', () => workersOf(crawler.process.pid!).length, {
        isRight: (count) => count > 0,
        ms: 60_000,
      })
      expect([workersOf(process.pid), workersOf(other.process.pid!)]).toEqual([[], []])
      expect((await call(crawler, 'getAllCollections', {})).status).toBe(421)
      const ended = await until('the crawl ends', crawl, {
        isRight: ({ endTimestamp }) => endTimestamp > 0,
        ms: 120_000,
      })
      expect(ended.status).toBe('COMPLETED')
      expect(await endpointsOf(api, ended.collectionId)).toEqual(
        expect.arrayContaining([`GET ${app.origin}/api/home`, `GET ${app.origin}/api/orders`]),
      )
    } finally {
      await app.close()
    }
  },
)
