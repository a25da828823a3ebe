import type { Static } from 'typebox'
import {
  absentable,
  epochSeconds,
  flag,
  hexId,
  integer,
  list,
  mapOf,
  model,
  nullable,
  oneOf,
  openObject,
  text,
} from '../schema.ts'
import { runStates, severities, writeLevels } from '../vocabulary.ts'
import { endpointKey } from './endpoint-key.ts'
import { objectId } from './object-id.ts'

const perSeverity = Object.fromEntries(severities.map((severity) => [severity, integer()])) as Record<
  (typeof severities)[number],
  ReturnType<typeof integer>
>

export const severityCounts = model(
  'SeverityCounts',
  'Numbers of findings that are not ignored, by severity.',
  perSeverity,
)

const skippedCheckReason = model(
  'SkippedCheckReason',
  'Checks (one test on one endpoint each) of an execution that came to no verdict for the same reason.',
  {
    queryMode: text({ description: 'The list of fetchTestingRunResults that they are in.' }),
    error: text({ description: 'Name of the error, as in errorEnums; UNCONFIRMED has none.' }),
    reason: text({
      description:
        'The condition that decided, as a sentence; reasonFilter of fetchTestingRunResults takes it.',
    }),
    checks: integer({ description: 'Number of checks.' }),
    tests: integer({ description: 'Different tests among them.' }),
    endpoints: integer({ description: 'Different endpoints among them.' }),
  },
)

export const testRunSummary = model('TestRunSummary', 'One execution of a test run.', {
  hexId: hexId({ description: 'Identifier of the execution.' }),
  id: objectId,
  testingRunId: objectId,
  originalTestingRunResultSummaryId: nullable(objectId),
  testingRunHexId: hexId({ description: 'The run that was executed.' }),
  state: oneOf(runStates),
  testResultsCount: integer({ description: 'Results stored so far.' }),
  totalApis: integer({ description: 'Endpoints under test; 0 until the execution begins.' }),
  testInitiatedCount: integer({ description: 'Tests selected; 0 until the execution begins.' }),
  testIdConfig: integer({ description: 'Configuration of the run; 0 for none.' }),
  startTimestamp: epochSeconds('When it began or is to begin.'),
  endTimestamp: epochSeconds('When it ended; 0 before.'),
  countIssues: severityCounts,
  countCauses: absentable(
    model(
      'CauseCounts',
      'Different causes of the vulnerable results by their worst severity: a cause at many endpoints counts once.',
      perSeverity,
    ),
  ),
  newTestingSummary: flag({ description: 'Always true once picked up.' }),
  metadata: nullable(
    mapOf(text(), {
      description: 'Facts of the CI job (repository, branch, …), or why it failed under error.',
    }),
  ),
  skippedCheckReasons: absentable(
    list(skippedCheckReason, {
      description:
        'Why checks came to no verdict, the most frequent reason first, 200 at most; only where one execution is asked for.',
    }),
  ),
})

export const autoTicketing = model('AutoTicketing', 'Tickets to make from the findings of a run.', {
  shouldCreateTickets: absentable(nullable(flag({ description: 'Nothing else counts unless true.' }))),
  projectId: absentable(nullable(text({ description: 'Project of the ticket system.' }))),
  severities: absentable(nullable(list(text(), { description: 'Severities that get a ticket.' }))),
  issueType: absentable(nullable(text({ description: 'Kind of ticket.' }))),
})

export const requestChange = model('RequestChange', 'A change to every request of a run.', {
  operatorType: text({
    description:
      'ADD_, MODIFY_ or DELETE_ before HEADER, BODY_PARAM, QUERY_PARAM or URL_PARAM; in any case. Any other is refused.',
  }),
  operationsGroupList: list(
    model('RequestChangeValue', 'What is changed.', {
      key: text({ description: 'Name of the header or parameter.' }),
      value: absentable(nullable(text({ description: 'The new value.' }))),
      urlsList: absentable(nullable(list(text(), { description: 'Only these URLs; none means all.' }))),
      position: absentable(nullable(text({ description: 'Where the parameter stands.' }))),
    }),
  ),
})

const testRunConfig = model('TestRunConfig', 'What a test run executes.', {
  id: integer({ description: 'Identifier, as testIdConfig.' }),
  testSubCategoryList: list(text(), { description: 'Ids of the tests.' }),
  authMechanismId: nullable(objectId),
  testRoleId: nullable(text({ description: 'Role under test.' })),
  overriddenTestAppUrl: nullable(text({ description: 'Scheme and host that requests go to instead.' })),
  configsAdvancedSettings: nullable(list(requestChange)),
  cleanUp: flag({ description: 'What tests write is undone.' }),
  writeLevel: absentable(
    oneOf(writeLevels, { description: 'What the tests may write: nothing, what can be undone, everything.' }),
  ),
  testSuiteIds: list(text(), { description: 'Their tests replace the list at run time.' }),
  autoTicketingDetails: nullable(autoTicketing),
  collectionWiseApiInfoKey: nullable(openObject()),
})

