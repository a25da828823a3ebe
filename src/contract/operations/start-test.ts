import { runConcurrency, runSeconds } from '../limits.ts'
import { operation, wide } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { autoTicketing, requestChange } from '../records/test-run.ts'
import { liveFields, testRunObject } from '../records/test-run-object.ts'
import { optional, required } from '../request-field.ts'
import { either, epochSeconds, flag, hexId, integer, list, mapOf, oneOf, text } from '../schema.ts'
import { offeredRunTargets, runSources, writeLevels } from '../vocabulary.ts'
import { exampleEndpoint, exampleIds, exampleLive, exampleRun, exampleSummary } from './test-run-examples.ts'

const exempt = { whenPresent: 'testingRunHexId' } as const

const marked = {
  type: required(
    text(),
    `${offeredRunTargets.join(', ')}: apiInfoKeyList, apiCollectionId or apiCollectionIds is read. WORKFLOW is known and always refused.`,
    { exempt },
  ),
  selectedTests: required(
    list(text()),
    'Ids of the tests; unknown ones are dropped. On a re-run: these tests for this execution only.',
    { default: null, exempt },
  ),
  source: required(
    oneOf(runSources),
    'ASSISTANT (or AKTO_GPT): selectedTests names categories, all tests of which are meant.',
    { default: 'TESTING_UI', exempt },
  ),
  testName: required(text(), 'Name to show; need not be unique.', { default: '', exempt }),
  startTimestamp: required(
    epochSeconds(),
    '0 for now; up to a day in the past means now; else when it starts.',
    {
      default: 0,
      exempt,
    },
  ),
  recurringDaily: required(flag(), 'Repeats every 86400 seconds.', { default: false, exempt }),
  recurringWeekly: required(flag(), 'Repeats every 604800 seconds, unless daily.', {
    default: false,
    exempt,
  }),
  recurringMonthly: required(flag(), 'Repeats every 2592000 seconds, unless daily or weekly.', {
    default: false,
    exempt,
  }),
  continuousTesting: required(flag(), 'Tests each new endpoint; wins over the recurrences.', {
    default: false,
    exempt,
  }),
  testRunTime: required(
    integer(),
    `Time budget of an execution in seconds, at most ${runSeconds.most}; 0 or less means ${runSeconds.byDefault}.`,
    { default: -1, exempt },
  ),
  maxConcurrentRequests: required(
    integer(),
    `Parallel requests; 0 or less means ${runConcurrency.byDefault}, above ${runConcurrency.most} means ${runConcurrency.most}.`,
    { default: -1, exempt },
  ),
  overriddenTestAppUrl: required(text(), 'Scheme and host that requests go to instead; empty for none.', {
    default: '',
    exempt,
  }),
  testRoleId: required(text(), 'Identifier or name of the role under test; empty for none.', {
    default: '',
    exempt,
  }),
  cleanUpTestingResources: required(
    flag(),
    'Undo what the tests write: delete what they create, restore what they change.',
    { default: true, exempt },
  ),
  autoTicketingDetails: required(
    either(text({ description: 'JSON text of the object, or empty.' }), autoTicketing),
    'Tickets to make from the findings.',
    { default: null, exempt },
  ),
  sendSlackAlert: required(flag(), 'Send the result to a chat webhook.', { default: false, exempt }),
  sendMsTeamsAlert: required(flag(), 'Send the result to Microsoft Teams.', { default: false, exempt }),
}

const accepted = {
  apiInfoKeyList: optional(list(endpointKey, { maxItems: 100_000 }), 'CUSTOM: the endpoints to test.'),
  apiCollectionId: optional(integer(), 'COLLECTION_WISE: one collection or group.', { default: 0 }),
  apiCollectionIds: optional(list(integer()), 'MULTI_COLLECTION: the collections.'),
  workflowTestId: optional(integer(), 'WORKFLOW: not offered; always refused.', { default: 0 }),
  testSuiteIds: optional(list(hexId()), 'Test suites whose tests replace selectedTests at run time.', {
    default: [],
  }),
  selectedSlackWebhook: optional(
    integer(),
    'Chat webhook by the id of fetchSlackWebhooks; 0 for the first.',
    {
      default: 0,
    },
  ),
  selectedMiniTestingServiceNames: optional(
    list(text()),
    'Only these executors may take the run; none means any, the built-in one included.',
  ),
  testConfigsAdvancedSettings: optional(list(requestChange), 'Changes to every request of the run.'),
  doNotMarkIssuesAsFixed: optional(flag(), 'A passing test leaves open issues open.', { default: false }),
  triggeredBy: optional(text(), 'What started the run; "test_editor" hides it from lists.'),
  metadata: optional(mapOf(text()), 'Facts of a CI job; makes the run CI_CD. Read only with a key.'),
  maxAgentTokens: optional(integer(), 'Accepted and ignored.', { default: -1 }),
  scheduleTimeZone: optional(
    text(),
    'IANA name of a time zone, such as Europe/Berlin: a repeating run keeps its time of day there, and a monthly one its day of the month. Empty: repeats after a fixed number of seconds.',
    { default: '' },
  ),
  writeLevel: optional(
    oneOf(writeLevels),
    'What the tests may write: READ_ONLY nothing, REVERSIBLE what Vigil can undo, ALL everything. Without it REVERSIBLE, or ALL where cleanUpTestingResources is false.',
  ),
  runAutomatedTests: optional(flag(), 'Accepted and ignored.', { default: false }),
  testingRunHexId: optional(text(), 'A run to run again; then no other field is needed.'),
  testingRunResultSummaryHexId: optional(text(), 'Re-run of selected results: their execution.'),
  selectedTestRunResultHexIds: optional(list(text()), 'Re-run of selected results: the results.'),
}

