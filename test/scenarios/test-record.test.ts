import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkSignature, newRecordKey, signJson } from '../../src/reports/index.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import { runCli } from '../cli-process.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { endOfCommand } from '../run-command.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines } from './ask.ts'

/** What was tested in a period, as a signed record; who reaches what; how far an execution is. */

const HOST = 'https://audit.test'
let server: TestServer
let shop: number
let admin: TestPerson
let summaryId: string
const folder = mkdtempSync(join(tmpdir(), 'vigil-record-'))
const store = () => server.running.app.store
const at = (text: string) => Math.floor(new Date(text).getTime() / 1000)

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  const names = ['orders', 'users', 'items']
  const content = messageLines(names.map((name) => ({ path: `${HOST}/${name}` })))
  shop = (await ask(server, 'importTraffic', { apiCollectionName: 'shop', content })).apiCollectionId
  await store().pool.query('UPDATE endpoints SET discovered_at = $1', [at('2026-01-05T00:00:00Z')])
  summaryId = (await startedRun(store(), { collectionIds: [shop], name: 'March run' })).summaryId
  const found = { collectionId: shop, testId: 'BOLA_READ', category: 'BOLA' }
  await report(store(), summaryId, [
    pairOf({ ...found, url: `${HOST}/orders` }),
    pairOf({ ...found, url: `${HOST}/users`, outcome: 'SECURE' }),
    pairOf({
      ...found,
      url: `${HOST}/items`,
      outcome: 'SKIPPING_EXECUTION_BECAUSE_FILTERS',
      explanation: 'The endpoint has no id.',
    }),
  ])
  await endExecution(store(), summaryId, { state: 'COMPLETED' })
  const march = at('2026-03-10T08:00:00Z')
  await store().pool.query('UPDATE run_summaries SET started_at = $1, ended_at = $1 + 60', [march])
  await store().pool.query('UPDATE run_results SET started_at = $1, ended_at = $1 + 5', [march])
})
afterAll(() => server.close())

const ofMarch = { startTimestamp: at('2026-03-01T00:00:00Z'), endTimestamp: at('2026-04-01T00:00:00Z') }

async function recordIn(format: 'JSON' | 'HTML' | 'PDF') {
  const answer = await ask(admin, 'makeTestRecord', { ...ofMarch, format })
  const file = join(folder, answer.fileName)
  writeFileSync(file, Buffer.from(answer.content, 'base64'))
  return { ...answer, file, bytes: Buffer.from(answer.content, 'base64') }
}

