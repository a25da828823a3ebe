import { afterAll, beforeAll, expect, test } from 'vitest'
import { fingerprintOf } from '../../src/issues/fingerprint.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines, refusal } from './ask.ts'

const DAY = 86_400
const HOST = 'https://shop.test'
/** A Monday, noon, in UTC. */
const MONDAY = Date.UTC(2026, 0, 5, 12) / 1000
let server: TestServer
let shop: number
let bank: number
let closed: number

beforeAll(async () => {
  server = await startTestServer()
  const made = async (name: string, paths: string[]) => {
    const content = messageLines(paths.map((path) => ({ path: `${HOST}/${name}/${path}` })))
    return (await ask(server, 'importTraffic', { apiCollectionName: name, content })).apiCollectionId
  }
  shop = await made('shop', ['orders', 'users', 'invoices'])
  bank = await made('bank', ['accounts', 'payments'])
  closed = await made('closed', ['items'])
  await ask(server, 'deactivateCollections', { apiCollections: [{ id: closed }] })
  const issue = (collection: [number, string], path: string, at: number, more: Partial<Seeded> = {}) =>
    seed({ collection, path, at, severity: 'HIGH', status: 'OPEN', testId: 'T1', ...more })
  await issue([shop, 'shop'], 'orders', MONDAY)
  await issue([shop, 'shop'], 'orders', MONDAY, { testId: 'T2', severity: 'CRITICAL' })
  await issue([shop, 'shop'], 'users', MONDAY + DAY, { severity: 'LOW' })
  await issue([shop, 'shop'], 'invoices', MONDAY + DAY, { status: 'FIXED' })
  await issue([bank, 'bank'], 'accounts', MONDAY + 8 * DAY, { status: 'IGNORED' })
  await issue([bank, 'bank'], 'payments', MONDAY + 40 * DAY)
  await issue([closed, 'closed'], 'items', MONDAY)
})
afterAll(() => server.close())

const store = () => server.running.app.store

interface Seeded {
  collection: [id: number, name: string]
  path: string
  at: number
  severity: string
  status: string
  testId: string
}

async function seed({ collection: [id, name], path, at, severity, status, testId }: Seeded): Promise<void> {
  const url = `${HOST}/${name}/${path}`
  const key = { testId, source: 'AUTOMATED_TESTING', collectionId: id, method: 'GET', url } as const
  await store().pool.query(
    `INSERT INTO issues (fingerprint, test_id, category, source, collection_id, endpoint_id, method, url, severity,
       status, created_at, last_seen, last_tested, last_updated)
     SELECT $1, $2, 'BOLA', 'AUTOMATED_TESTING', $3, e.id, 'GET', $4, $5, $6, $7, $7, $7, $7
     FROM endpoints e WHERE e.collection_id = $3 AND e.url = $4`,
    [fingerprintOf(key), testId, id, url, severity, status, at],
  )
}

const byDay = (startEpoch: number, endTimeStamp: number, more: object = {}) =>
  ask(server, 'findTotalIssuesByDay', { startEpoch, endTimeStamp, ...more })

test('issues by day fill every slot from start to end, with labels', async () => {
  const ten = await byDay(MONDAY, MONDAY + 9 * DAY)
  expect(ten.totalIssuesCountDayWise).toEqual([2, 2, 0, 0, 0, 0, 0, 0, 1, 0])
  expect(ten.openIssuesCountDayWise).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  expect(ten.criticalIssuesCountDayWise).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  const { bucket, bucketStarts } = ten.response as { bucket: string; bucketStarts: number[] }
  expect([bucket, bucketStarts[0], bucketStarts.length]).toEqual(['day', MONDAY - DAY / 2, 10])
  const ofBank = await byDay(MONDAY, MONDAY + 9 * DAY, { filterCollectionsId: [bank] })
  expect(ofBank.totalIssuesCountDayWise).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
})

test('longer windows count by ISO week and by month; a start of 0 is the oldest issue', async () => {
  const weeks = await byDay(MONDAY - DAY, MONDAY + 45 * DAY)
  expect(weeks.totalIssuesCountDayWise).toEqual([0, 4, 1, 0, 0, 0, 1, 0])
  expect((weeks.response as { bucketStarts: number[] }).bucketStarts[1]).toBe(MONDAY - DAY / 2)
  const months = await byDay(0, MONDAY + 230 * DAY)
  expect((months.response as { bucket: string }).bucket).toBe('month')
  expect(months.totalIssuesCountDayWise!.slice(0, 3)).toEqual([5, 1, 0])
})

