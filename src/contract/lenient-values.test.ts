import { expect, test } from 'vitest'
import { fillAnswer } from './fill-answer.ts'
import { readRequest } from './index.ts'

const issuesPage = {
  filterSubCategory: [],
  activeCollections: true,
  sortKey: 'severity',
  sortOrder: -1,
  limit: 50,
  skip: 0,
  filterStatus: ['OPEN'],
  startEpoch: 0,
  endTimeStamp: 0,
}

const runsPage = {
  searchString: '',
  sortKey: 'scheduleTimestamp',
  sortOrder: -1,
  limit: 50,
  skip: 0,
  startTimestamp: 0,
  endTimestamp: 0,
  testingRunType: 'ONE_TIME',
}

test.each(['', 'risk', 'toString'])('issues with the sort key "%s" come in the default order', (sortKey) => {
  expect(readRequest('fetchAllIssues', { ...issuesPage, sortKey }).sortKey).toBe('severity')
})

test.each(['', 'testRunTime'])('runs with the sort key "%s" come in the default order', (sortKey) => {
  expect(readRequest('retrieveAllCollectionTests', { ...runsPage, sortKey }).sortKey).toBe(
    'scheduleTimestamp',
  )
})

test('times in milliseconds are read as seconds', () => {
  const read = readRequest('retrieveAllCollectionTests', {
    ...runsPage,
    startTimestamp: 1769854500123,
    endTimestamp: '1769854500999',
  })
  expect(read).toMatchObject({ startTimestamp: 1769854500, endTimestamp: 1769854500 })
  const threats = readRequest('fetchThreatActors', { startTs: 1769854500123, endTs: 0 })
  expect(threats).toMatchObject({ startTs: 1769854500, endTs: 0 })
})

test('a fraction of a second is left out', () => {
  expect(
    readRequest('startTest', { testingRunHexId: 'a'.repeat(24), startTimestamp: 1769854500.75 }),
  ).toMatchObject({
    startTimestamp: 1769854500,
  })
})

test('epoch minutes are not taken for milliseconds', () => {
  const window = { startWindow: 29_497_575, endWindow: 29_497_635 }
  expect(
    readRequest('fetchIpLevelApiCallStats', { method: 'GET', url: '/a', apiCollectionId: 1, ...window }),
  ).toMatchObject(window)
})

test.each(['-1', -1])('the extension may start without knowing its version (%j)', (version) => {
  expect(readRequest('sendHealthCheck', { version }).version).toBe(-1)
})

test('the text "null" is an absent value', () => {
  const read = readRequest('retrieveAllCollectionTests', {
    ...runsPage,
    searchString: 'null',
    sortKey: 'null',
    testingRunType: 'null',
    limit: 'null',
  })
  expect(read).toMatchObject({
    searchString: '',
    sortKey: 'scheduleTimestamp',
    testingRunType: null,
    limit: 50,
  })
  expect(() => readRequest('importInBurp', { collectionName: 'null' })).toThrow('FIELD_REQUIRED')
})

test('documents and passwords may be the text "null"', () => {
  expect(readRequest('uploadHar', { content: 'null' }).content).toBe('null')
  const passwords = { currentPassword: 'null', newPassword: 'null' }
  expect(readRequest('updatePassword', passwords)).toMatchObject(passwords)
})

test('a reduced limit is returned as applied', () => {
  const asked = { ...issuesPage, limit: 1_000_000 }
  const read = readRequest('fetchAllIssues', asked)
  const answer = { issues: [], openIssuesCount: 0, fixedIssuesCount: 0, ignoredIssuesCount: 0 }
  expect(fillAnswer('fetchAllIssues', answer, read).limit).toBe(20_000)
  expect(readRequest('fetchAllIssues', { ...issuesPage, limit: 0 }).limit).toBe(20)
  expect(readRequest('retrieveAllCollectionTests', { ...runsPage, limit: 900 }).limit).toBe(200)
  expect(readRequest('retrieveAllCollectionTests', { ...runsPage, limit: -1 }).limit).toBe(-1)
  expect(readRequest('retrieveAllCollectionTests', { ...runsPage, limit: -70 }).limit).toBe(70)
  expect(readRequest('fetchSuspectSampleData', { limit: 5_000 }).limit).toBe(1000)
})
