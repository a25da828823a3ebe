import { readFileSync } from 'node:fs'
import { crawlIdHeader, type OperationName, operations } from '../../src/contract/index.ts'
import { exampleCrawlId } from '../../src/contract/operations/crawler-examples.ts'
import { exampleIds } from '../../src/contract/operations/test-run-examples.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import { type TestPerson, type TestServer, testPassword } from '../harness.ts'
import { ask, messageLines, untilRead } from '../scenarios/ask.ts'
import { pairOf, report, startedRun } from '../test-results.ts'

/** What a body of an operation may speak of: things that exist on the server under test. */
export interface Seeded {
  readonly server: TestServer
  readonly admin: TestPerson
  readonly shop: number
  /** Endpoint of `shop` whose path was learned as a template. */
  readonly template: string
  readonly groupId: number
  readonly apiUploadId: string
  readonly postmanUploadId: string
  readonly recordingUploadId: string
  /** A run that ended, its execution and a finding of it. */
  readonly run: { readonly runId: string; readonly summaryId: string; readonly resultId: string }
  /** A crawl that nobody works on. */
  readonly crawlId: string
}

/** The collection that the examples of the contract speak of. */
const EXAMPLE_COLLECTION = 1679459648
const HOST = 'https://shop.test'
/** The test that the examples of the contract save. */
const OWN_TEST = String(operations.saveTestEditorFile.example.request['content'])
const EMAIL = '{"email":"ann@shop.test"}'
const USER = `${HOST}/rest/user`

/** Fills a collection, a group and uploads that the bodies below name. */
export async function seedInventory(server: TestServer, admin: TestPerson): Promise<Seeded> {
  const paths = ['/rest/user', ...Array.from({ length: 12 }, (_, n) => `/rest/basket/${n + 6}`)]
  const taken = await ask(server, 'importTraffic', {
    apiCollectionName: 'seeded shop',
    content: messageLines(paths.map((path) => ({ path: HOST + path, responsePayload: EMAIL }))),
  })
  const group = await ask(server, 'createCustomCollection', {
    collectionName: 'seeded group',
    conditions: [{ type: 'METHOD', operator: 'AND', data: { methods: ['DELETE'] } }],
  })
  const api = await ask(server, 'importDataFromOpenApiSpec', {
    openAPIString: readFileSync('test/fixtures/imports/shop-openapi-3.1.json', 'utf8'),
    apiCollectionId: taken.apiCollectionId,
  })
  const postman = await ask(server, 'importDataFromPostmanFile', {
    postmanCollectionFile: readFileSync('test/fixtures/imports/shop-postman-2.1.json', 'utf8'),
  })
  const seeded = {
    server,
    admin,
    shop: taken.apiCollectionId,
    template: `${HOST}/rest/basket/INTEGER`,
    groupId: group.apiCollectionId,
    apiUploadId: api.uploadId!,
    postmanUploadId: postman.uploadId,
    recordingUploadId: taken.uploadId,
    run: await seedRun(server, taken.apiCollectionId),
    crawlId: await extraCrawl(server),
  }
  await untilRead(server, 'fetchSwaggerImportLogs', seeded.apiUploadId)
  await untilRead(server, 'fetchPostmanImportLogs', seeded.postmanUploadId)
  return seeded
}

/** A report of ZAP with the finding that the examples speak of, and the text wherever it may hold one. */
export function zapReport(uri: string, text: string): string {
  const header = `GET ${uri} HTTP/1.1\r\nhost: shop.test\r\nx-key: ${text}\r\n\r\n`
  const messages = {
    'request-header': header,
    'response-header': `HTTP/1.1 200 OK\r\n\r\n`,
    'response-body': text,
  }
  const instance = {
    uri,
    method: 'GET',
    param: text,
    attack: text,
    evidence: text,
    otherinfo: text,
    ...messages,
  }
  const rule = { pluginid: '40018', name: 'SQL Injection', desc: text, solution: text, cweid: '89' }
  const alerts = [{ ...rule, riskcode: '3', confidence: '2', instances: [instance] }]
  return JSON.stringify({ '@version': '2.16.1', site: [{ '@name': 'https://shop.test', alerts }] })
}

/** A finding on the endpoint that the examples speak of, and one of another scanner. */
export async function seedRun(server: TestServer, shop: number, url = USER): Promise<Seeded['run']> {
  const { store } = server.running.app
  const { runId, summaryId } = await startedRun(store, { collectionIds: [shop] })
  const { recorded } = await report(store, summaryId, [pairOf({ collectionId: shop, url })])
  await endExecution(store, summaryId, { state: 'COMPLETED' })
  await ask(server, 'importTraffic', { apiCollectionId: shop, content: zapReport(url, 'quoted') })
  return { runId, summaryId, resultId: recorded[0]!.resultId }
}