test('a record tells executions, tests, results and gaps of its period, and of no other', async () => {
  const { bytes, fileName, endpointsTested } = await recordIn('JSON')
  expect(fileName).toBe('vigil-test-record-2026-03-01-to-2026-04-01.json')
  expect(endpointsTested).toBe(2)
  const { record } = JSON.parse(bytes.toString())
  expect(record.totals).toMatchObject({ executions: 1, vulnerable: 1, passed: 1, skipped: 1, endpoints: 3 })
  expect(record.executions[0]).toMatchObject({ run: 'March run', state: 'COMPLETED' })
  expect(record.tests[0]).toMatchObject({
    id: 'BOLA_READ',
    definition: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(record.findings[0]).toMatchObject({ url: `${HOST}/orders`, issueStatus: 'OPEN' })
  expect(record.gaps).toEqual([
    { collection: 'shop', method: 'GET', url: `${HOST}/items`, reason: 'The endpoint has no id.' },
  ])
  expect(record.madeBy).toBe('admin@example.org')
  const april = await ask(admin, 'makeTestRecord', {
    startTimestamp: ofMarch.endTimestamp,
    endTimestamp: ofMarch.endTimestamp + 86_400,
  })
  expect(april).toMatchObject({ executions: 0, checks: 0, endpointsTested: 0, endpoints: 3 })
})

test.each(['JSON', 'HTML', 'PDF'] as const)(
  'the signature of a record in %s is verified offline, and a changed file is refused',
  async (format) => {
    const { file, bytes, publicKey, fingerprint } = await recordIn(format)
    const good = await endOfCommand('report', ['verify', file, '--json'])
    expect(good).toMatchObject({ code: 0 })
    expect(JSON.parse(good.printed)).toEqual({ valid: true, format, publicKey, fingerprint })
    if (format === 'PDF') expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const changed = join(folder, `changed.${format.toLowerCase()}`)
    const place = bytes.indexOf(format === 'PDF' ? 'obj' : 'March run')
    const other = Buffer.from(bytes)
    other[place] = other[place]! ^ 1
    writeFileSync(changed, other)
    const bad = await endOfCommand('report', ['verify', changed])
    expect(bad).toMatchObject({ code: 1 })
    expect(bad.printed).toMatch(/changed after it was signed/)
  },
)

test('the signature of a record in one format is not valid for another', async () => {
  const { bytes } = await recordIn('JSON')
  const { record, signature } = JSON.parse(bytes.toString())
  const words = `vigil-signature Ed25519 ${signature.publicKey} ${signature.value}`
  for (const trailer of [`\n<!-- ${words} -->\n`, `\n% ${words}\n`])
    expect(checkSignature(Buffer.from(`${JSON.stringify(record)}${trailer}`))).toMatchObject({
      isValid: false,
    })
  const html = (await recordIn('HTML')).bytes.toString()
  const asPdf = html.replace(/<!-- (vigil-signature.*) -->\n$/, '% $1\n')
  expect(asPdf).not.toBe(html)
  expect(checkSignature(Buffer.from(asPdf))).toMatchObject({ isValid: false, format: 'PDF' })
})

test('markup in a JSON record is escaped', () => {
  const signed = signJson({ run: '<script>alert(1)</script>' }, newRecordKey())
  expect(signed.toString()).not.toContain('<')
  expect(JSON.parse(signed.toString()).record).toEqual({ run: '<script>alert(1)</script>' })
  expect(checkSignature(signed)).toMatchObject({ isValid: true, format: 'JSON' })
})

test.each([
  ['another field beside the record', (text: string) => text.replace('{', '{ "note": "all passed",')],
  ['a field twice', (text: string) => text.replace('{', '{ "record": { "findings": [] },')],
  ['another algorithm', (text: string) => text.replace('"Ed25519"', '"none"')],
  ['other white space', (text: string) => `${text}\n`],
])('a JSON record with %s is refused', async (_name, change) => {
  const text = (await recordIn('JSON')).bytes.toString()
  expect(change(text)).not.toBe(text)
  expect(checkSignature(Buffer.from(change(text)))).toMatchObject({ isValid: false, format: 'JSON' })
})

test('a record that somebody signed with another key is refused when the key is named', async () => {
  const { file } = await recordIn('JSON')
  // As people call it, offline.
  const bad = await runCli(['report', 'verify', file, '--public-key', 'MCowBQYDK2VwAyEAAAAA'])
  expect(bad).toMatchObject({ code: 1 })
  expect(bad.stdout).toMatch(/another key/)
  const none = join(folder, 'none.json')
  writeFileSync(none, '{"a":1}')
  expect((await endOfCommand('report', ['verify', none])).code).toBe(2)
})

test('a period that ends before it starts is refused', async () => {
  const answer = await admin.call('makeTestRecord', { startTimestamp: 100, endTimestamp: 50 })
  expect(answer.status).toBe(422)
})

test('people restricted to some collections get a record of these alone', async () => {
  const member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  const { users } = await ask(admin, 'getTeamData', {})
  const { id } = users.find(({ login }) => login === member.email)!
  const empty = (await ask(admin, 'createCollection', { collectionName: 'empty' })).apiCollections[0]!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [String(id)]: [empty.id] } })
  expect(await ask(member, 'makeTestRecord', { ...ofMarch })).toMatchObject({ executions: 0, endpoints: 0 })
  expect((await ask(member, 'fetchCoverageMatrix', { ...ofMarch })).rowsCount).toBe(0)
  expect((await ask(member, 'fetchAccessMatrix', {})).rowsCount).toBe(0)
  expect((await member.call('makeTestRecord', { ...ofMarch, apiCollectionIds: [shop] })).status).not.toBe(200)
})

