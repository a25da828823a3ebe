import { afterAll, beforeAll, expect, test } from 'vitest'
import { rescoreEndpoints, scoreChanges } from '../../src/inventory/engine/counts/rescore.ts'
import { nowSeconds } from '../../src/kit/index.ts'
import { signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { openTestStore } from '../store-fixture.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { collectionOf } from '../use-vigil.ts'
import { ask } from './ask.ts'

const HOST = 'shop.example'
const FILTER = `
id: TestInjection
filter:
  or:
    - url: {regex: ["(?i)union\\\\s+select"]}
info: {category: {name: SQL_INJECTION, displayName: SQL Injection}, subCategory: SQL_INJECTION, severity: HIGH}
`
let server: TestServer
let admin: TestPerson
let shop: number

const message = (path: string) => ({
  method: 'GET',
  path,
  requestHeaders: { host: HOST, authorization: 'Bearer t' },
  responseHeaders: { 'content-type': 'application/json' },
  statusCode: 200,
  responsePayload: '{"ok":true}',
  ip: '203.0.113.9',
  time: nowSeconds(),
  source: 'MIRRORING',
})

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  await ask(server, 'saveFilterYamlTemplate', { content: FILTER })
  await ask(server, 'ingestData', { batchData: ['/orders', '/search?q=a', '/calm'].map(message) })
  shop = await collectionOf({ call: (name, body) => ask(server, name as never, body) }, HOST)
}, 240_000)
afterAll(() => server?.close())

const store = () => server.running.app.store

async function riskOf(url: string) {
  const { apiInfo } = await ask(server, 'getSingleEndpoint', { apiCollectionId: shop, method: 'GET', url })
  const tenths = apiInfo.riskFactors.reduce((sum, { points }) => sum + Math.round(points * 10), 0)
  expect(tenths / 10, 'the reasons add up to the score').toBe(Math.round(apiInfo.riskScore * 10) / 10)
  return {
    score: Math.round(apiInfo.riskScore * 10) / 10,
    severity: apiInfo.severityScore,
    factors: apiInfo.riskFactors.map(({ factor }) => factor),
    since: apiInfo.riskFactors.map(({ since }) => since),
  }
}

const criticalEndpoints = async () => (await ask(server, 'getRiskScoreInfo', {})).criticalEndpointsCount
const issueId = (index: number) => ({
  testSubCategory: `TEST_${index}`,
  testErrorSource: 'AUTOMATED_TESTING',
  apiInfoKey: { method: 'GET' as const, apiCollectionId: shop, url: '/orders' },
})
const set = (indexes: number[], statusToBeUpdated: string) =>
  ask(admin, 'bulkUpdateIssueStatus', {
    issueIdArray: indexes.map(issueId),
    statusToBeUpdated,
    ignoreReason: statusToBeUpdated === 'IGNORED' ? 'x' : '',
  })

test('four critical findings make the risk of an endpoint high within seconds, and triage lowers it again', async () => {
  const before = await riskOf('/orders')
  const calm = await store().pool.query(`SELECT scored_at FROM endpoints WHERE url = '/calm'`)
  expect(before).toMatchObject({ severity: 0 })
  expect(await criticalEndpoints()).toBe(0)
  const { summaryId } = await startedRun(store(), { collectionIds: [shop] })
  const pairs = [0, 1, 2, 3].map((index) =>
    pairOf({ collectionId: shop, url: '/orders', testId: `TEST_${index}`, severity: 'CRITICAL' }),
  )
  await report(store(), summaryId, pairs)
  await expect.poll(() => riskOf('/orders')).toMatchObject({ severity: 400 })
  const found = await riskOf('/orders')
  const { rows } = await store().pool.query<{ id: number }>(
    'UPDATE issues SET created_at = 1795000000 WHERE collection_id = $1 RETURNING endpoint_id AS id',
    [shop],
  )
  await rescoreEndpoints(
    store(),
    rows.map(({ id }) => id),
  )
  const { since } = await riskOf('/orders')
  expect(since[0], 'open issues count since the first was found').toBe(1_795_000_000)
  expect(found.score).toBeGreaterThanOrEqual(4)
  expect(found.factors[0]).toBe('open issues')
  expect(await criticalEndpoints()).toBe(1)
  await ask(server, 'ingestData', { batchData: [message('/orders?fresh=1')] })
  expect((await riskOf('/orders')).severity, 'messages keep it').toBe(400)
  await set([0, 1], 'IGNORED')
  await expect.poll(async () => (await riskOf('/orders')).severity).toBe(200)
  await set([2, 3], 'FIXED')
  await expect.poll(async () => (await riskOf('/orders')).severity).toBe(0)
  expect(await riskOf('/orders')).toEqual(before)
  expect(await criticalEndpoints()).toBe(0)
  const after = await store().pool.query(`SELECT scored_at FROM endpoints WHERE url = '/calm'`)
  expect(after.rows, 'an endpoint that nothing happened to is left alone').toEqual(calm.rows)
})