/** A test that lacks a role, so that nothing is sent. */
function trialOf({ shop }: Seeded) {
  return {
    content: OWN_TEST.replace(
      'replace_auth_header: true',
      "modify_header: { '${roles_access_context.NOBODY}': 1 }",
    ),
    apiInfoKey: { apiCollectionId: shop, method: 'GET', url: USER },
    sampleDataList: [],
  }
}

/** A suite of its own for an operation that changes or ends it. */
async function extraSuite({ server }: Seeded, testSuiteName: string): Promise<string> {
  const made = await ask(server, 'createTestSuite', {
    testSuiteName,
    subCategoryList: ['REPLACE_AUTH_TOKEN'],
  })
  return made.testSuiteList[0]!.hexId
}

/** A role with a credential, for an operation that changes or ends it. */
async function extraRole({ server }: Seeded, roleName: string): Promise<string> {
  await ask(server, 'addTestRoles', { roleName })
  await ask(server, 'addAuthToRole', { ...operations.addAuthToRole.example.request, roleName })
  return roleName
}

/** A filter of its own for an operation that ends it. */
async function extraFilter({ server }: Seeded, id: string): Promise<string> {
  const content = String(operations.saveFilterYamlTemplate.example.request['content'])
  await ask(server, 'saveFilterYamlTemplate', { content: content.replace('SQLInjection', id) })
  return id
}

/** A suppression of its own for an operation that ends it. */
async function extraSuppression({ server }: Seeded, reason: string): Promise<number> {
  const made = await ask(server, 'addThreatSuppression', { host: 'nowhere.test', reason })
  return made.suppression.id
}

/** A crawl of its own; the server under test works on none. */
async function extraCrawl(server: TestServer): Promise<string> {
  const started = await server.post('/api/initiateCrawler', operations.initiateCrawler.example.request)
  return started.headers.get(crawlIdHeader)!
}

/** A crawl that ended. */
async function endedCrawl({ server }: Seeded): Promise<{ crawlId: string }> {
  const crawlId = await extraCrawl(server)
  await ask(server, 'stopCrawler', { crawlId })
  return { crawlId }
}

/** A collection of its own for an operation that ends it. */
async function extraCollection({ server }: Seeded, collectionName: string): Promise<number> {
  return (await ask(server, 'createCollection', { collectionName })).apiCollectionId
}

/** A channel of its own, on a host that cannot exist. */
async function extraWebhook({ server }: Seeded, webhookName: string): Promise<number> {
  const { customWebhook } = await ask(server, 'addCustomWebhook', {
    ...operations.addCustomWebhook.example.request,
    webhookName,
    url: `https://alerts.invalid/${webhookName}`,
  })
  return customWebhook.id
}

/** A report that the caller asked for. */
async function extraReport({ server }: Seeded): Promise<string> {
  const { generatedReportId } = await ask(
    server,
    'generateReportPDF',
    operations.generateReportPDF.example.request,
  )
  return generatedReportId!
}

/** The operation's example, once both trackers are set up on a host that cannot exist. */
async function exampleWithTrackers(
  seeded: Seeded,
  name: 'createJiraIssue' | 'bulkCreateJiraTickets',
): Promise<Body> {
  for (const trackerType of ['JIRA', 'GITHUB'] as const) {
    const tracker = {
      trackerType,
      baseUrl: 'https://tracker.invalid',
      userEmail: '',
      apiToken: 'example-token',
    }
    await ask(seeded.server, 'saveTicketTracker', tracker)
  }
  return placedExample(name, seeded)
}

type Body = Record<string, unknown>