const testingEndpoints = model(
  'TestingEndpoints',
  'What a test run aims at; the fields depend on its type.',
  {
    type: text({ description: 'CUSTOM, COLLECTION_WISE, MULTI_COLLECTION or WORKFLOW.' }),
    operator: text({ description: 'AND.' }),
    apisList: absentable(list(endpointKey, { description: 'CUSTOM: these endpoints.' })),
    apiCollectionId: absentable(integer({ description: 'COLLECTION_WISE: this collection or group.' })),
    apiCollectionIds: absentable(list(integer(), { description: 'MULTI_COLLECTION: these collections.' })),
    workflowTest: absentable(openObject({ description: 'WORKFLOW.' })),
  },
)

export const testRun = model(
  'TestRun',
  'What is tested, when and with which limits. Executions are summaries of it.',
  {
    id: objectId,
    hexId: hexId({ description: 'Identifier, as testingRunHexId takes it.' }),
    name: nullable(text()),
    state: oneOf(runStates),
    userEmail: text({ description: 'Who started it.' }),
    triggeredBy: nullable(text({ description: 'What started it, unless a person did.' })),
    scheduleTimestamp: epochSeconds('When it starts or started.'),
    pickedUpTimestamp: epochSeconds('When its last execution began; -1 before the first.'),
    endTimestamp: epochSeconds('When its last execution ended; -1 before.'),
    periodInSeconds: integer({ description: '0 once, above 0 recurring, -1 continuous.' }),
    scheduleTimeZone: absentable(
      text({ description: 'Time zone in which a repeating run keeps its time of day; absent for none.' }),
    ),
    testRunTime: integer({ description: 'Time budget in seconds; 0 or less for the default.' }),
    maxConcurrentRequests: integer({ description: 'Parallel requests; 0 or less for the default.' }),
    maxAgentTokens: integer({ description: 'Always -1.' }),
    testIdConfig: integer({ description: 'Its configuration; 0 for none.' }),
    testingRunConfig: nullable(testRunConfig),
    newTestRun: flag(),
    miniTestingServiceName: nullable(
      text({ description: 'Executor that took the run; null for the built-in one.' }),
    ),
    allowedMiniTestingServiceNames: nullable(
      list(text(), { description: 'Only these executors may take it.' }),
    ),
    selectedSlackChannelId: integer({ description: 'Chat webhook for the result; 0 for the first.' }),
    sendSlackAlert: flag(),
    sendMsTeamsAlert: flag(),
    sendPendingTestsWebhookTimestamp: epochSeconds(),
    doNotMarkIssuesAsFixed: flag({ description: 'A passing test leaves open issues open.' }),
    runAutomatedTests: flag(),
    dashboardContext: text({ description: 'API.' }),
    testingEndpoints,
  },
)

const runProgress = model('RunProgress', 'Progress of one run.', {
  testingRunId: hexId({ description: 'The run.' }),
  testsInitiated: integer({ description: 'Tests to run: tests selected × endpoints.' }),
  testsInsertedInDb: integer({ description: 'Results stored.' }),
})

const progressFields = {
  totalTestsCompleted: integer({ description: 'Results of executions that run, begun within 12 hours.' }),
  testRunsScheduled: integer({ description: 'Tests of these executions, whatever the name says.' }),
  testRunsQueued: integer({ description: 'Runs that wait, future and recurring ones included.' }),
  currentRunningTestsStatus: list(runProgress, { description: 'One entry per run; empty when idle.' }),
}

export const currentTestsStatus = model(
  'CurrentTestsStatus',
  'What the test engine does at this moment.',
  progressFields,
)

/** The answer of fetchActiveTestRunsStatus: the same twice, for readers of either form. */
export const activeTestRunsStatus = model(
  'ActiveTestRunsStatus',
  'What the test engine does at this moment; the same again under currentTestsStatus.',
  { ...progressFields, currentTestsStatus },
)

export type TestRunSummary = Static<typeof testRunSummary>
export type TestRun = Static<typeof testRun>
export type CurrentTestsStatus = Static<typeof currentTestsStatus>
export type SeverityCounts = Static<typeof severityCounts>