test('the trend counts distinct endpoints with open issues by severity', async () => {
  const trend = (startTimeStamp: number, endTimeStamp: number, more: object = {}) =>
    ask(server, 'fetchCriticalIssuesTrend', { severityToFetch: [], startTimeStamp, endTimeStamp, ...more })
  expect(await trend(MONDAY, MONDAY + 9 * DAY)).toEqual({
    epochKey: 'dayOfYear',
    issuesTrend: { CRITICAL: { '2026_5': 1 }, HIGH: { '2026_5': 1 } },
  })
  expect(await trend(MONDAY, MONDAY + 60 * DAY, { severityToFetch: ['HIGH', 'LOW'] })).toEqual({
    epochKey: 'weekOfYear',
    issuesTrend: { HIGH: { '2026_1': 1, '2026_6': 1 }, LOW: { '2026_1': 1 } },
  })
  expect(await trend(0, MONDAY + 300 * DAY, { apiCollectionIds: [bank] })).toEqual({
    epochKey: 'monthOfYear',
    issuesTrend: { HIGH: { '2026_2': 1 } },
  })
  const wrong = { severityToFetch: ['WORST'], startTimeStamp: 0, endTimeStamp: 0 }
  expect((await refusal(server, 'fetchCriticalIssuesTrend', wrong))[0]).toBe(422)
})

test('coverage is a row per collection and day, means over longer times, and sums without a collection', async () => {
  const today = Math.floor(Date.now() / 1000 / DAY) * DAY
  const rows = [
    [shop, today - 2 * DAY, 3, 1, 4.5],
    [bank, today - 2 * DAY, 2, 2, 1.5],
    [shop, today - DAY, 3, 2, 4.5],
    [closed, today - DAY, 9, 9, 9],
  ]
  for (const row of rows)
    await store().pool.query(
      `INSERT INTO coverage_history (collection_id, day, endpoints_count, tested_count, risk_score)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (collection_id, day) DO UPDATE SET tested_count = excluded.tested_count`,
      row,
    )
  const over = async (from: number, to: number, filterCollectionsId: number[] = []) => {
    const asked = { startTimeStamp: from, endTimeStamp: to, filterCollectionsId }
    const { historicalData } = await ask(server, 'fetchTestCoverageData', asked)
    return historicalData!.map((row) => [row.apiCollectionId, row.time, row.totalApis, row.apisTested])
  }
  expect(await over(today - 3 * DAY, today - 1)).toEqual([
    [0, today - 2 * DAY, 5, 3],
    [0, today - DAY, 3, 2],
  ])
  expect(await over(today - 3 * DAY, today - 1, [shop])).toEqual([
    [shop, today - 2 * DAY, 3, 1],
    [shop, today - DAY, 3, 2],
  ])
  const [live] = await over(today, today + DAY, [shop])
  expect(live).toEqual([shop, today, 3, 0])
  const months = await over(today - 300 * DAY, today - 1, [shop])
  expect(months.map(([, , total]) => total)).toEqual(months.length === 1 ? [3] : [3, 3])
})

test('runs are counted by type within a window, and by what they found', async () => {
  const at = MONDAY + 100 * DAY
  const run = (given: Parameters<typeof startedRun>[1]) =>
    startedRun(store(), { collectionIds: [shop], scheduledAt: at, ...given })
  const once = await run({})
  await report(store(), once.summaryId, [
    pairOf({ collectionId: shop, url: `${HOST}/shop/orders`, severity: 'CRITICAL', testId: 'COUNTED' }),
  ])
  await endExecution(store(), once.summaryId, { state: 'COMPLETED' })
  await run({ metadata: { branch: 'main' } })
  await run({ collectionIds: [bank], periodSeconds: DAY })
  await run({ periodSeconds: -1, scheduledAt: at + 10 * DAY })
  const count = (filters: unknown, from = at, to = at + DAY) =>
    ask(server, 'getAllTestsCountMap', { filters, startTimestamp: from, endTimestamp: to })
  expect(await count(null)).toEqual({ allTestRuns: 3, oneTime: 1, scheduled: 1, cicd: 1, continuous: 0 })
  expect(await count('', at, at + 20 * DAY)).toMatchObject({ allTestRuns: 4, continuous: 1 })
  expect(await count(JSON.stringify({ apiCollectionId: [bank] }))).toMatchObject({
    allTestRuns: 1,
    scheduled: 1,
  })
  expect(await count({ severity: ['CRITICAL'] })).toMatchObject({ allTestRuns: 1, oneTime: 1 })
  await ask(server, 'stopAllTests')
})

test('the worst endpoints come first, and issues go with their endpoint and their collection', async () => {
  const counts = async () => {
    const { countByAPIs } = await ask(server, 'fetchIssuesByApis')
    return Object.entries(countByAPIs ?? {})
  }
  expect((await counts())[0]).toEqual([`${shop} ${HOST}/shop/orders GET`, 3])
  const key = { apiCollectionId: shop, method: 'GET', url: `${HOST}/shop/orders` }
  await ask(server, 'deleteApis', { apiList: [key] })
  expect(new Map(await counts())).toEqual(
    new Map([
      [`${shop} ${HOST}/shop/users GET`, 1],
      [`${bank} ${HOST}/bank/payments GET`, 1],
    ]),
  )
  await ask(server, 'deleteCollection', { apiCollectionId: bank })
  expect(await counts()).toEqual([[`${shop} ${HOST}/shop/users GET`, 1]])
  const { rows } = await store().pool.query('SELECT FROM issues WHERE collection_id = $1', [bank])
  expect(rows).toEqual([])
})