const suitable: Partial<Record<OperationName, (seeded: Seeded) => Body | Promise<Body>>> = {
  fetchSwaggerImportLogs: ({ apiUploadId }) => ({ uploadId: apiUploadId }),
  importSwaggerLogs: ({ apiUploadId }) => ({ uploadId: apiUploadId, importType: 'ALL_APIS' }),
  fetchPostmanImportLogs: ({ postmanUploadId }) => ({ uploadId: postmanUploadId }),
  ingestPostman: ({ postmanUploadId }) => ({ uploadId: postmanUploadId, importType: 'ALL_APIS' }),
  deletePostmanImportLogs: ({ postmanUploadId }) => ({ uploadId: postmanUploadId }),
  fetchImportReport: ({ recordingUploadId }) => ({ uploadId: recordingUploadId, outcomes: ['TAKEN'] }),
  importInBurp: () => ({ collectionName: 'seeded shop' }),
  explainTemplate: ({ shop, template }) => ({ apiCollectionId: shop, url: template }),
  deMergeApi: ({ shop, template }) => ({ apiCollectionId: shop, url: template, method: 'GET' }),
  mergeApis: ({ shop, template }) => ({ apiCollectionId: shop, template }),
  createCollection: () => ({ collectionName: 'made by conformance' }),
  createCustomCollection: () => ({
    ...operations.createCustomCollection.example.request,
    collectionName: 'group made by conformance',
  }),
  updateCustomCollection: ({ groupId }) => ({
    ...operations.updateCustomCollection.example.request,
    apiCollectionId: groupId,
  }),
  addApisToCustomCollection: ({ shop }) => ({
    collectionName: 'seeded group',
    apiList: [{ apiCollectionId: shop, method: 'GET', url: USER }],
  }),
  removeApisFromCustomCollection: ({ shop }) => ({
    collectionName: 'seeded group',
    apiList: [{ apiCollectionId: shop, method: 'GET', url: USER }],
  }),
  editCollectionName: async (seeded) => ({
    apiCollectionId: await extraCollection(seeded, 'to be renamed'),
    collectionName: 'renamed',
  }),
  deleteCollection: async (seeded) => ({ apiCollectionId: await extraCollection(seeded, 'to be deleted') }),
  deleteMultipleCollections: async (seeded) => ({
    apiCollections: [{ id: await extraCollection(seeded, 'to be deleted too') }],
  }),
  deactivateCollections: async (seeded) => ({
    apiCollections: [{ id: await extraCollection(seeded, 'to be deactivated') }],
  }),
  deleteApis: ({ shop }) => ({ apiList: [{ apiCollectionId: shop, method: 'GET', url: USER }] }),
  deleteApiToken: async ({ admin }) => {
    const made = await admin.call('addApiToken', { tokenUtility: 'CICD' })
    const { apiTokenList } = (await made.json()) as { apiTokenList: { id: number }[] }
    return { apiTokenId: apiTokenList[0]!.id }
  },
  inviteUsers: () => ({ invitations: [{ email: 'grace@example.org', role: 'GUEST' }] }),
  updateUserRole: () => ({ email: 'guest@example.org', role: 'GUEST' }),
  updateUserCollections: async ({ server, shop }) => {
    const team = await ask(server, 'getTeamData')
    const guest = team.users.find(({ login }) => login === 'guest@example.org')!
    return { userCollectionMap: { [guest.id]: [shop] } }
  },
  // Scheduled for a time that no test reaches: nothing is sent.
  startTest: ({ shop }) => ({
    ...operations.startTest.example.request,
    apiInfoKeyList: [{ apiCollectionId: shop, method: 'GET', url: USER }],
    selectedTests: ['BOLA_READ'],
    startTimestamp: 2_000_000_000,
  }),
  dryRunTest: ({ shop }) => ({
    type: 'CUSTOM',
    apiInfoKeyList: [{ apiCollectionId: shop, method: 'GET', url: USER }],
    selectedTests: ['BOLA_READ'],
  }),
  tryTestLogin: async (seeded) => ({ roleName: await extraRole(seeded, 'to be tried'), index: 0 }),
  resetSecondFactor: () => ({ email: 'guest@example.org' }),
  modifyTestingRunConfig: async ({ server, run }) => {
    const page = { searchString: '', sortKey: 'name', sortOrder: 1, skip: 0, limit: -1 }
    const all = { ...page, startTimestamp: 0, endTimestamp: 0, testingRunType: null }
    const { testingRuns } = await ask(server, 'retrieveAllCollectionTests', all)
    const { testIdConfig } = testingRuns!.find(({ hexId }) => hexId === run.runId)!
    return { testingRunConfigId: testIdConfig, editableTestingRunConfig: { maxConcurrentRequests: 20 } }
  },
  deleteTestTemplate: async ({ server }) => {
    const content = OWN_TEST.replaceAll('OWN_ORDER', 'OWN_OTHER')
    await ask(server, 'saveTestEditorFile', { content, originalTestId: '' })
    return { originalTestId: 'OWN_OTHER_TEST' }
  },
  runTestForGivenTemplate: (seeded) => trialOf(seeded),
  fetchTestingRunPlaygroundStatus: async (seeded) => {
    const { testingRunPlaygroundHexId } = await ask(seeded.server, 'runTestForGivenTemplate', trialOf(seeded))
    return { testingRunPlaygroundHexId }
  },
  createTestSuite: () => ({ testSuiteName: 'made by conformance', subCategoryList: ['REPLACE_AUTH_TOKEN'] }),
  addTestRoles: () => ({ roleName: 'made by conformance' }),
  modifyTestSuite: async (seeded) => ({
    testSuiteHexId: await extraSuite(seeded, 'to be changed'),
    testSuiteName: 'changed',
    subCategoryList: ['REPLACE_AUTH_TOKEN'],
  }),
  deleteTestSuite: async (seeded) => ({ testSuiteHexId: await extraSuite(seeded, 'to be deleted') }),
  updateTestRoles: async (seeded) => ({ roleName: await extraRole(seeded, 'to be changed') }),
  deleteTestRole: async (seeded) => ({ roleName: await extraRole(seeded, 'to be deleted') }),
  shareTestRole: async (seeded) => ({
    roleName: await extraRole(seeded, 'to be shared'),
    apiCollectionIds: [seeded.shop],
  }),
  addAuthToRole: async (seeded) => ({
    ...operations.addAuthToRole.example.request,
    roleName: await extraRole(seeded, 'to be given one'),
  }),
  updateAuthInRole: async (seeded) => ({
    ...operations.updateAuthInRole.example.request,
    roleName: await extraRole(seeded, 'to be given another'),
  }),
  deleteAuthFromRole: async (seeded) => ({
    roleName: await extraRole(seeded, 'to be robbed of one'),
    index: 0,
  }),
  deleteSavedView: async ({ server }) => ({
    viewId: (await ask(server, 'saveView', { viewName: 'to be deleted', query: 'tag=a' })).viewId,
  }),
  addCustomWebhook: () => ({
    ...operations.addCustomWebhook.example.request,
    url: 'https://alerts.invalid/conformance',
  }),
  updateCustomWebhook: async (seeded) => ({
    id: await extraWebhook(seeded, 'changed'),
    webhookName: 'other',
  }),
  sendTestAlert: async (seeded) => ({ id: await extraWebhook(seeded, 'tried') }),
  downloadReportPDF: async (seeded) => ({ reportId: await extraReport(seeded) }),
  getReportFilters: async (seeded) => ({ generatedReportId: await extraReport(seeded) }),
  deleteFilterYamlTemplate: async (seeded) => ({ templateId: await extraFilter(seeded, 'Ended') }),
  recordMaliciousEvent: () => {
    const { maliciousEvent } = operations.recordMaliciousEvent.example.request
    return {
      maliciousEvent: { ...(maliciousEvent as object), detectedAt: String(Math.floor(Date.now() / 1000)) },
    }
  },
  removeThreatSuppression: async (seeded) => ({ id: await extraSuppression(seeded, 'ended') }),
  createJiraIssue: (seeded) => exampleWithTrackers(seeded, 'createJiraIssue'),
  bulkCreateJiraTickets: (seeded) => exampleWithTrackers(seeded, 'bulkCreateJiraTickets'),
  restartCrawl: (seeded) => endedCrawl(seeded),
  deleteCrawl: (seeded) => endedCrawl(seeded),
  beginSecondFactor: () => ({ currentPassword: testPassword }),
  updatePassword: () => ({ currentPassword: testPassword, newPassword: testPassword }),
}

