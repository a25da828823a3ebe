import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IssueId } from '../../src/contract/index.ts'
import { endExecution, stopRun } from '../../src/testing/records/index.ts'
import type { Outcome } from '../../src/testing/run/outcome.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { wholeCollection } from '../use-vigil.ts'
import { ask, messageLines, refusal } from './ask.ts'

const HOST = 'https://shop.test'
let server: TestServer
let admin: TestPerson
let guest: TestPerson
let shop: number

beforeAll(async () => {
  server = await startTestServer()
  admin = await signUpPerson(server, 'admin@example.org')
  guest = await joinPerson(server, admin, 'guest@example.org', 'GUEST')
  const paths = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => `${HOST}/rest/${name}`)
  const taken = await ask(server, 'importTraffic', {
    apiCollectionName: 'shop',
    content: messageLines(paths.map((path) => ({ path }))),
  })
  shop = taken.apiCollectionId
})
afterAll(() => server.close())

const store = () => server.running.app.store

function idOf(path: string): IssueId {
  return {
    testSubCategory: 'REPLACE_AUTH_TOKEN',
    testErrorSource: 'AUTOMATED_TESTING',
    testCategoryFromSourceConfig: null,
    testSourceConfig: null,
    apiInfoKey: { method: 'GET', apiCollectionId: shop, url: `${HOST}/rest/${path}` },
  }
}

/** One execution that tests one path, with its outcome. */
async function execution(
  path: string,
  outcome: Outcome,
  given: { keepsIssuesOpen?: boolean; severity?: 'CRITICAL' | 'HIGH' | 'LOW' | 'INFO' } = {},
): Promise<string> {
  const { summaryId } = await startedRun(store(), {
    collectionIds: [shop],
    keepsIssuesOpen: given.keepsIssuesOpen ?? false,
  })
  const pair = pairOf({
    collectionId: shop,
    url: `${HOST}/rest/${path}`,
    outcome,
    severity: given.severity ?? 'HIGH',
  })
  await report(store(), summaryId, [pair])
  await endExecution(store(), summaryId, { state: 'COMPLETED' })
  return summaryId
}

async function issueOf(path: string) {
  const { issues } = await ask(server, 'fetchAllIssues', {
    filterSubCategory: [],
    activeCollections: true,
    sortKey: 'creationTime',
    sortOrder: 1,
    limit: 100,
    skip: 0,
    filterStatus: [],
    startEpoch: 0,
    endTimeStamp: 0,
  })
  return issues!.find(({ id }) => id.apiInfoKey.url === `${HOST}/rest/${path}`)
}

async function countsOf(summary: string) {
  return (await ask(server, 'fetchTestingRunResultsSummary', { testingRunSummaryId: summary })).countIssues
}

test('a finding opens an issue, only a test that passed fixes it, the next finding opens it again', async () => {
  const first = await execution('a', 'VULNERABLE')
  const made = await issueOf('a')
  expect(made).toMatchObject({ testRunIssueStatus: 'OPEN', severity: 'HIGH', unread: true, reopenedAt: 0 })
  expect(await countsOf(first)).toMatchObject({ HIGH: 1 })
  for (const outcome of [
    'API_REQUEST_FAILED',
    'SKIPPING_EXECUTION_BECAUSE_FILTERS',
    'UNCONFIRMED',
  ] as const) {
    await execution('a', outcome)
    expect(await issueOf('a')).toMatchObject({
      testRunIssueStatus: 'OPEN',
      latestTestingRunSummaryHexId: first,
    })
  }
  await execution('a', 'SECURE', { keepsIssuesOpen: true })
  expect(await issueOf('a')).toMatchObject({ testRunIssueStatus: 'OPEN' })
  await execution('a', 'SECURE')
  expect(await issueOf('a')).toMatchObject({ testRunIssueStatus: 'FIXED' })
  const last = await execution('a', 'VULNERABLE')
  const again = await issueOf('a')
  expect(again).toMatchObject({ testRunIssueStatus: 'OPEN', unread: true, creationTime: made!.creationTime })
  expect(again!.reopenedAt).toBeGreaterThan(0)
  expect(await countsOf(last)).toMatchObject({ HIGH: 1 })
  const { issueHistory } = await ask(server, 'fetchIssueHistory', { issueId: idOf('a') })
  expect(issueHistory.filter(({ kind }) => kind === 'STATUS').map(({ to }) => to)).toEqual(['OPEN', 'FIXED'])
  const ofFirst = issueHistory.filter(({ testingRunSummaryHexId }) => testingRunSummaryHexId === first)
  expect(
    ofFirst.map(({ kind }) => kind),
    'found for the first time is not found again',
  ).toEqual(['CREATED'])
  expect(issueHistory.filter(({ kind }) => kind === 'FOUND')).toHaveLength(1)
})

