import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endExecution } from '../../src/testing/records/index.ts'
import { runCli } from '../cli-process.ts'
import {
  joinPerson,
  signUpPerson,
  startTestServer,
  type TestPerson,
  type TestServer,
  testKey,
} from '../harness.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, endpointsOf, messageLines, refusal } from './ask.ts'

/** Results of ZAP and nuclei as issues. */

const ZAP = readFileSync('test/fixtures/imports/shop-zap.json', 'utf8')
const NUCLEI = readFileSync('test/fixtures/imports/shop-nuclei.jsonl', 'utf8')
const HOST = 'shop.test:8443'
const SECRET = '0123456789abcdef0123456789abcdef'

let server: TestServer
let admin: TestPerson
let shop: number

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  // Traffic of the host, so that its path template is known before a scanner reports anything.
  const batchData = Array.from({ length: 12 }, (_, i) => ({
    ...{ method: 'PUT', path: `/v1/orders/${i + 1}`, requestHeaders: { host: HOST }, statusCode: 200 },
    ...{
      requestPayload: '{"note":"a"}',
      responsePayload: '{"ok":true}',
      ip: '203.0.113.9',
      time: 1_769_000_000 + i,
    },
  }))
  await ask(server, 'ingestData', { batchData })
  const { apiCollections } = await ask(admin, 'getAllCollections')
  shop = apiCollections.find(({ hostName }) => hostName === HOST)!.id
}, 60_000)
afterAll(() => server.close())

const store = () => server.running.app.store

async function allIssues(filterStatus: ('OPEN' | 'FIXED' | 'IGNORED')[] = ['OPEN']) {
  const { issues } = await ask(admin, 'fetchAllIssues', {
    ...{ filterSubCategory: [], filterStatus, activeCollections: false, sortKey: 'severity', sortOrder: -1 },
    ...{ limit: 100, skip: 0, startEpoch: 0, endTimeStamp: 0 },
  })
  return issues ?? []
}

async function issueOf(testSubCategory: string, method: string, url: string) {
  const all = await allIssues(['OPEN', 'FIXED', 'IGNORED'])
  return all.find(
    ({ id }) =>
      id.testSubCategory === testSubCategory && id.apiInfoKey.method === method && id.apiInfoKey.url === url,
  )
}

const importing = (content: string, fileName: string) => ask(server, 'importTraffic', { content, fileName })

test('a report of ZAP becomes issues of the endpoints of its host', async () => {
  const imported = await importing(ZAP, 'zap.json')
  expect(imported).toMatchObject({
    format: 'ZAP',
    apiCollectionId: shop,
    report: { total: 5, taken: 5, skipped: 0, duplicates: 0, status: 'SUCCEEDED' },
  })
  const issues = await allIssues()
  expect(
    issues
      .map(({ id, severity, causeScope, causePlace }) => [
        `${id.testErrorSource} ${id.testSubCategory} ${id.apiInfoKey.method} ${id.apiInfoKey.url}`,
        ...[severity, causeScope, causePlace],
      ])
      .sort(),
  ).toEqual([
    ['IMPORT ZAP:10021 GET /v1/me', 'LOW', 'host', HOST],
    ['IMPORT ZAP:10021 GET /v1/orders', 'LOW', 'host', HOST],
    ['IMPORT ZAP:40018 GET /v1/orders', 'HIGH', 'parameter', 'query page, query sort'],
    ['IMPORT ZAP:40018 PUT /v1/orders/INTEGER', 'HIGH', 'parameter', 'body note'],
  ])
  expect(await endpointsOf(admin, shop)).toEqual(
    expect.arrayContaining(['GET /v1/me', 'GET /v1/orders', 'PUT /v1/orders/INTEGER']),
  )
  const { rules } = await ask(admin, 'fetchImportedRules')
  expect(rules.find(({ id }) => id === 'ZAP:40018')).toMatchObject({
    ...{ tool: 'ZAP', name: 'SQL Injection', category: 'INJECT', cwe: ['CWE-89'] },
    remediation: 'Use prepared statements, not text & quotes.',
  })
  const { issueGroups } = await ask(admin, 'fetchIssueGroups', { searchString: 'sql inj' })
  expect(issueGroups.map(({ issue }) => issue.id.testSubCategory)).toEqual(['ZAP:40018', 'ZAP:40018'])
})

test('its evidence is shown with credentials masked', async () => {
  const issue = await issueOf('ZAP:40018', 'PUT', '/v1/orders/INTEGER')
  const found = await ask(admin, 'fetchImportedFinding', { issueId: issue!.id })
  expect(found).toMatchObject({ tool: 'ZAP', evidence: [{ part: 'body note' }] })
  expect(found.evidence[0]!.explanation).toContain("Attack: x'")
  expect(found.evidence[0]!.message).toContain('SQL syntax error')
  expect(JSON.stringify(found)).not.toContain('c2VjcmV0c2VjcmV0c2VjcmV0')
  await importing(NUCLEI, 'nuclei.jsonl')
  const config = await issueOf('nuclei:git-config', 'GET', '/.git/config')
  const leak = await ask(admin, 'fetchImportedFinding', { issueId: config!.id })
  expect(leak.evidence[0]!.message).toContain('[core]')
  expect(JSON.stringify(leak)).not.toContain(SECRET)
})

