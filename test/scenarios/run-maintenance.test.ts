import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { until } from '../until.ts'
import { collectionOf, type Installation, wholeCollection } from '../use-vigil.ts'

const DAY = 86_400
let server: TestServer
let target: Server
let vigil: Installation
let collectionId: number

beforeEach(async () => {
  server = await startTestServer()
  vigil = vigilOf(server)
  target = createServer((request, response) => {
    // A host that answered everything alike would prove nothing.
    if (!/^\/(orders|users|carts)(\?|$)/.test(request.url ?? '')) response.statusCode = 404
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{"ok":true}'), 20)
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  const batchData = ['/orders', '/users', '/carts'].map((path, i) => ({
    method: 'GET',
    path: `${path}?to=/home`,
    requestHeaders: { host },
    responseHeaders: { 'content-type': 'application/json' },
    statusCode: 200,
    responsePayload: '{"ok":true}',
    ip: '203.0.113.9',
    time: 1_795_000_000 + i,
    source: 'MIRRORING',
  }))
  await vigil.call('ingestData', { batchData })
  collectionId = await collectionOf(vigil, host)
})
afterEach(async () => {
  target.closeAllConnections()
  await new Promise((resolve) => target.close(resolve))
  await server.close()
})

async function start(fields: Record<string, unknown> = {}): Promise<string> {
  const tests = ['OPEN_REDIRECT_QUERY', 'NOSNIFF_MISSING']
  const run = await vigil.call('startTest', { ...wholeCollection(collectionId, tests), ...fields })
  return String(run['testingRunHexId'])
}

async function rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await server.running.app.store.pool.query<T>(sql, values)).rows
}

async function completed(runId: string, count: number): Promise<boolean> {
  const done = await rows(`SELECT id FROM run_summaries WHERE run_id = $1 AND state = 'COMPLETED'`, [runId])
  return done.length === count
}

test('a recurring run starts at its next time, and once for all the times it missed', async () => {
  const runId = await start({ recurringDaily: true })
  await until('the end of the run', () => completed(runId, 1))
  const [first] = await rows<{ state: string; scheduled_at: number; picked_up_at: number }>(
    'SELECT state, scheduled_at, picked_up_at FROM test_runs WHERE id = $1',
    [runId],
  )
  expect(first!.state).toBe('SCHEDULED')
  expect(first!.scheduled_at - first!.picked_up_at).toBeGreaterThan(DAY - 60)
  await rows('UPDATE test_runs SET scheduled_at = scheduled_at - $2 WHERE id = $1', [runId, 5 * DAY + 10])
  await until('the end of the run', () => completed(runId, 2))
  await pause(1_500)
  expect(await completed(runId, 2)).toBe(true)
  const [next] = await rows<{ scheduled_at: number }>('SELECT scheduled_at FROM test_runs WHERE id = $1', [
    runId,
  ])
  expect(next!.scheduled_at).toBeGreaterThan(Date.now() / 1000)
  expect(next!.scheduled_at).toBeLessThan(Date.now() / 1000 + DAY + 1)
})

test('runs come back at their period, the shortest of several; one that was stopped does not', {
  tags: ['marathon'],
}, async () => {
  const periodOf = async (fields: Record<string, unknown>) => {
    const startTimestamp = Math.floor(Date.now() / 1000) + DAY
    const runId = await start({ startTimestamp, ...fields })
    const [run] = await rows<{ period_seconds: number }>(
      'SELECT period_seconds FROM test_runs WHERE id = $1',
      [runId],
    )
    await vigil.call('stopTest', { testingRunHexId: runId })
    return run!.period_seconds
  }
  expect(await periodOf({ recurringWeekly: true })).toBe(7 * DAY)
  expect(await periodOf({ recurringMonthly: true })).toBe(30 * DAY)
  expect(await periodOf({ recurringMonthly: true, recurringDaily: true })).toBe(DAY)
  expect(await periodOf({ recurringDaily: true, continuousTesting: true })).toBe(-1)
  await rows('UPDATE test_runs SET scheduled_at = 1')
  await pause(1_500)
  expect(await rows('SELECT FROM run_summaries WHERE state IN ($1, $2)', ['RUNNING', 'COMPLETED'])).toEqual(
    [],
  )
})