/** A body that the operation can answer: its example with what exists in the place of what it names. */
export async function bodyOfOperation(name: OperationName, seeded: Seeded): Promise<Body> {
  const make = suitable[name]
  if (make !== undefined) return make(seeded)
  return placedExample(name, seeded)
}

function placedExample(name: OperationName, { shop, run, crawlId }: Seeded): Body {
  const example = JSON.stringify(operations[name].example.request)
  const placed = example
    .replaceAll(String(EXAMPLE_COLLECTION), String(shop))
    .replaceAll(exampleIds.run, run.runId)
    .replaceAll(exampleIds.summary, run.summaryId)
    .replaceAll(exampleIds.result, run.resultId)
    .replaceAll(exampleCrawlId, crawlId)
  return JSON.parse(placed) as Body
}

/** What others need is taken away last. */
const LATE: readonly OperationName[] = [
  'deleteTestRunsFromSummaries',
  'deleteTestRuns',
  'deMergeApi',
  'mergeApis',
  'pinLiteralApi',
  'redactCollection',
  'deletePostmanImportLogs',
  'removeApisFromCustomCollection',
  'deleteApis',
  'deleteCollection',
  'deleteMultipleCollections',
  'removeUser',
  'updatePassword',
  'logout',
]

/** The order in which a run over all operations finds what each needs. */
export function runOrder(names: readonly OperationName[]): OperationName[] {
  return [...names.filter((name) => !LATE.includes(name)), ...LATE.filter((name) => names.includes(name))]
}

/** What operations answer for a person without two-step sign-in; test/scenarios/second-factor.test.ts has one. */
export const WITHOUT_SECOND_FACTOR: Readonly<Record<string, readonly string[]>> = {
  enableSecondFactor: ['WRONG_CODE', 'SECOND_FACTOR_OFF'],
  disableSecondFactor: ['SECOND_FACTOR_OFF'],
  resetSecondFactor: ['SECOND_FACTOR_OFF'],
}