test('an ignored issue stays so until a person opens it, and no execution changes its numbers', async () => {
  const first = await execution('b', 'VULNERABLE')
  const set = (statusToBeUpdated: string, ignoreReason = '') =>
    ask(admin, 'updateIssueStatus', { issueId: idOf('b'), statusToBeUpdated, ignoreReason })
  await set('IGNORED', 'Acceptable risk')
  expect(await countsOf(first)).toMatchObject({ HIGH: 1 })
  const second = await execution('b', 'VULNERABLE')
  expect(await countsOf(second)).toMatchObject({ HIGH: 1 })
  await execution('b', 'SECURE')
  const third = await execution('b', 'VULNERABLE')
  expect(await issueOf('b')).toMatchObject({
    testRunIssueStatus: 'IGNORED',
    ignoreReason: 'Acceptable risk',
    lastUpdatedBy: 'admin@example.org',
  })
  await set('OPEN')
  expect(await issueOf('b')).toMatchObject({ testRunIssueStatus: 'OPEN', ignoreReason: null })
  expect(await countsOf(third)).toMatchObject({ HIGH: 1 })
  await set('FIXED')
  await execution('b', 'VULNERABLE')
  expect(await issueOf('b')).toMatchObject({ testRunIssueStatus: 'OPEN' })
})

test('the issues of one endpoint are paged by status', async () => {
  await execution('i', 'VULNERABLE')
  const at = (path: string, more = {}) =>
    ask(server, 'fetchAllIssues', {
      ...{ filterEndpoint: { apiCollectionId: shop, method: 'GET', url: `${HOST}/rest/${path}` } },
      ...{ filterSubCategory: [], activeCollections: false, sortKey: 'severity', sortOrder: -1 },
      ...{ limit: 10, skip: 0, filterStatus: ['OPEN'], startEpoch: 0, endTimeStamp: 0 },
      ...more,
    } as never)
  const first = await at('i')
  expect(first.issues!.map(({ id }) => id.apiInfoKey.url)).toEqual([`${HOST}/rest/i`])
  expect(first).toMatchObject({ openIssuesCount: 1, fixedIssuesCount: 0, ignoredIssuesCount: 0 })
  expect((await at('i', { skip: 1 })).issues).toEqual([])
  expect(await at('i', { filterStatus: ['FIXED'] })).toMatchObject({ issues: [], openIssuesCount: 1 })
  expect(await at('no-such-path')).toMatchObject({ issues: [], openIssuesCount: 0 })
})

test('a severity that a person chose is left alone by runs, and counts in later executions only', async () => {
  const first = await execution('c', 'VULNERABLE', { severity: 'CRITICAL' })
  await ask(admin, 'bulkUpdateIssueSeverity', { issueIdArray: [idOf('c')], severityToBeUpdated: 'LOW' })
  expect(await countsOf(first), 'the execution is a record').toMatchObject({ CRITICAL: 1, LOW: 0 })
  const second = await execution('c', 'VULNERABLE', { severity: 'CRITICAL' })
  expect(await countsOf(second)).toMatchObject({ CRITICAL: 0, LOW: 1 })
  expect(await issueOf('c')).toMatchObject({ severity: 'LOW' })
})

test('a finding of severity INFO makes no issue', async () => {
  await execution('d', 'VULNERABLE', { severity: 'INFO' })
  expect(await issueOf('d')).toBeUndefined()
})