test('coverage tells what was tested where in a period, and what was not', async () => {
  const { rows, rowsCount, testedCount, days, categories } = await ask(admin, 'fetchCoverageMatrix', ofMarch)
  expect({ rowsCount, testedCount, categories }).toEqual({
    rowsCount: 3,
    testedCount: 2,
    categories: ['BOLA'],
  })
  const orders = rows.find(({ apiInfoKey }) => apiInfoKey.url.endsWith('/orders'))
  expect(orders!.cells).toEqual([expect.objectContaining({ category: 'BOLA', vulnerable: 1, passed: 0 })])
  expect(days).toEqual([{ day: at('2026-03-10T00:00:00Z'), endpoints: 2, tests: 1 }])
  const gaps = await ask(admin, 'fetchCoverageMatrix', { ...ofMarch, onlyUntested: true })
  expect(gaps.rows.map(({ apiInfoKey }) => apiInfoKey.url)).toEqual([`${HOST}/items`])
})

test('coverage counts the newest result of each test, not every one of the period', async () => {
  const ofMay = { startTimestamp: at('2026-05-01T00:00:00Z'), endTimestamp: at('2026-06-01T00:00:00Z') }
  const results = [
    ['2026-05-02', 'VULNERABLE'],
    ['2026-05-03', 'VULNERABLE'],
    ['2026-05-04', 'SECURE'],
  ] as const
  for (const [day, outcome] of results) {
    const { summaryId: id } = await startedRun(store(), { collectionIds: [shop] })
    const place = { collectionId: shop, url: `${HOST}/users`, category: 'BOLA' }
    await report(store(), id, [
      pairOf({ ...place, testId: 'BOLA_READ', outcome }),
      pairOf({ ...place, testId: 'BOLA_WRITE' }),
    ])
    await endExecution(store(), id, { state: 'COMPLETED' })
    const time = at(`${day}T08:00:00Z`)
    await store().pool.query('UPDATE run_summaries SET started_at = $1 WHERE id = $2', [time, id])
    await store().pool.query('UPDATE run_results SET ended_at = $1 WHERE summary_id = $2', [time, id])
  }
  const { rows } = await ask(admin, 'fetchCoverageMatrix', ofMay)
  const users = rows.find(({ apiInfoKey }) => apiInfoKey.url.endsWith('/users'))!
  expect(users.cells).toEqual([
    expect.objectContaining({ vulnerable: 1, passed: 1, lastTestedAt: at('2026-05-04T08:00:00Z') }),
  ])
})

test('coverage counts the endpoints also where the page has none of them', async () => {
  const beyond = await ask(admin, 'fetchCoverageMatrix', { ...ofMarch, skip: 100 })
  expect(beyond).toMatchObject({ rows: [], rowsCount: 3, testedCount: 2 })
})

test('the access matrix tells who reaches what, and where that is not as declared', async () => {
  await ask(admin, 'addTestRoles', {
    roleName: 'SUPPORT',
    andConditions: null,
    orConditions: { operator: 'OR', predicates: [{ type: 'ENDS_WITH', value: '/orders' }] },
  })
  const seen = (path: string, isReached: boolean) =>
    store().pool.query(
      `INSERT INTO access_matrix (collection_id, method, url, role_name, is_reached, updated_at)
       VALUES ($1, 'GET', $2, 'SUPPORT', $3, 1772400000)`,
      [shop, `${HOST}/${path}`, isReached],
    )
  await seen('orders', true)
  await seen('users', true)
  const { roles, rows } = await ask(admin, 'fetchAccessMatrix', { apiCollectionIds: [shop] })
  const support = roles.find(({ roleName }) => roleName === 'SUPPORT')
  expect(support).toMatchObject({ reached: 2, refused: 0, unknown: 1, deviations: 1 })
  const users = rows.find(({ apiInfoKey }) => apiInfoKey.url.endsWith('/users'))!
  expect(users.access.find(({ roleName }) => roleName === 'SUPPORT')).toMatchObject({
    reached: true,
    expected: false,
  })
  const only = await ask(admin, 'fetchAccessMatrix', { onlyDeviations: true })
  expect(only.rows.map(({ apiInfoKey }) => apiInfoKey.url)).toEqual([`${HOST}/users`])
  for (const [access, count] of [
    ['REACHED', support!.reached],
    ['REFUSED', support!.refused],
    ['UNKNOWN', support!.unknown],
    ['DEVIATES', support!.deviations],
  ] as const) {
    const asked = { apiCollectionIds: [shop], roleName: 'SUPPORT', access }
    expect([access, (await ask(admin, 'fetchAccessMatrix', asked)).rowsCount]).toEqual([access, count])
  }
  // Another identity deviates nowhere, though a row holds a deviation.
  const deviations = (roleName: string) =>
    ask(admin, 'fetchAccessMatrix', { apiCollectionIds: [shop], roleName, onlyDeviations: true })
  expect((await deviations('SUPPORT')).rowsCount).toBe(1)
  expect((await deviations('Anonymous')).rowsCount).toBe(0)
})

