import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
})
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
  const reworded = NUCLEI.replaceAll('Git Configuration', 'Reworded')
  const own = await ask(member, 'importTraffic', { content: reworded, apiCollectionId: mine.apiCollectionId })
  expect(own.report).toMatchObject({ taken: 4 })
  const { rules } = await ask(admin, 'fetchImportedRules')
  expect(rules.find(({ id }) => id === 'nuclei:git-config')?.name, 'rules are shared').toBe(
    'Git Configuration',
  )
  expect((await ask(member, 'fetchImportedRules')).rules.map(({ tool }) => tool)).toContain('nuclei')
})

/** A report of ZAP with one alert at several places. */
const zapOf = (instances: readonly object[], created = '2026-01-29T10:00:00.000Z') =>
  JSON.stringify({
    ...{ '@version': '2.16.1', created },
    site: [
      {
        alerts: [
          { pluginid: '40018', name: 'SQL Injection', riskcode: '3', confidence: '2', desc: 'd', instances },
        ],
      },
    ],
  })

const findingAt = async (url: string) =>
  ask(admin, 'fetchImportedFinding', { issueId: (await issueOf('ZAP:40018', 'GET', url))!.id })

test('a quoted secret is masked when it is behind the kept part of the body, and when only the quotation has it', async () => {
  const head = { 'request-header': 'GET / HTTP/1.1\r\nhost: masks.test\r\n\r\n' }
  const answer = { 'response-header': 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n' }
  const body = JSON.stringify({ padding: 'a '.repeat(40_000), password: 'Zx81kdEw02mQpLr7' })
  await importing(
    zapOf([
      ...[{ uri: 'https://masks.test/far', ...head, ...answer, 'response-body': body }].map((one) => ({
        ...one,
        evidence: 'mQpLr7',
      })),
      { uri: 'https://masks.test/note', ...head, ...answer, otherinfo: 'password=Hk52wqAz83nTyUb4' },
      { uri: 'https://masks.test/line', ...head, ...answer, evidence: 'x-api-key: Vb63erSx94oYuIn5' },
      { uri: 'https://masks.test/plain', ...head, ...answer, evidence: 'SQL syntax error' },
    ]),
    'masks.json',
  )
  const far = await findingAt('/far')
  expect(far.evidence[0]!.explanation).not.toContain('mQpLr7')
  expect(far.evidence[0]!.message!.length).toBeLessThan(70_000)
  expect((await findingAt('/note')).evidence[0]!.explanation).not.toContain('Hk52wqAz83nTyUb4')
  expect((await findingAt('/line')).evidence[0]!.explanation).not.toContain('Vb63erSx94oYuIn5')
  expect((await findingAt('/plain')).evidence[0]!.explanation).toBe('Evidence: SQL syntax error')
})

test('an older report keeps the newer evidence and the import that brought it', async () => {
  const at = (evidence: string) => [{ uri: 'https://older.test/a', evidence }]
  const newer = await importing(zapOf(at('second')), 'newer.json')
  const older = await importing(zapOf(at('first'), '2025-01-29T10:00:00.000Z'), 'older.json')
  expect(older.report).toMatchObject({ duplicates: 1, warnings: [] })
  expect(await findingAt('/a')).toMatchObject({
    uploadId: newer.uploadId,
    evidence: [{ explanation: 'Evidence: second' }],
  })
})

test('a collection of a host takes no findings of another host', async () => {
  const content = zapOf([{ uri: 'https://other.test/x' }, { uri: `https://${HOST}/v1/me` }])
  const { report: summary, uploadId } = await ask(server, 'importTraffic', {
    content,
    apiCollectionId: shop,
  })
  expect(summary).toMatchObject({ taken: 1, skipped: 1 })
  const { rows } = await ask(admin, 'fetchImportReport', { uploadId, outcomes: ['SKIPPED'] })
  expect(rows).toMatchObject([{ reasons: ['it is of another host'] }])
})

test('an import by host belongs to a collection only when all its rows do', async () => {
  const uri = 'https://only.test/a'
  const alone = await importing(zapOf([{ uri }]), 'alone.json')
  expect(alone.report.apiCollectionId).toEqual(expect.any(Number))
  const refused = await importing(zapOf([{ uri }, { uri, method: 'not one' }]), 'refused.json')
  expect(refused.report).toMatchObject({ skipped: 1, apiCollectionId: alone.apiCollectionId })
  const mixed = await importing(zapOf([{ uri }, { uri: 'ftp://secret.test/b' }]), 'mixed.json')
  expect(mixed.report.apiCollectionId).toBeNull()
})

test('the list of rules cuts long texts', async () => {
  const content = zapOf([{ uri: 'https://long.test/a' }])
    .replace('40018', '40099')
    .replace('"desc":"d"', `"desc":"${'long '.repeat(1_000)}"`)
  await importing(content, 'long.json')
  const { rules } = await ask(admin, 'fetchImportedRules')
  const { description } = rules.find(({ id }) => id === 'ZAP:40099')!
  expect([description.length, description.at(-1)]).toEqual([2_000, '…'])
})

test('vigil import fails when every finding was refused, not when a scanner found nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-findings-'))
  const run = async (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return runCli(['import', join(folder, name), '--server', server.baseUrl, '--key', testKey])
  }
  try {
    expect(await run('zap.json', zapOf([{ uri: 'ftp://refused.test/a' }]))).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringContaining('it names no http or https URL'),
    })
    const informational = zapOf([{ uri: 'https://shop.test/' }]).replace('"riskcode":"3"', '"riskcode":"0"')
    expect(await run('zap.json', informational)).toMatchObject({ code: 0, stderr: '' })
    expect(await run('nuclei.jsonl', '\n')).toMatchObject({
      code: 0,
      stdout: 'nuclei results: 0 entries, 0 imported, 0 skipped, 0 repeated\n',
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('vigil import takes them without a collection; other documents need one', async () => {
  const args = ['--server', server.baseUrl, '--key', testKey]
  const taken = await runCli(['import', 'test/fixtures/imports/shop-zap.xml', ...args])
  expect(taken).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('ZAP report: 5 entries, 0 imported, 0 skipped, 5 repeated'),
  })
  const refused = await runCli(['import', 'test/fixtures/juiceshop.har', ...args])
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--collection is missing for juiceshop.har'),
  })
})
