import { expect, onTestFinished } from 'vitest'
import { claimReport, createReport, findReport, removeOldReports } from '../../src/reports/definitions.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import { joinPerson, type TestPerson, type TestServer, testKey } from '../harness.ts'
import { adminOf, sharing as test } from '../shared-server.ts'
import { openTestStore } from '../store-fixture.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { ask, messageLines, refusal } from './ask.ts'

const HOST = 'https://shop.test'
let server: TestServer
let admin: TestPerson
let guest: TestPerson
let shop: number
let summaryId: string

test.beforeAll(async ({ shared }) => {
  server = shared
  admin = await adminOf(server)
  guest = await joinPerson(server, admin, 'guest.reports@example.org', 'GUEST')
  const paths = ['a', 'b', 'c', 'd'].map((name) => `${HOST}/rest/${name}`)
  const taken = await ask(server, 'importTraffic', {
    apiCollectionName: 'shop',
    content: messageLines(paths.map((path) => ({ path }))),
  })
  shop = taken.apiCollectionId
  const run = await startedRun(store(), { collectionIds: [shop], name: 'nightly' })
  summaryId = run.summaryId
  await report(store(), summaryId, [
    pairOf({ collectionId: shop, url: `${HOST}/rest/a` }),
    pairOf({ collectionId: shop, url: `${HOST}/rest/b`, severity: 'CRITICAL' }),
    pairOf({ collectionId: shop, url: `${HOST}/rest/c`, outcome: 'SECURE' }),
    pairOf({ collectionId: shop, url: `${HOST}/rest/d`, outcome: 'NO_AUTH_TOKEN_FOUND' }),
  ])
  await endExecution(store(), summaryId, { state: 'COMPLETED' })
})

const store = () => server.running.app.store

async function pdfOf(id: string): Promise<string> {
  await expect
    .poll(async () => (await ask(server, 'downloadReportPDF', { reportId: id })).status)
    .toBe('COMPLETED')
  const { pdf } = await ask(server, 'downloadReportPDF', { reportId: id })
  return Buffer.from(pdf!, 'base64').toString('latin1')
}

test('a report of a run is made in the background and downloaded in two ways', async () => {
  const made = await ask(server, 'generateReportPDF', {
    reportFilterList: { testingRunResultSummaryId: [summaryId] },
  })
  const id = made.generatedReportId!
  expect(made.response).toEqual({
    reportId: id,
    status: 'IN_PROGRESS',
    downloadUrl: `/api/report/${id}.pdf`,
  })
  const pdf = await pdfOf(id)
  expect(pdf).toMatch(/^%PDF-/)
  expect(pdf).toContain('/Title (1. ')
  const file = await fetch(`${server.baseUrl}/api/report/${id}.pdf`, { headers: { 'x-api-key': testKey } })
  expect(file.status).toBe(200)
  expect(file.headers.get('content-type')).toBe('application/pdf')
  expect(Buffer.from(await file.arrayBuffer()).toString('latin1')).toBe(pdf)
  expect(await ask(server, 'getReportFilters', { generatedReportId: id })).toEqual({
    filtersForReport: { testingRunResultSummaryId: [summaryId] },
    issuesIdsForReport: null,
  })
})