test('the progress of an execution counts checks and requests by endpoint and host', async () => {
  await store().pool.query(
    `INSERT INTO outgoing_requests (sent_at, purpose, summary_id, method, host, url, status_code, failure, duration_ms)
     VALUES (1, 'test', $1, 'GET', 'audit.test', 'https://audit.test/orders', 200, NULL, 10),
       (1, 'test', $1, 'GET', 'audit.test', 'https://audit.test/orders', 503, NULL, 30),
       (1, 'test', $1, 'GET', 'audit.test', 'https://audit.test/orders', NULL, 'TARGET_UNREACHABLE', 20)`,
    [summaryId],
  )
  const progress = await ask(admin, 'fetchRunProgress', { testingRunResultSummaryHexId: summaryId })
  expect(progress.hosts).toEqual([
    {
      host: 'audit.test',
      requests: 3,
      failures: 1,
      serverErrors: 1,
      refused: 0,
      meanMs: 20,
      lastFailure: 'TARGET_UNREACHABLE',
    },
  ])
  expect(progress.rows.map(({ apiInfoKey }) => apiInfoKey.url)[0]).toBe(`${HOST}/orders`)
  expect(progress).toMatchObject({ requests: 3, rowsCount: 3, secondsLeft: null })
})

test('the progress of a very large execution counts every check, and pages its endpoints', async () => {
  const testIds = Array.from({ length: 100 }, (_, at) => `TEST_${String(at).padStart(2, '0')}`)
  const pairs = Array.from({ length: 501 }, (_, at) => ({
    ...{ collectionId: shop, method: 'GET', url: `${HOST}/many/${at}` },
    testIds: at === 0 ? ['BOLA_READ', ...testIds] : testIds,
  }))
  const large = (await startedRun(store(), { collectionIds: [shop], name: 'Large' })).summaryId
  const last = { collectionId: shop, category: 'OTHER', url: `${HOST}/many/500` }
  await report(store(), large, [
    pairOf({ ...last, testId: 'TEST_98', outcome: 'SECURE' }),
    pairOf({ ...last, testId: 'TEST_99' }),
    pairOf({ ...last, testId: 'NOT_PLANNED' }),
  ])
  await endExecution(store(), large, { state: 'COMPLETED' })
  await store().pool.query(
    'INSERT INTO run_shards (summary_id, number, stage, pairs) VALUES ($1, 0, 0, $2), ($1, 1, 0, $3)',
    [large, JSON.stringify(pairs.slice(0, 300)), JSON.stringify(pairs.slice(300))],
  )
  const progress = await ask(admin, 'fetchRunProgress', { testingRunResultSummaryHexId: large, limit: 2 })
  expect(progress).toMatchObject({ planned: 50_101, done: 2, rowsCount: 501 })
  expect(progress.categories).toEqual(['BOLA', 'OTHER', ...testIds])
  const [found, most] = progress.rows
  expect(found!.apiInfoKey.url).toBe(`${HOST}/many/500`)
  expect(found!.cells.find(({ category }) => category === 'OTHER')).toMatchObject({
    ...{ planned: 0, vulnerable: 2, passed: 1 },
  })
  expect(found!.cells.find(({ category }) => category === 'TEST_99')).toMatchObject({
    ...{ planned: 1, vulnerable: 0, lastTestedAt: 0 },
  })
  expect(most!.apiInfoKey.url, 'then the endpoint with the most checks').toBe(`${HOST}/many/0`)
  expect(most!.cells.find(({ category }) => category === 'BOLA')).toMatchObject({ planned: 1 })
  const next = await ask(admin, 'fetchRunProgress', {
    ...{ testingRunResultSummaryHexId: large, skip: 500, limit: 2 },
  })
  expect(next.rows).toHaveLength(1)
})