test('a continuous run tests only new endpoints, and makes no execution where there are none', {
  tags: ['marathon'],
}, async () => {
  // Endpoints seen in the very second in which a pass begins belong to the next pass as well.
  const seen = Date.now()
  await until('the second after the traffic', () => Date.now() - seen > 1_000)
  const runId = await start({ continuousTesting: true })
  await until('the end of the run', () => completed(runId, 1))
  const again = () => rows('UPDATE test_runs SET scheduled_at = 1 WHERE id = $1', [runId])
  const [first] = await rows<{ scheduled_at: number; state: string }>(
    'SELECT scheduled_at, state FROM test_runs WHERE id = $1',
    [runId],
  )
  expect(first!.state).toBe('SCHEDULED')
  expect(first!.scheduled_at - Date.now() / 1000).toBeGreaterThan(240)
  await again()
  await until('the next time of the run', async () => {
    const [run] = await rows<{ scheduled_at: number }>('SELECT scheduled_at FROM test_runs WHERE id = $1', [
      runId,
    ])
    return run!.scheduled_at > 1
  })
  expect(await completed(runId, 1), 'nothing is new').toBe(true)
  const host = `127.0.0.1:${(target.address() as AddressInfo).port}`
  await pause(1_100)
  await vigil.call('ingestData', {
    batchData: [
      {
        method: 'GET',
        path: '/orders?to=/home',
        requestHeaders: { host },
        statusCode: 200,
        responsePayload: '{"ok":true}',
        time: Math.floor(Date.now() / 1000),
      },
      {
        method: 'GET',
        path: '/users/new?to=/home',
        requestHeaders: { host },
        statusCode: 200,
        responsePayload: '{"ok":true}',
        time: Math.floor(Date.now() / 1000),
      },
    ],
  })
  await again()
  await until('the end of the run', () => completed(runId, 2))
  const tested = await rows<{ url: string }>(
    `SELECT DISTINCT r.url FROM run_results r JOIN run_summaries s ON s.id = r.summary_id
     WHERE s.run_id = $1 AND s.started_at > (SELECT min(started_at) FROM run_summaries WHERE run_id = $1)`,
    [runId],
  )
  expect(tested.map(({ url }) => url)).toEqual([expect.stringContaining('/users/new')])
})

test('a run is deleted by any of its executions, with the others', {
  tags: ['marathon'],
}, async () => {
  const runId = await start()
  await until('the end of the run', () => completed(runId, 1))
  const [summary] = await rows<{ id: string }>('SELECT id FROM run_summaries WHERE run_id = $1', [runId])
  await vigil.call('startTest', { testingRunHexId: runId })
  await until('the end of the run', () => completed(runId, 2))
  const deleted = await vigil.call('deleteTestRunsFromSummaries', { latestSummaryIds: [summary!.id] })
  expect(deleted['testRunIds']).toEqual([runId])
  for (const table of ['test_runs', 'run_summaries', 'run_results'])
    expect([table, await rows(`SELECT FROM ${table}`)]).toEqual([table, []])
})

test('a deleted run leaves nothing but its issues', { tags: ['marathon'] }, async () => {
  const runId = await start()
  await until('the end of the run', () => completed(runId, 1))
  const issues = await rows('SELECT id FROM issues')
  expect(issues.length).toBeGreaterThan(0)
  await vigil.call('deleteTestRuns', { testRunIds: [runId] })
  for (const table of [
    'test_runs',
    'run_summaries',
    'run_results',
    'result_evidence',
    'run_shards',
    'run_configurations',
  ])
    expect([table, (await rows(`SELECT * FROM ${table}`)).length]).toEqual([table, 0])
  expect(await rows('SELECT id FROM issues')).toEqual(issues)
})

test('a run that is deleted while it works sends nothing more', { tags: ['marathon'] }, async () => {
  const runId = await start({ maxConcurrentRequests: 1 })
  await until(
    'a run under way',
    async () => (await rows('SELECT FROM run_summaries WHERE state = $1', ['RUNNING'])).length > 0,
  )
  await vigil.call('deleteTestRuns', { testRunIds: [runId] })
  await pause(2_000)
  let requests = 0
  target.on('request', () => requests++)
  await pause(1_000)
  expect(requests).toBe(0)
  expect(await rows('SELECT FROM run_results')).toEqual([])
})

test('the coverage of today is kept without anybody asking', {
  tags: ['marathon'],
}, async () => {
  const runId = await start()
  await until('the end of the run', () => completed(runId, 1))
  const place = server.place
  await server.stop()
  server = await startTestServer({}, place)
  await until('coverage of three tested endpoints', async () => {
    const [row] = await rows<{ endpoints_count: number; tested_count: number }>(
      'SELECT endpoints_count, tested_count FROM coverage_history WHERE collection_id = $1',
      [collectionId],
    )
    return row?.endpoints_count === 3 && row.tested_count === 3
  })
})
