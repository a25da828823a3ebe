import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveIssues } from '../../src/issues/index.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import type { PairResult } from '../../src/testing/run/pair-result.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines } from './ask.ts'

/** One cause is one issue: findings of a host, or of a parameter, are places of it and count once. */

const HOST = 'https://shop.test'
let server: TestServer
let shop: number
let other: number
let admin: TestPerson
let guest: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  guest = await joinPerson(server, admin, 'guest@example.org', 'GUEST')
  const names = ['orders', 'users', 'items', 'feeds']
  const content = messageLines(names.map((name) => ({ path: `${HOST}/${name}` })))
  shop = (await ask(server, 'importTraffic', { apiCollectionName: 'shop', content })).apiCollectionId
  other = (await ask(server, 'importTraffic', { apiCollectionName: 'other', content })).apiCollectionId
})
afterAll(() => server.close())

const store = () => server.running.app.store

async function execution(pairs: PairResult[]): Promise<string> {
  const { summaryId } = await startedRun(store(), { collectionIds: [shop, other] })
  await report(store(), summaryId, pairs)
  await endExecution(store(), summaryId, { state: 'COMPLETED' })
  return summaryId
}

const cors = (path: string, given: Partial<PairResult> & { collectionId?: number } = {}) =>
  pairOf({
    testId: 'CORS_ORIGIN_REFLECTED',
    category: 'CORS',
    severity: 'LOW',
    url: `${HOST}/${path}`,
    collectionId: shop,
    cause: { scope: 'host', family: 'CORS', place: 'shop.test' },
    ...given,
  })

const ssrf = (testId: string, severity: PairResult['severity'], place: string) =>
  pairOf({
    testId,
    category: 'SSRF',
    severity,
    url: `${HOST}/feeds`,
    collectionId: shop,
    cause: { scope: 'parameter', family: 'CWE-918', place },
  })

async function groups(
  request: object = { filterStatus: ['OPEN'] },
  caller: TestServer | TestPerson = server,
) {
  return ask(caller, 'fetchIssueGroups', { limit: 100, ...request } as never)
}

const urlsOf = (group: { issueIds: { apiInfoKey: { url: string } }[] } | undefined) =>
  group?.issueIds.map(({ apiInfoKey }) => apiInfoKey.url.slice(HOST.length + 1)).sort()

test('findings of one cause are one issue with every place, which counts once everywhere', async () => {
  const summaryId = await execution([
    cors('orders'),
    cors('users'),
    cors('items', { testId: 'CORS_NULL_ORIGIN' }),
    cors('items', { collectionId: other }),
    ssrf('SSRF_CALLBACK_BODY', 'HIGH', 'body url'),
    ssrf('SSRF_METADATA_BODY', 'CRITICAL', 'body url'),
    ssrf('SSRF_FILE_SCHEME_BODY', 'CRITICAL', 'body icon'),
  ])
  const { issueGroups, openGroupsCount, openGroupsBySeverity } = await groups()
  expect(openGroupsCount).toBe(3)
  expect(openGroupsBySeverity).toEqual({ CRITICAL: 2, HIGH: 0, MEDIUM: 0, LOW: 1 })
  const told = issueGroups.map((one) => `${one.severity} ${one.causePlace} ${one.placesCount}`)
  expect(told.sort()).toEqual(['CRITICAL body icon 1', 'CRITICAL body url 2', 'LOW shop.test 4'])
  const host = issueGroups.find(({ causeScope }) => causeScope === 'host')
  expect(urlsOf(host)).toEqual(['items', 'items', 'orders', 'users'])
  expect(host!.testSubCategories).toEqual(['CORS_NULL_ORIGIN', 'CORS_ORIGIN_REFLECTED'])

  const { severityInfo } = await ask(server, 'fetchSeverityInfoForIssues', { endTimeStamp: 0 })
  expect(severityInfo[String(shop)]).toEqual({ CRITICAL: 2, LOW: 1 })
  const days = await ask(server, 'findTotalIssuesByDay', { startEpoch: 0, endTimeStamp: 0 })
  expect(days.openIssuesCountDayWise).toEqual([3])
  const { countByAPIs } = (await ask(server, 'fetchIssuesByApis', {})) as {
    countByAPIs: Record<string, number>
  }
  expect(countByAPIs[`${shop} ${HOST}/feeds GET`]).toBe(2)
  const summary = await ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })
  expect(summary.countCauses).toEqual({ CRITICAL: 2, HIGH: 0, MEDIUM: 0, LOW: 1 })
})