test('the matrix, the tabs and the record of an execution count its checks alike', async () => {
  const id = (await startedRun(store(), { collectionIds: [shop], name: 'Alike' })).summaryId
  const outcomes = {
    BOLA_READ: 'ROLE_NOT_FOUND',
    BOLA_DELETE: 'ROLE_NOT_FOUND',
    BOLA_UPDATE: 'ATTACK_NOT_PROCESSED',
    BOLA_CREATE: 'SKIPPING_EXECUTION_BECAUSE_FILTERS',
  } as const
  await report(
    store(),
    id,
    Object.entries(outcomes).map(([testId, outcome]) =>
      pairOf({ collectionId: shop, category: 'BOLA', url: `${HOST}/orders`, testId, outcome }),
    ),
  )
  const tabs = await ask(admin, 'fetchTestRunResultsCount', { testingRunResultSummaryHexId: id })
  const { rows } = await ask(admin, 'fetchRunProgress', { testingRunResultSummaryHexId: id })
  expect(rows[0]!.cells).toMatchObject([
    {
      needsConfiguration: tabs.SKIPPED_EXEC_NEED_CONFIG,
      notVerified: tabs.SKIPPED_EXEC_API_REQUEST_FAILED,
      skipped: tabs.SKIPPED_EXEC,
    },
  ])
  expect(tabs).toMatchObject({
    SKIPPED_EXEC_NEED_CONFIG: 2,
    SKIPPED_EXEC_API_REQUEST_FAILED: 1,
    SKIPPED_EXEC: 1,
  })
  const now = Math.floor(Date.now() / 1000)
  const made = { startTimestamp: now - 3600, endTimestamp: now + 3600, format: 'JSON' }
  const { content } = await ask(admin, 'makeTestRecord', made)
  const { record } = JSON.parse(Buffer.from(content, 'base64').toString())
  const execution = record.executions.find(({ run }: { run: string }) => run === 'Alike')
  expect(execution).toMatchObject({ needsConfiguration: 2, notVerified: 1, skipped: 1 })
})

test('callers without credentials reach an endpoint whose missing authentication was proven', async () => {
  const anonymousAt = async (path: string) => {
    const { rows } = await ask(admin, 'fetchAccessMatrix', { apiCollectionIds: [shop] })
    return rows.find(({ apiInfoKey }) => apiInfoKey.url.endsWith(path))!.access[0]
  }
  const requestHeaders = { authorization: 'Bearer a' }
  const content = messageLines(
    ['open', 'guarded'].map((name) => ({ path: `${HOST}/${name}`, requestHeaders })),
  )
  await ask(server, 'importTraffic', { apiCollectionName: 'shop', content })
  expect(await anonymousAt('/open')).toMatchObject({ roleName: 'Anonymous', reached: null, at: 0 })
  const run = await startedRun(store(), { collectionIds: [shop], name: 'Missing authentication' })
  const open = { collectionId: shop, url: `${HOST}/open`, testId: 'MISSING_AUTHENTICATION' }
  await report(store(), run.summaryId, [pairOf(open)])
  await endExecution(store(), run.summaryId, { state: 'COMPLETED' })
  const found = await anonymousAt('/open')
  expect(found?.reached).toBe(true)
  expect(found?.at).toBeGreaterThan(at('2026-01-01T00:00:00Z'))
  expect(await anonymousAt('/guarded')).toMatchObject({ reached: null })
})
