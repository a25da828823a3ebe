import { expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing as test } from '../shared-server.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines } from './ask.ts'

/** Values that clients of the reference platform send, in the specification's own mode: answered as they mean them. */

const HOST = 'https://lenient.test'
let server: TestServer
let shop: number
let runHexId: string
const startedAt = Date.now()

test.beforeAll(async ({ shared }) => {
  server = shared
  const content = messageLines([{ path: `${HOST}/a` }])
  shop = (await ask(server, 'importTraffic', { apiCollectionName: 'lenient', content })).apiCollectionId
  const { store } = server.running.app
  const run = await startedRun(store, { collectionIds: [shop], name: 'lenient' })
  const pairs = ['SQLI_ERROR_QUERY', 'SQLI_ERROR_BODY', 'SQLI_ERROR_PATH'].map((testId) =>
    pairOf({ collectionId: shop, url: `${HOST}/a`, testId }),
  )
  await report(store, run.summaryId, pairs)
  const asked = { testingRunSummaryId: run.summaryId }
  runHexId = (await ask(server, 'fetchTestingRunResultsSummary', asked)).testingRunHexId!
})

const issuesPage = () => ({
  ...{
    filterSubCategory: [],
    activeCollections: true,
    sortKey: 'severity',
    sortOrder: -1,
    limit: 50,
    skip: 0,
  },
  ...{ filterStatus: ['OPEN'], filterCollectionsId: [shop], startEpoch: 0, endTimeStamp: 0 },
})
const runsPage = {
  ...{ searchString: 'lenient', sortKey: 'scheduleTimestamp', sortOrder: -1, limit: 50, skip: 0 },
  ...{ startTimestamp: 0, endTimestamp: 0, testingRunType: null },
}

test.for(['', 'riskOfTomorrow', 'null'])(
  'the sort key "%s" gives issues and runs in the default order',
  async (sortKey) => {
    const usual = await ask(server, 'fetchAllIssues', issuesPage())
    const issues = await ask(server, 'fetchAllIssues', { ...issuesPage(), sortKey })
    expect(usual.issues).toHaveLength(3)
    expect(issues.issues!.map(({ id }) => id)).toEqual(usual.issues!.map(({ id }) => id))
    const runs = await ask(server, 'retrieveAllCollectionTests', { ...runsPage, sortKey })
    expect(runs.testingRuns!.map(({ hexId }) => hexId)).toEqual([runHexId])
  },
)

test('times in milliseconds select what the same times in seconds do', async () => {
  const minute = 60_000
  const window = { startEpoch: startedAt - minute, endTimeStamp: Date.now() + minute }
  expect((await ask(server, 'fetchAllIssues', { ...issuesPage(), ...window })).issues).toHaveLength(3)
  const past = { startEpoch: startedAt - 2 * minute, endTimeStamp: startedAt - minute }
  expect((await ask(server, 'fetchAllIssues', { ...issuesPage(), ...past })).issues).toEqual([])
  const runs = { startTimestamp: startedAt - minute, endTimestamp: Date.now() + minute }
  expect(
    (await ask(server, 'retrieveAllCollectionTests', { ...runsPage, ...runs })).testingRuns,
  ).toHaveLength(1)
})

test('texts "null" are absent values', async () => {
  const issues = await ask(server, 'fetchAllIssues', {
    ...issuesPage(),
    ...{ filterSeverity: 'null', searchText: 'null', filterCompliance: 'null' },
  })
  expect(issues.issues).toHaveLength(3)
  const runs = await ask(server, 'retrieveAllCollectionTests', {
    ...runsPage,
    ...{ testingRunType: 'null', filters: 'null', limit: 'null' },
  })
  expect([runs.testingRuns!.length, runs.limit, runs.testingRunType]).toEqual([1, 50, null])
})

test('a limit that was cut is echoed as applied', async () => {
  const issues = await ask(server, 'fetchAllIssues', { ...issuesPage(), limit: 1_000_000 })
  expect([issues.issues!.length, issues.limit]).toEqual([3, 20_000])
  const runs = await ask(server, 'retrieveAllCollectionTests', { ...runsPage, limit: 5_000 })
  expect([runs.testingRuns!.length, runs.limit]).toEqual([1, 200])
  const events = await ask(server, 'fetchSuspectSampleData', { limit: 5_000 })
  expect(events.limit).toBe(1_000)
})

test('the Burp extension that does not know its version learns the latest', async () => {
  for (const version of ['-1', -1])
    expect((await ask(server, 'sendHealthCheck', { version })).latestVersion).toBeGreaterThanOrEqual(0)
})