/** The start of a test run, and its repetition. */
export const startTest = operation({
  summary: 'Starts or schedules a test run, or runs one again',
  description:
    'Creates a run and its first execution, both SCHEDULED, and answers their identifiers; testingRuns holds the run, testRunsQueued counts it, startTimestamp is 0. Two identical calls make two runs. With testingRunHexId the run is scheduled again; with selectedTestRunResultHexIds too, only these pairs of test and endpoint are executed and their results replaced; with metadata too, only a new execution is made. Callers restricted to some collections run a run of somebody else again as it is, without other tests or another target. A run without any authentication starts, and tests that need a token end with NO_AUTH_MECHANISM.',
  inSpecification: true,
  specified: 'full',
  request: { ...marked, ...accepted },
  answer: wide(testRunObject, [
    'testingRunHexId',
    'testingRunResultSummaryHexId',
    'testingRuns',
    'testingRunsCount',
    'latestTestingRunResultSummaries',
    'authMechanism',
    'startTimestamp',
    ...liveFields,
  ]),
  role: 'MEMBER',
  access: 'write',
  keyKinds: ['CICD'],
  errors: [
    'INVALID_RUN_TARGET',
    'NO_APIS_GIVEN',
    'NO_SUCH_COLLECTION',
    'NO_COLLECTIONS_GIVEN',
    'WORKFLOW_NOT_FOUND',
    'NO_TEST_SELECTED',
    'RUN_TIME_TOO_LONG',
    'PAST_SCHEDULE',
    'INVALID_OVERRIDE_URL',
    'TEST_ROLE_NOT_FOUND',
    'TICKET_PROJECT_REQUIRED',
    'TICKET_PROJECT_INVALID',
    'TRACKER_MISSING',
    'TICKET_SEVERITIES_EMPTY',
    'TICKET_SEVERITIES_INVALID',
    'INVALID_TEST_RUN_ID',
    'RUN_OF_ANOTHER',
    'INVALID_TEST_SUMMARY_ID',
    'TEST_RUN_IN_PROGRESS',
  ],
  idempotent: false,
  example: {
    request: {
      type: 'CUSTOM',
      apiInfoKeyList: [exampleEndpoint],
      selectedTests: ['REPLACE_AUTH_TOKEN'],
      testName: 'smoke',
      source: 'TESTING_UI',
      startTimestamp: 0,
      testRunTime: -1,
      maxConcurrentRequests: -1,
      recurringDaily: false,
      recurringWeekly: false,
      recurringMonthly: false,
      continuousTesting: false,
      sendSlackAlert: false,
      sendMsTeamsAlert: false,
      cleanUpTestingResources: false,
      overriddenTestAppUrl: '',
      testRoleId: '',
      autoTicketingDetails: '',
    },
    response: {
      ...exampleLive,
      testingRunHexId: exampleIds.run,
      testingRunResultSummaryHexId: exampleIds.summary,
      testingRuns: [{ ...exampleRun, state: 'SCHEDULED', pickedUpTimestamp: -1, endTimestamp: -1 }],
      testingRunsCount: 1,
      latestTestingRunResultSummaries: {
        [exampleIds.summary]: {
          ...exampleSummary,
          state: 'SCHEDULED',
          testResultsCount: 0,
          totalApis: 0,
          testInitiatedCount: 0,
          endTimestamp: 0,
          countIssues: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 },
          newTestingSummary: false,
        },
      },
      authMechanism: null,
      startTimestamp: 0,
      currentTestsStatus: { ...exampleLive.currentTestsStatus, testRunsQueued: 1 },
    },
  },
})