test('two runs that report at once make one issue, and a repeated report changes nothing', async () => {
  const run = () => startedRun(store(), { collectionIds: [shop] })
  const summaries = [await run(), await run(), await run()]
  const pairs = ['e', 'f'].map((path) => pairOf({ collectionId: shop, url: `${HOST}/rest/${path}` }))
  await Promise.all(
    summaries.map(({ summaryId }, index) =>
      report(store(), summaryId, index % 2 ? [...pairs].reverse() : pairs),
    ),
  )
  const { rows } = await store().pool.query(
    `SELECT url FROM issues WHERE url LIKE '%/rest/e' OR url LIKE '%/rest/f'`,
  )
  expect(rows).toHaveLength(2)
  const again = await report(store(), summaries[0]!.summaryId, pairs)
  expect(again.recorded).toEqual([])
  expect(await countsOf(summaries[0]!.summaryId)).toMatchObject({ HIGH: 2 })
  for (const { runId } of summaries) await stopRun(store(), runId)
})

test('results are found by the weakness of their test', async () => {
  const { summaryId } = await startedRun(store(), { collectionIds: [shop] })
  const pairs = ['BOLA_READ', 'JWT_ALG_NONE'].map((testId) =>
    pairOf({ collectionId: shop, url: `${HOST}/rest/g`, testId, outcome: 'SECURE' }),
  )
  await report(store(), summaryId, pairs)
  const found = async (queryValue: string) => {
    const { testingRunResults } = await ask(server, 'fetchTestingRunResults', {
      ...{ testingRunResultSummaryHexId: summaryId, queryMode: 'ALL', queryValue },
      ...{ sortKey: null, sortOrder: 1, limit: 10, skip: 0 },
    })
    return testingRunResults!.map(({ testSubType }) => testSubType)
  }
  expect(await found('insecure direct object reference')).toEqual(['BOLA_READ'])
  expect(await found('CWE-639')).toEqual(['BOLA_READ'])
  expect(await found('json web token')).toEqual(['JWT_ALG_NONE'])
  expect(await found('ssrf')).toEqual([])
})

test('every selection of results holds what it says', async () => {
  const { summaryId } = await startedRun(store(), { collectionIds: [shop] })
  const outcomes: Outcome[] = [
    'VULNERABLE',
    'SECURE',
    'NO_PATH',
    'UNCONFIRMED',
    'API_REQUEST_FAILED',
    'ROLE_NOT_FOUND',
  ]
  await report(
    store(),
    summaryId,
    outcomes.map((outcome, index) =>
      pairOf({ collectionId: shop, url: `${HOST}/rest/g`, testId: `TEST_${index}`, outcome }),
    ),
  )
  const list = async (queryMode: string | null, more: object = {}) => {
    const body = {
      testingRunResultSummaryHexId: summaryId,
      queryMode,
      sortKey: 'time',
      sortOrder: 1,
      limit: 0,
      skip: 0,
      queryValue: '',
      ...more,
    }
    const { testingRunResults } = await ask(server, 'fetchTestingRunResults', body)
    return testingRunResults!.map(({ testSubType }) => testSubType).sort()
  }
  expect(await list('VULNERABLE')).toEqual(['TEST_0'])
  expect(await list('SECURED')).toEqual(['TEST_1'])
  expect(await list('SKIPPED_EXEC')).toEqual(['TEST_2', 'TEST_3'])
  expect(await list('SKIPPED_EXEC_NO_ACTION')).toEqual(['TEST_2', 'TEST_3'])
  expect(await list('SKIPPED_EXEC_API_REQUEST_FAILED')).toEqual(['TEST_4'])
  expect(await list('SKIPPED_EXEC_NEED_CONFIG')).toEqual(['TEST_5'])
  expect(await list('ALL')).toHaveLength(6)
  expect(await list(null, { fetchOnlyVulnerable: true })).toEqual(['TEST_0'])
  expect(await list('ALL', { queryValue: 'test_4' })).toEqual(['TEST_4'])
  expect(await list('ALL', { limit: 4, skip: 4 })).toHaveLength(2)
  expect(await list('ALL', { reportFilterList: { testFilter: ['TEST_1'] } })).toEqual(['TEST_1'])
  const issueId = { ...idOf('g'), testSubCategory: 'TEST_0' }
  await ask(admin, 'bulkUpdateIssueStatus', {
    issueIdArray: [issueId],
    statusToBeUpdated: 'IGNORED',
    ignoreReason: 'x',
  })
  expect(await list('VULNERABLE'), 'what was found stays found').toEqual(['TEST_0'])
  expect(await list('IGNORED_ISSUES')).toEqual(['TEST_0'])
  const { testingRunResults } = await ask(server, 'fetchTestingRunResults', {
    testingRunResultSummaryHexId: summaryId,
    queryMode: 'VULNERABLE',
    sortKey: null,
    sortOrder: -1,
    limit: 0,
    skip: 0,
    queryValue: '',
  })
  expect(testingRunResults![0], 'triage stands beside it').toMatchObject({
    ignoredResult: true,
    issueStatus: 'IGNORED',
    issueSeverity: 'HIGH',
  })
  expect(await ask(server, 'fetchTestRunResultsCount', { testingRunResultSummaryHexId: summaryId })).toEqual({
    VULNERABLE: 1,
    SKIPPED_EXEC_NEED_CONFIG: 1,
    SKIPPED_EXEC: 2,
    ALL: 6,
    SKIPPED_EXEC_API_REQUEST_FAILED: 1,
    IGNORED_ISSUES: 1,
  })
})