test('a person finds the reports that were asked for again, and nobody else does', async () => {
  const person = await joinPerson(server, admin, 'lister.reports@example.org', 'MEMBER')
  const of = async () => (await ask(person, 'fetchReports')).reports
  expect(await of()).toEqual([])
  const run = await ask(person, 'generateReportPDF', {
    reportFilterList: { testingRunResultSummaryId: [summaryId] },
  })
  await ask(person, 'generateReportPDF', { reportFilterList: { filterSeverity: ['HIGH'] } })
  await expect.poll(async () => (await of()).map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED'])
  // Two of one second stand in any order.
  const listed = await of()
  const ofRun = listed.find(({ reportId }) => reportId === run.generatedReportId)
  const issues = listed.find((one) => one !== ofRun)
  expect(issues).toMatchObject({ testingRunName: null, filtersForReport: { filterSeverity: ['HIGH'] } })
  expect(ofRun).toMatchObject({
    reportId: run.generatedReportId,
    downloadUrl: run.response!.downloadUrl,
    testingRunName: 'nightly',
    issuesCount: null,
  })
  expect(ofRun!.sizeBytes).toBeGreaterThan(1_000)
  expect(ofRun!.expiryTime - ofRun!.createTime).toBe(7 * 86_400)
  expect((await ask(guest, 'fetchReports')).reports).toEqual([])
})

test('a report of issues takes filters as JSON text, or exactly the given issues', async () => {
  const byText = await ask(server, 'generateReportPDF', { reportFilters: '{"filterSeverity":["CRITICAL"]}' })
  expect(await pdfOf(byText.generatedReportId!)).toContain('/Title (1. ')
  const { issues } = await ask(server, 'fetchAllIssues', {
    filterSubCategory: [],
    activeCollections: true,
    sortKey: 'severity',
    sortOrder: -1,
    limit: 10,
    skip: 0,
    filterStatus: [],
    startEpoch: 0,
    endTimeStamp: 0,
  })
  const chosen = await ask(server, 'generateReportPDF', { issuesIdsForReport: [issues![0]!.id] })
  expect(await pdfOf(chosen.generatedReportId!)).toMatch(/^%PDF-/)
})

test('what cannot be a report is refused', async () => {
  const unknown = '697e01aaaabbccddeeff0005'
  expect(
    await refusal(server, 'generateReportPDF', {
      reportFilterList: { testingRunResultSummaryId: [unknown] },
    }),
  ).toContain(422)
  expect(await refusal(server, 'generateReportPDF', { reportFilters: '[]' })).toContain(422)
  expect(await refusal(server, 'downloadReportPDF', { reportId: unknown })).toContain(422)
  const get = (path: string, key = testKey) =>
    fetch(`${server.baseUrl}${path}`, { headers: { 'x-api-key': key } }).then((answer) => answer.status)
  expect(await get(`/api/report/${unknown}.pdf`)).toBe(404)
  expect(await get('/api/report/..%2f..%2fetc')).toBe(404)
  expect(await get(`/api/report/${unknown}.pdf`, 'x'.repeat(40))).toBe(403)
})

test('a report shows what its reader may see, and is not for others who may see less', async () => {
  const users = await admin.call('getTeamData', {})
  const { users: team } = (await users.json()) as { users: { login: string; id: number }[] }
  const id = team.find((user) => user.login === guest.email)!.id
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: [] } })
  const theirs = await ask(server, 'generateReportPDF', {})
  await pdfOf(theirs.generatedReportId!)
  expect(await refusal(guest, 'downloadReportPDF', { reportId: theirs.generatedReportId })).toContain(403)
  expect(
    await refusal(guest, 'generateReportPDF', {
      reportFilterList: { testingRunResultSummaryId: [summaryId] },
    }),
  ).toContain(422)
})

test('a report whose process was killed is made again, and given up after three', async () => {
  // A store of its own: the server makes what waits in its store, however old it is.
  const { store: alone, close } = await openTestStore()
  onTestFinished(close)
  const place = { userLogin: 'ada@example.org', filters: {}, issueKeys: null, visible: null }
  const id = await createReport(alone, place, 1_000)
  const silent = 10
  expect(await claimReport(alone, silent, 1_100)).toMatchObject({ id })
  expect(await claimReport(alone, silent, 1_105)).toBeNull()
  expect(await claimReport(alone, silent, 1_200)).toMatchObject({ id })
  expect(await claimReport(alone, silent, 1_300)).toMatchObject({ id })
  expect(await claimReport(alone, silent, 1_400)).toBeNull()
  expect(await findReport(alone, id, 1_400)).toMatchObject({ status: 'ERROR' })
  expect(await findReport(alone, id, 1_000 + 8 * 86_400)).toBeUndefined()
  expect(await removeOldReports(alone, 1_000 + 8 * 86_400)).toBe(1)
})

test('a person cannot fill the store with reports', async () => {
  const place = { userLogin: 'busy@example.org', filters: {}, issueKeys: null, visible: null }
  const far = Math.floor(Date.now() / 1000)
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, () => createReport(server.running.app.store, place, far)),
  )
  expect(made.filter((one) => one.status === 'rejected')).toHaveLength(3)
})