test('results and issue records stay one for each endpoint, and name their cause', async () => {
  const { issueGroups } = await groups()
  const { causeId } = issueGroups.find(({ causeScope }) => causeScope === 'host')!
  const places = await ask(server, 'fetchAllIssues', {
    filterSubCategory: [],
    filterCauseId: [causeId],
    activeCollections: true,
    sortKey: 'severity',
    sortOrder: -1,
    limit: 100,
    skip: 0,
    filterStatus: ['OPEN'],
    startEpoch: 0,
    endTimeStamp: 0,
  })
  expect(places.issues).toHaveLength(4)
  expect(new Set(places.issues!.map(({ causeFamily }) => causeFamily))).toEqual(new Set(['CORS']))
  expect(places.openIssuesCount).toBe(4)
})

test('a place that is fixed leaves the list, the issue closes with the last and opens again as the same', async () => {
  const hostGroup = async (status: 'OPEN' | 'FIXED') =>
    (await groups({ filterStatus: [status] })).issueGroups.find(({ causeScope }) => causeScope === 'host')
  const { causeId } = (await hostGroup('OPEN'))!
  await execution([cors('orders', { outcome: 'SECURE' }), cors('users', { outcome: 'API_REQUEST_FAILED' })])
  expect(urlsOf(await hostGroup('OPEN'))).toEqual(['items', 'items', 'users'])
  expect((await hostGroup('OPEN'))!.fixedPlacesCount).toBe(1)
  await execution([
    cors('users', { outcome: 'SECURE' }),
    cors('items', { outcome: 'SECURE', testId: 'CORS_NULL_ORIGIN' }),
    cors('items', { outcome: 'SECURE', collectionId: other }),
  ])
  expect(await hostGroup('OPEN')).toBeUndefined()
  expect(await hostGroup('FIXED')).toMatchObject({ causeId, placesCount: 4 })
  await execution([cors('users')])
  expect(await hostGroup('OPEN')).toMatchObject({ causeId, placesCount: 1, fixedPlacesCount: 3 })
})

test('severity filters and pages are those of whole issues', async () => {
  const high = await groups({ filterStatus: ['OPEN'], filterSeverity: ['HIGH'] })
  expect(high.issueGroups, 'its worst place is critical').toEqual([])
  const first = await groups({ filterStatus: ['OPEN'], limit: 1, skip: 1 })
  expect(first.issueGroups).toHaveLength(1)
  expect(first.openGroupsCount).toBe(3)
})

test('who was granted one collection sees the places of no other', async () => {
  await execution([cors('items', { collectionId: other })])
  const { users } = await ask(admin, 'getTeamData')
  const { id } = users.find(({ login }) => login === 'guest@example.org')!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: [shop] } })
  const ofHost = async (caller: TestServer | TestPerson) =>
    (await groups({ filterStatus: ['OPEN'] }, caller)).issueGroups.find(
      ({ causeScope }) => causeScope === 'host',
    )!
  const collections = ({ issueIds }: Awaited<ReturnType<typeof ofHost>>) =>
    issueIds.map(({ apiInfoKey }) => apiInfoKey.apiCollectionId)
  expect(collections(await ofHost(server))).toContain(other)
  expect(collections(await ofHost(guest))).toEqual([shop])
})

test('an issue keeps its cause when its endpoint moves into a path template', async () => {
  const { rows } = await store().pool.query<{ cause_key: string }>(
    `SELECT cause_key FROM issues WHERE test_id = 'SSRF_METADATA_BODY'`,
  )
  await moveIssues(store())
  expect((await groups()).issueGroups.map((group) => group.causeId)).toContain(rows[0]!.cause_key)
})