test('the same report again makes nothing new, and an issue that was fixed opens only for a later finding', async () => {
  const before = await allIssues()
  const again = await importing(ZAP, 'zap.json')
  expect(again.report).toMatchObject({ taken: 0, duplicates: 5, skipped: 0 })
  expect(await allIssues()).toHaveLength(before.length)
  const issue = await issueOf('ZAP:40018', 'PUT', '/v1/orders/INTEGER')
  await ask(admin, 'updateIssueStatus', { issueId: issue!.id, statusToBeUpdated: 'FIXED', ignoreReason: '' })
  const { rows } = await ask(admin, 'fetchImportReport', {
    uploadId: (await importing(ZAP, 'zap.json')).uploadId,
  })
  expect(rows.flatMap(({ reasons }) => reasons)).toContain('the issue was fixed after this was found')
  expect((await issueOf('ZAP:40018', 'PUT', '/v1/orders/INTEGER'))?.testRunIssueStatus).toBe('FIXED')
  const later = new Date(Date.now() + 60_000).toISOString()
  const newer = await importing(ZAP.replace('2026-01-29T10:00:00.000Z', later), 'zap.json')
  expect(newer.report).toMatchObject({ taken: 1, duplicates: 4 })
  expect(await issueOf('ZAP:40018', 'PUT', '/v1/orders/INTEGER')).toMatchObject({
    testRunIssueStatus: 'OPEN',
    reopenedAt: expect.any(Number),
  })
  const { issueHistory } = await ask(admin, 'fetchIssueHistory', { issueId: issue!.id })
  expect(issueHistory.map(({ kind, to }) => `${kind} ${to}`)).toEqual([
    'STATUS OPEN',
    'STATUS FIXED',
    'CREATED HIGH',
  ])
})

test('a report without an earlier finding leaves its issue open, and says how many there are', async () => {
  const empty = JSON.parse(ZAP) as { site: { alerts: unknown[] }[] }
  empty.site[0]!.alerts.splice(1)
  const open = (await allIssues()).length
  const { report: summary } = await importing(JSON.stringify(empty), 'zap.json')
  expect(summary.warnings).toEqual([
    expect.stringMatching(/^2 open issues that ZAP reported earlier are not in this file\. They stay open/),
  ])
  expect(await allIssues()).toHaveLength(open)
})

test('test runs neither fix them nor are fixed by them', async () => {
  const place = { collectionId: shop, method: 'GET', url: '/v1/orders' } as const
  const { summaryId } = await startedRun(store(), { collectionIds: [shop] })
  await report(store(), summaryId, [
    pairOf({ ...place, testId: 'SQLI_ERROR_QUERY', severity: 'HIGH' }),
    pairOf({ ...place, testId: 'ZAP:40018', outcome: 'SECURE' }),
  ])
  await endExecution(store(), summaryId, { state: 'COMPLETED' })
  expect((await issueOf('ZAP:40018', 'GET', '/v1/orders'))?.testRunIssueStatus).toBe('OPEN')
  const own = await issueOf('SQLI_ERROR_QUERY', 'GET', '/v1/orders')
  await importing(ZAP, 'zap.json')
  expect(await issueOf('SQLI_ERROR_QUERY', 'GET', '/v1/orders')).toEqual(own)
  const [status] = await refusal(admin, 'fetchImportedFinding', { issueId: own!.id })
  expect(status).toBe(404)
  const imported = await issueOf('ZAP:40018', 'GET', '/v1/orders')
  expect((await refusal(admin, 'retestIssues', { issueIdArray: [imported!.id] }))[0]).toBe(422)
})

test('a false positive stays ignored however often it is imported', async () => {
  const issue = await issueOf('nuclei:cors-misconfig:arbitrary-origin', 'GET', '/v1/me')
  await ask(admin, 'addFalsePositive', { issueId: issue!.id, scope: 'COLLECTION', reason: 'Public data' })
  const later = NUCLEI.replaceAll('2026-01-29', '2026-06-29')
  const { uploadId } = await importing(later, 'nuclei.jsonl')
  const { rows } = await ask(admin, 'fetchImportReport', { uploadId })
  expect(rows.flatMap(({ reasons }) => reasons)).toContain('the issue is ignored')
  expect((await issueOf(issue!.id.testSubCategory, 'GET', '/v1/me'))?.testRunIssueStatus).toBe('IGNORED')
})

test('restricted people name a collection that they were granted, and see nothing of others', async () => {
  const member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  const content = messageLines([{ path: 'https://mine.test/a' }])
  const mine = await ask(server, 'importTraffic', { apiCollectionName: 'mine', content })
  const { users } = await ask(admin, 'getTeamData')
  const id = users.find(({ login }) => login === member.email)!.id
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: [mine.apiCollectionId] } })
  expect(await refusal(member, 'importTraffic', { content: NUCLEI })).toEqual([
    422,
    'apiCollectionName or apiCollectionId is required',
  ])
  expect((await refusal(member, 'importTraffic', { content: NUCLEI, apiCollectionId: shop }))[0]).toBe(403)
  const foreign = await issueOf('nuclei:git-config', 'GET', '/.git/config')
  expect((await refusal(member, 'fetchImportedFinding', { issueId: foreign!.id }))[0]).toBe(403)
  expect((await ask(member, 'fetchImportedRules')).rules).toEqual([])
  const own = await ask(member, 'importTraffic', { content: NUCLEI, apiCollectionId: mine.apiCollectionId })
  expect(own.report).toMatchObject({ taken: 4 })
  expect((await ask(member, 'fetchImportedRules')).rules.map(({ tool }) => tool)).toContain('nuclei')
})

test('vigil import takes them without a collection; other documents need one', async () => {
  const args = ['--server', server.baseUrl, '--key', testKey]
  const taken = await runCli(['import', 'test/fixtures/imports/shop-zap.xml', ...args])
  expect(taken).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('ZAP: 5 entries, 0 imported, 0 skipped, 5 repeated'),
  })
  const refused = await runCli(['import', 'test/fixtures/juiceshop.har', ...args])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--collection is missing') })
})