test('the counters of an execution equal its lists in every operation, whatever becomes of its issues', {
  tags: ['marathon'],
}, async () => {
  const { summaryId, runId } = await startedRun(store(), { collectionIds: [shop] })
  const severities = ['CRITICAL', 'HIGH', 'HIGH', 'LOW'] as const
  await report(
    store(),
    summaryId,
    severities.map((severity, index) =>
      pairOf({ collectionId: shop, url: `${HOST}/rest/a`, testId: `COUNTED_${index}`, severity }),
    ),
  )
  await endExecution(store(), summaryId, { state: 'COMPLETED' })
  const figures = async () => {
    const listed = await ask(server, 'fetchTestingRunResults', {
      testingRunResultSummaryHexId: summaryId,
      queryMode: 'VULNERABLE',
      sortKey: 'severity',
      sortOrder: -1,
      limit: 0,
      skip: 0,
      queryValue: '',
    })
    const { VULNERABLE } = await ask(server, 'fetchTestRunResultsCount', {
      testingRunResultSummaryHexId: summaryId,
    })
    const { testingRunResultSummaries } = await ask(server, 'fetchTestingRunResultSummaries', {
      testingRunHexId: runId,
      startTimestamp: 0,
      endTimestamp: 0,
    })
    const { latestTestingRunResultSummaries } = await ask(server, 'retrieveAllCollectionTests', {
      searchString: '',
      sortKey: 'scheduleTimestamp',
      sortOrder: -1,
      limit: 200,
      skip: 0,
      startTimestamp: 0,
      endTimestamp: 0,
      testingRunType: null,
    })
    return {
      listed: listed.testingRunResults!.map(({ testResults }) => testResults[0]!.confidence),
      counted: VULNERABLE,
      ofExecution: testingRunResultSummaries![0]!.countIssues,
      ofRuns: latestTestingRunResultSummaries![summaryId]!.countIssues,
      single: await countsOf(summaryId),
    }
  }
  const counts = { CRITICAL: 1, HIGH: 2, MEDIUM: 0, LOW: 1 }
  const before = await figures()
  expect(before).toEqual({
    listed: ['CRITICAL', 'HIGH', 'HIGH', 'LOW'],
    counted: 4,
    ofExecution: counts,
    ofRuns: counts,
    single: counts,
  })
  const issue = (index: number) => ({ ...idOf('a'), testSubCategory: `COUNTED_${index}` })
  const bulk = { statusToBeUpdated: 'IGNORED', ignoreReason: 'x' }
  await ask(admin, 'bulkUpdateIssueStatus', { issueIdArray: [issue(0), issue(1)], ...bulk })
  await ask(admin, 'bulkUpdateIssueSeverity', { issueIdArray: [issue(2)], severityToBeUpdated: 'LOW' })
  await ask(admin, 'handleRefreshTableCount', { testingRunResultSummaryHexId: summaryId })
  expect(await figures()).toEqual(before)
})

test('evidence is shown whole with credentials masked, and marks the issue read for people who may write', async () => {
  await execution('h', 'VULNERABLE')
  const shown = await ask(guest, 'fetchTestingRunResult', { issueId: idOf('h') })
  const text = JSON.stringify(shown.testingRunResult)
  expect(text).toContain('rest/h')
  expect(text).not.toContain('secret-of-the-victim')
  expect(await issueOf('h')).toMatchObject({ unread: true })
  await ask(admin, 'fetchTestingRunResult', { issueId: idOf('h') })
  expect(await issueOf('h')).toMatchObject({ unread: false })
})

