/*
 * Records of test runs as the examples of several operations show them.
 */

/** Identifiers as they were made at 2026-01-31 10:15 UTC. */
export const exampleIds = {
  run: '697dd7a4aabbccddeeff0001',
  summary: '697dd7a5aabbccddeeff0002',
  result: '697dd7b8aabbccddeeff0003',
} as const

const runId = { date: '2026-01-31T10:21:24', timestamp: 1769854884 }
const summaryId = { date: '2026-01-31T10:21:25', timestamp: 1769854885 }

export const exampleEndpoint = {
  method: 'GET',
  apiCollectionId: 1679459648,
  url: 'https://shop.test/rest/user',
}

/** An execution that ended. */
export const exampleSummary = {
  hexId: exampleIds.summary,
  id: summaryId,
  testingRunId: runId,
  originalTestingRunResultSummaryId: null,
  testingRunHexId: exampleIds.run,
  state: 'COMPLETED',
  testResultsCount: 40,
  totalApis: 4,
  testInitiatedCount: 10,
  testIdConfig: 123456,
  startTimestamp: 1769854885,
  endTimestamp: 1769854984,
  countIssues: { CRITICAL: 0, HIGH: 1, MEDIUM: 0, LOW: 0 },
  newTestingSummary: true,
  metadata: null,
}

/** A run that ended. */
export const exampleRun = {
  id: runId,
  hexId: exampleIds.run,
  name: 'smoke',
  state: 'COMPLETED',
  userEmail: 'ada@example.org',
  triggeredBy: null,
  scheduleTimestamp: 1769854884,
  pickedUpTimestamp: 1769854885,
  endTimestamp: 1769854984,
  periodInSeconds: 0,
  testRunTime: -1,
  maxConcurrentRequests: -1,
  maxAgentTokens: -1,
  testIdConfig: 123456,
  testingRunConfig: {
    id: 123456,
    testSubCategoryList: ['REPLACE_AUTH_TOKEN'],
    authMechanismId: null,
    testRoleId: null,
    overriddenTestAppUrl: null,
    configsAdvancedSettings: null,
    cleanUp: true,
    writeLevel: 'REVERSIBLE',
    testSuiteIds: [],
    autoTicketingDetails: null,
    collectionWiseApiInfoKey: null,
  },
  newTestRun: true,
  miniTestingServiceName: null,
  allowedMiniTestingServiceNames: null,
  selectedSlackChannelId: 0,
  sendSlackAlert: false,
  sendMsTeamsAlert: false,
  sendPendingTestsWebhookTimestamp: 0,
  doNotMarkIssuesAsFixed: false,
  runAutomatedTests: false,
  dashboardContext: 'API',
  testingEndpoints: { type: 'CUSTOM', operator: 'AND', apisList: [exampleEndpoint] },
}

/** A finding. */
export const exampleResult = {
  id: { date: '2026-01-31T10:21:44', timestamp: 1769854904 },
  hexId: exampleIds.result,
  testRunId: runId,
  testRunHexId: exampleIds.run,
  testRunResultSummaryHexId: exampleIds.summary,
  testRunResultSummaryId: summaryId,
  apiInfoKey: exampleEndpoint,
  testSuperType: 'BOLA',
  testSubType: 'REPLACE_AUTH_TOKEN',
  vulnerable: true,
  confidencePercentage: 100,
  startTimestamp: 1769854903,
  endTimestamp: 1769854904,
  errorsList: [],
  singleTypeInfos: [],
  rerun: false,
  ignoredResult: false,
  issueStatus: 'OPEN' as const,
  issueSeverity: 'HIGH' as const,
  workflowTest: null,
  callbackUuids: null,
  callbackCheckPending: false,
  testLogs: [],
  aiSummaryTraces: null,
  testResults: [
    {
      vulnerable: true,
      confidence: 'HIGH',
      message:
        '{"request":{"url":"https://shop.test/rest/user","method":"GET","type":"HTTP/1.1","queryParams":null,"body":"","headers":"{}"},"response":{"statusCode":200,"body":"{\\"id\\":7}","headers":"{}"}}',
      originalMessage: null,
      errors: [],
      percentageMatch: 97.5,
      requiresConfig: false,
      testInfo: null,
      validationReason: '',
      stepId: null,
      conversationId: null,
      resultTypeAgentic: false,
      externalApiTokens: 0,
    },
  ],
}

/** The fields that are current in every answer about test runs, while nothing runs. */
export const exampleLive = {
  currentTestsStatus: {
    totalTestsCompleted: 0,
    testRunsScheduled: 0,
    testRunsQueued: 0,
    currentRunningTestsStatus: [],
  },
  issuesSummaryInfoMap: { REPLACE_AUTH_TOKEN: 1 },
  cicdTests: [],
  testRunsByUser: true,
}

/** How tests authenticate. */
export const exampleAuthMechanism = {
  type: 'HardCoded',
  authParams: [{ where: 'HEADER', key: 'Authorization', value: 'Bearer example', showHeader: true }],
  uuid: '0b9f5b4e-3d0a-4d0c-9d42-3f1f0c3f8a55',
  cacheExpired: true,
  apiCollectionIds: null,
  id: null,
  requestData: null,
  recordedLoginFlowInput: null,
}
