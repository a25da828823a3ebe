import { expect } from 'vitest'
import { setStatus } from '../../src/issues/index.ts'
import { nowSeconds } from '../../src/kit/index.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import type { PairResult } from '../../src/testing/run/pair-result.ts'
import type { TestServer } from '../harness.ts'
import { sharing as test } from '../shared-server.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines } from './ask.ts'

/** What the overview and the comparison of executions tell: what is new, what is gone, what was not tested. */

const HOST = 'https://changed.test'
const DAY = 86_400
let server: TestServer
let shop: number
let earlier: string
let later: string

const store = () => server.running.app.store

const pair = (testId: string, path: string, given: Partial<PairResult> = {}) =>
  pairOf({ testId, category: 'BOLA', severity: 'HIGH', url: `${HOST}/${path}`, collectionId: shop, ...given })

async function execution(pairs: PairResult[]): Promise<string> {
  const { summaryId } = await startedRun(store(), { collectionIds: [shop] })
  await report(store(), summaryId, pairs)
  await endExecution(store(), summaryId, { state: 'COMPLETED' })
  return summaryId
}

test.beforeAll(async ({ shared }) => {
  server = shared
  const content = messageLines(
    ['orders', 'users', 'items', 'feeds', 'idle'].map((name) => ({ path: `${HOST}/${name}` })),
  )
  shop = (await ask(server, 'importTraffic', { apiCollectionName: 'changed', content })).apiCollectionId
  earlier = await execution([pair('STAYS', 'orders'), pair('GOES', 'users'), pair('UNSURE', 'items')])
  later = await execution([
    pair('STAYS', 'orders'),
    pair('GOES', 'users', { outcome: 'SECURE' }),
    pair('COMES', 'orders', { severity: 'CRITICAL' }),
  ])
})

const groups = async (request: object) => {
  const all = { filterCollectionsId: [shop], limit: 100, ...request }
  const { issueGroups } = await ask(server, 'fetchIssueGroups', all)
  return issueGroups.flatMap((group) => group.testSubCategories).sort()
}

test('two executions are compared by what became of each finding', async () => {
  const { counts, findings } = await ask(server, 'compareExecutions', {
    testingRunResultSummaryHexId: later,
    earlierSummaryHexId: earlier,
  })
  expect(findings.map((one) => `${one.testSubCategory} ${one.change}`)).toEqual([
    'COMES NEW',
    'UNSURE NOT_VERIFIED',
    'STAYS STILL_THERE',
    'GOES FIXED',
  ])
  expect(counts).toEqual({ NEW: 1, STILL_THERE: 1, FIXED: 1, NOT_VERIFIED: 1 })
  expect(findings[0]).toMatchObject({ severity: 'CRITICAL', earlierResultHexId: null })
})

test('issues are searched by words, by whose they are and by what became of them', async () => {
  const start = nowSeconds() - 60
  const key = (testId: string, path: string) =>
    ({
      testId,
      source: 'AUTOMATED_TESTING',
      collectionId: shop,
      method: 'GET',
      url: `${HOST}/${path}`,
    }) as const
  const change = (testId: string, path: string) => ({
    keys: [key(testId, path)],
    visible: null,
    actor: 'ada@example.org',
  })
  expect(await groups({ searchString: 'ORDERS' })).toEqual(['COMES', 'STAYS'])
  expect(await groups({ searchString: 'unsu' })).toEqual(['UNSURE'])
  expect(await groups({ searchString: 'no such words' })).toEqual([])
  expect(await groups({ filterAssignee: [''] })).toEqual(['COMES', 'GOES', 'STAYS', 'UNSURE'])
  expect(await groups({ filterAssignee: ['ada@example.org'] })).toEqual([])
  expect(await groups({ fixedSince: start })).toEqual(['GOES'])
  expect(await groups({ fixedSince: nowSeconds() + DAY })).toEqual([])
  await setStatus(store(), change('UNSURE', 'items'), { status: 'FIXED', reason: null, until: 0 })
  expect(await groups({ fixedSince: start })).toEqual(['GOES', 'UNSURE'])
  await execution([pair('UNSURE', 'items')])
  expect(await groups({ reopenedSince: start })).toEqual(['UNSURE'])
})

test('open issues are counted at the end of each day, and the list names those of a day', async () => {
  const today = Math.floor(nowSeconds() / DAY) * DAY
  const back = (testId: string, days: number) =>
    store().pool.query('UPDATE issues SET created_at = $2 WHERE test_id = $1 AND collection_id = $3', [
      testId,
      today - days * DAY,
      shop,
    ])
  await back('STAYS', 3)
  await back('GOES', 2)
  const trend = await ask(server, 'fetchOpenIssuesTrend', {
    startEpoch: today - 4 * DAY,
    filterCollectionsId: [shop],
  })
  expect(trend.bucketStarts).toHaveLength(5)
  expect(trend.high.slice(0, 4)).toEqual([0, 1, 2, 2])
  expect([trend.critical.at(-1), trend.high.at(-1)]).toEqual([1, 2])
  const always = await ask(server, 'fetchOpenIssuesTrend', {
    startEpoch: -(2 ** 31),
    endTimeStamp: 2 ** 31 - 1,
    filterCollectionsId: [shop],
  })
  expect([always.bucketStarts[0], always.bucketEnds.at(-1)]).toEqual([0, 2 ** 31 - 1])
  expect(await groups({ openBefore: trend.bucketEnds[2] })).toEqual(['GOES', 'STAYS'])
  expect(await groups({ openBefore: trend.bucketEnds[4] })).toEqual(['COMES', 'STAYS', 'UNSURE'])
})

test('endpoints are counted by whether they were tested, and the search lists those behind each number', async () => {
  const listed = async (testState: string[]) => {
    const search = { apiCollectionId: shop, testState, exactTotal: true }
    const { endpoints } = await ask(server, 'searchEndpoints', search)
    return endpoints.map(({ id }) => id.url.slice(HOST.length + 1)).sort()
  }
  await execution([pair('NEEDS', 'feeds', { outcome: 'NO_AUTH_TOKEN_FOUND' })])
  expect(await listed(['TESTED'])).toEqual(['items', 'orders', 'users'])
  expect(await listed(['NEEDS_CONFIGURATION'])).toEqual(['feeds'])
  expect(await listed(['NEVER_RUN'])).toEqual(['idle'])
  const { testStates } = await ask(server, 'countTestStates')
  const total = testStates.reduce((sum, { endpoints }) => sum + endpoints, 0)
  const every = testStates.map(({ state }) => state)
  const state = ['ACTIVE', 'DEACTIVATED']
  const search = { testState: every, state, limit: 1, exactTotal: true }
  const listedInAny = await ask(server, 'searchEndpoints', search)
  expect(total).toBe(listedInAny.total)
  expect(testStates.find(({ state }) => state === 'NEVER_RUN')!.endpoints).toBeGreaterThan(0)
})