test('callers who may not see the collection see neither issues nor results', async () => {
  const summaryId = await execution('h', 'VULNERABLE')
  const other = (await ask(server, 'createCollection', { collectionName: 'other' })).apiCollectionId!
  const team = await ask(admin, 'getTeamData')
  const { id } = team.users.find(({ login }) => login === 'guest@example.org')!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: [other] } })
  const resultId = (await issueOf('h'))!.testingRunResultHexId
  expect(await refusal(guest, 'fetchTestRunResultDetails', { testingRunResultHexId: resultId })).toEqual([
    403,
    'You do not have access to the object that testingRunResultHexId names',
  ])
  expect(await refusal(guest, 'fetchTestingRunResult', { issueId: idOf('h') })).toEqual([
    403,
    'You do not have access to this collection',
  ])
  expect(await refusal(guest, 'fetchTestingRunResultsSummary', { testingRunSummaryId: summaryId })).toEqual([
    403,
    'You do not have access to the object that testingRunSummaryId names',
  ])
  const runs = await ask(guest, 'retrieveAllCollectionTests', {
    searchString: '',
    sortKey: 'scheduleTimestamp',
    sortOrder: -1,
    limit: 10,
    skip: 0,
    startTimestamp: 0,
    endTimestamp: 0,
    testingRunType: null,
  })
  expect(runs.testingRuns).toEqual([])
})

test('a build starts a run and waits for it with a key of its kind, which opens little else', async () => {
  const { apiTokenList } = await ask(admin, 'addApiToken', { tokenUtility: 'CICD' })
  const { key } = apiTokenList![0]!
  const call = (operation: string, body: object) => server.post(`/api/${operation}`, body, { key })
  const started = await call('startTest', {
    ...wholeCollection(shop, ['NOSNIFF_MISSING']),
    startTimestamp: Math.floor(Date.now() / 1000) + 86_400,
    metadata: { branch: 'main' },
  })
  expect(started.status).toBe(200)
  const ids = (await started.json()) as { testingRunHexId: string; testingRunResultSummaryHexId: string }
  const { testingRunResultSummaryHexId } = ids
  const state = await call('fetchTestingRunResultSummary', { testingRunResultSummaryHexId })
  expect(await state.json()).toMatchObject({ state: 'SCHEDULED', hexId: testingRunResultSummaryHexId })
  const unknown = { testingRunResultSummaryHexId: 'a'.repeat(24) }
  expect((await call('fetchTestingRunResultSummary', unknown)).status).toBe(422)
  expect((await call('fetchAllIssues', {})).status).toBe(403)
  await ask(admin, 'stopTest', { testingRunHexId: ids.testingRunHexId })
})

test('wrong inputs are refused in the words of the interface', async () => {
  const results = { sortKey: null, sortOrder: null, limit: null, skip: null, queryValue: null }
  expect(
    await refusal(server, 'fetchTestingRunResults', {
      ...results,
      testingRunResultSummaryHexId: 'x',
      queryMode: null,
    }),
  ).toEqual([422, 'Invalid test summary id'])
  const body = { ...results, testingRunResultSummaryHexId: 'a'.repeat(24), queryMode: 'NONE' }
  expect(await refusal(server, 'fetchTestingRunResults', body)).toEqual([422, 'Invalid queryMode'])
  expect(await refusal(server, 'fetchTestRunResultDetails', { testingRunResultHexId: 'x' })).toEqual([
    422,
    'Invalid testing run result id',
  ])
  expect(await refusal(server, 'updateIssueDescription', { description: 'x' })).toEqual([
    422,
    'Issue id cannot be null',
  ])
  expect(await refusal(server, 'fetchRemediationInfo', { testId: '' })).toEqual([422, 'testId is empty'])
  expect(await ask(server, 'fetchRemediationInfo', { testId: '../../etc/passwd' })).toBe('')
  const count = { filters: '[', startTimestamp: 0, endTimestamp: 0 }
  expect(await refusal(server, 'getAllTestsCountMap', count)).toEqual([422, 'Invalid value for filters'])
})