test('an attack raises the risk of the endpoint within seconds', async () => {
  const before = await riskOf('/search')
  await ask(server, 'ingestData', { batchData: [message('/search?q=1%20UNION%20SELECT%20x')] })
  await expect.poll(async () => (await riskOf('/search')).factors).toContain('under attack')
  expect((await riskOf('/search')).score).toBeGreaterThan(before.score)
})

test('an attack that somebody ignores or deletes no longer raises the risk of the endpoint', {
  tags: ['marathon'],
}, async () => {
  await ask(server, 'ingestData', { batchData: [message('/calm?ok=1')] })
  const before = await riskOf('/calm')
  const attacks = async () => {
    const body = { apiCollectionId: shop, method: 'GET', url: '/calm' } as const
    const { riskFactors } = (await ask(server, 'getSingleEndpoint', body)).apiInfo
    return riskFactors.find(({ factor }) => factor === 'under attack')?.evidence
  }
  const setStatus = (status: 'ACTIVE' | 'IGNORED', eventIds: string[]) =>
    ask(admin, 'updateMaliciousEventStatus', { status, eventIds })
  for (const value of [1, 2])
    await ask(server, 'ingestData', { batchData: [message(`/calm?q=${value}%20UNION%20SELECT%20x`)] })
  const { maliciousEvents } = await ask(admin, 'fetchSuspectSampleData', {})
  const ids = maliciousEvents!.flatMap(({ id, url }) => (url.includes('/calm') ? [id] : []))
  const counted = (events: number) => `${events} malicious request${events === 1 ? '' : 's'} in seven days`
  await expect.poll(attacks).toBe(counted(ids.length))
  await setStatus('IGNORED', ids.slice(0, 1))
  await expect.poll(attacks).toBe(counted(ids.length - 1))
  await setStatus('IGNORED', ids)
  await expect.poll(() => riskOf('/calm')).toEqual(before)
  await setStatus('ACTIVE', ids)
  await expect.poll(attacks).toBe(counted(ids.length))
  await ask(admin, 'deleteMaliciousEvents', { eventIds: ids.slice(0, 1) })
  await expect.poll(attacks).toBe(counted(ids.length - 1))
  await ask(admin, 'deleteAllMaliciousEvents', {})
  await expect.poll(() => riskOf('/calm')).toEqual(before)
})

test('what a process noted before it died is scored by the next, and several share the work', async () => {
  const { store: bare, close } = await openTestStore()
  try {
    await bare.pool.query(
      `INSERT INTO collections (id, name, kind, created_at) VALUES (77, 'shop', 'MANUAL', 1)`,
    )
    await bare.pool.query(
      `INSERT INTO endpoints (id, root_id, collection_id, method, url, discovered_at, first_seen, last_seen)
       OVERRIDING SYSTEM VALUE SELECT i, i, 77, 'GET', '/e' || i, 1, 1, 1 FROM generate_series(1001, 2200) i`,
    )
    await bare.pool.query(
      `INSERT INTO issues (fingerprint, test_id, category, source, collection_id, endpoint_id, method, url, severity,
         status, created_at, last_seen, last_tested, last_updated)
       SELECT 'f' || id, 'T', 'C', 'AUTOMATED_TESTING', 77, id, method, url, 'CRITICAL', 'OPEN', 1, 1, 1, 1
       FROM endpoints WHERE collection_id = 77`,
    )
    const client = await bare.pool.connect()
    await client.query('BEGIN')
    await client.query('DELETE FROM risk_changes')
    await client.query('ROLLBACK') // the process died between taking the notes and writing the scores
    client.release()
    const scored = await Promise.all([scoreChanges(bare), scoreChanges(bare)])
    expect(scored[0]! + scored[1]!).toBe(1200)
    const { rows } = await bare.pool.query<{ risky: number; left: number }>(
      `SELECT (SELECT count(*) FROM endpoints WHERE collection_id = 77 AND severity_score = 100 AND risk_score > 3) AS
         risky, (SELECT count(*) FROM risk_changes) AS left`,
    )
    expect(rows).toEqual([{ risky: 1200, left: 0 }])
    await bare.pool.query(`UPDATE issues SET status = 'IGNORED' WHERE endpoint_id = 1001`)
    expect(await scoreChanges(bare), 'one event costs one endpoint').toBe(1)
  } finally {
    await close()
  }
})
