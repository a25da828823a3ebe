import { pageLimits, runConcurrency, runSeconds } from '../limits.ts'
import { group, operation, root, wide } from '../operation.ts'
import { sentIssueId } from '../records/issue.ts'
import { autoTicketing, requestChange } from '../records/test-run.ts'
import { liveFields, testRunObject } from '../records/test-run-object.ts'
import { optional, pageSize, required } from '../request-field.ts'
import {
  absentable,
  either,
  epochSeconds,
  flag,
  integer,
  list,
  model,
  nullable,
  oneOf,
  text,
} from '../schema.ts'
import { writeLevels } from '../vocabulary.ts'
import { exampleIssueId } from './issue-examples.ts'
import { exampleIds, exampleLive, exampleRun } from './test-run-examples.ts'

const change = {
  inSpecification: false,
  specified: 'full',
  role: 'MEMBER',
  access: 'write',
  idempotent: true,
} as const
const read = { ...change, role: 'GUEST', access: 'read' } as const

/** What of a run can be changed after it was made. A field that is absent or null stays as it is. */
const editable = model('EditableTestRunConfig', 'What of a test run can be changed; absent fields stay.', {
  testingRunHexId: absentable(
    nullable(text({ description: 'The run; needed to change more than its tests.' })),
  ),
  testSubCategoryList: absentable(nullable(list(text(), { description: 'Ids of the tests.' }))),
  testSuiteIds: absentable(nullable(list(text(), { description: 'Test suites.' }))),
  testRoleId: absentable(nullable(text({ description: 'Identifier or name of the role; empty for none.' }))),
  overriddenTestAppUrl: absentable(nullable(text({ description: 'Other target; empty for none.' }))),
  configsAdvancedSettings: absentable(nullable(list(requestChange))),
  cleanUp: absentable(nullable(flag())),
  writeLevel: absentable(nullable(oneOf(writeLevels))),
  autoTicketingDetails: absentable(nullable(either(text(), autoTicketing))),
  testRunTime: absentable(
    nullable(integer({ description: `1 to ${runSeconds.most}; below for the default.` })),
  ),
  maxConcurrentRequests: absentable(
    nullable(integer({ description: `1 to ${runConcurrency.most}; below for the default.` })),
  ),
  sendSlackAlert: absentable(nullable(flag())),
  sendMsTeamsAlert: absentable(nullable(flag())),
  selectedSlackWebhook: absentable(nullable(integer())),
  doNotMarkIssuesAsFixed: absentable(nullable(flag())),
  scheduleTimestamp: absentable(nullable(epochSeconds('When the run starts next; 0 leaves it.'))),
  scheduleTimeZone: absentable(
    nullable(text({ description: 'IANA name of the time zone in which it repeats; empty for none.' })),
  ),
  recurringDaily: absentable(nullable(flag())),
  recurringWeekly: absentable(nullable(flag())),
  recurringMonthly: absentable(nullable(flag())),
  continuousTesting: absentable(nullable(flag())),
})

/** A process that works beside this one. */
const moduleInfo = model(
  'ModuleInfo',
  'A process that works beside this one, such as an executor of tests.',
  {
    id: text({ minLength: 1, maxLength: 200, description: 'The identifier it chose.' }),
    moduleType: text({ minLength: 1, maxLength: 100, description: 'What it is, for example MINI_TESTING.' }),
    name: text({ minLength: 1, maxLength: 200, description: 'Name to show.' }),
    currentVersion: absentable(nullable(text({ maxLength: 100 }))),
    startedTs: epochSeconds('When it started.'),
    lastHeartbeatReceived: absentable(epochSeconds('Its last heartbeat, by the server clock.')),
  },
)
const moduleFilter = model('ModuleFilter', 'Which processes beside this one are listed.', {
  moduleType: absentable(nullable(text())),
  id: absentable(nullable(text())),
  lastHeartbeatReceived: absentable(
    nullable(
      model('ModuleHeardSince', 'When a process was heard last.', {
        $gte: absentable(nullable(epochSeconds('Not before this moment.'))),
      }),
    ),
  ),
})
const exampleModule = {
  id: 'executor-1',
  moduleType: 'MINI_TESTING',
  name: 'executor in the test network',
  currentVersion: '1.0.0',
  startedTs: 1769854000,
  lastHeartbeatReceived: 1769854500,
}

const logLine = model('TestRunLog', 'A line of the log of a run.', {
  timestamp: epochSeconds(),
  log: text({ description: 'What was sent where, and what came back.' }),
  testId: nullable(text({ description: 'Id of the test; null for what serves the whole run.' })),
  testingRunResultSummaryHexId: nullable(text({ description: 'The execution.' })),
})

/** Changes of runs and what is asked about them, by wire names. */
export const testRunControlOperations = group('test-runs', {
  stopAllTests: operation({
    ...change,
    summary: 'Stops every test run that waits or runs',
    description:
      'As stopTest, for all runs whose collections the caller may see. testRunIds holds those that were stopped.',
    request: {},
    answer: wide(testRunObject, ['testRunIds', ...liveFields]),
    keyKinds: ['CICD'],
    errors: [],
    example: { request: {}, response: { ...exampleLive, testRunIds: [exampleIds.run] } },
  }),

  retestIssues: operation({
    ...change,
    summary: 'Starts a run on exactly the tests and endpoints of issues',
    description:
      'One run with one execution, at once. Each issue is tested again by its own test on its own endpoint and nothing else is; what passes becomes FIXED unless the issue is ignored. Issues that do not exist or are hidden are passed over; when none is left the call is refused.',
    request: { issueIdArray: required(list(sentIssueId, { minItems: 1, maxItems: 1000 }), 'The issues.') },
    answer: wide(testRunObject, [
      'testingRunHexId',
      'testingRunResultSummaryHexId',
      'testingRuns',
      ...liveFields,
    ]),
    errors: ['ISSUE_NOT_FOUND'],
    idempotent: false,
    example: {
      request: { issueIdArray: [exampleIssueId] },
      response: {
        ...exampleLive,
        testingRunHexId: exampleIds.run,
        testingRunResultSummaryHexId: exampleIds.summary,
        testingRuns: [{ ...exampleRun, state: 'SCHEDULED', pickedUpTimestamp: -1, endTimestamp: -1 }],
      },
    },
  }),

  modifyTestingRunConfig: operation({
    ...change,
    summary: 'Changes what a test run executes, when, and with which limits',
    description:
      'testingRunConfigId is the testIdConfig of the run. Fields that are absent or null stay as they are; a running execution continues as it started. Callers restricted to some collections change the runs that they started. The answer holds the run.',
    request: {
      testingRunConfigId: required(integer(), 'The configuration.'),
      editableTestingRunConfig: required(editable, 'What is to change.'),
    },
    answer: wide(testRunObject, ['testingRun', ...liveFields]),
    errors: [
      'INVALID_TEST_RUN_ID',
      'RUN_CONFIG_NOT_FOUND',
      'RUN_OF_ANOTHER',
      'RUN_TIME_TOO_LONG',
      'RUN_CONCURRENCY_TOO_HIGH',
      'NO_TEST_SELECTED',
      'INVALID_OVERRIDE_URL',
      'TEST_ROLE_NOT_FOUND',
      'TICKET_PROJECT_REQUIRED',
      'TICKET_PROJECT_INVALID',
      'TRACKER_MISSING',
      'TICKET_SEVERITIES_EMPTY',
      'TICKET_SEVERITIES_INVALID',
    ],
    example: {
      request: {
        testingRunConfigId: 123456,
        editableTestingRunConfig: { testSubCategoryList: ['REPLACE_AUTH_TOKEN'], maxConcurrentRequests: 20 },
      },
      response: { ...exampleLive, testingRun: { ...exampleRun, maxConcurrentRequests: 20 } },
    },
  }),

  updateModuleInfo: operation({
    ...change,
    summary: 'Tells that a process beside this one is alive',
    description:
      'A heartbeat: the module is added or renewed, and lastHeartbeatReceived becomes the time of the call. One of type MINI_TESTING is listed by fetchMiniTestingServiceNames for 20 minutes.',
    request: { moduleInfo: required(moduleInfo, 'The process.') },
    answer: root(model('UpdatedModule', 'The module as it is kept.', { moduleInfo })),
    errors: ['MODULE_OF_ANOTHER'],
    example: { request: { moduleInfo: exampleModule }, response: { moduleInfo: exampleModule } },
  }),

  fetchModuleInfo: operation({
    ...read,
    summary: 'Lists the processes that work beside this one',
    description: 'By name, with the last heartbeat of each; at most 1000, the most recent ones.',
    request: {
      moduleType: optional(text(), 'Only of this type.'),
      filter: optional(moduleFilter, 'Only those that fit all of it.'),
    },
    answer: root(
      model('Modules', 'Processes beside this one.', {
        moduleInfos: list(moduleInfo),
        allowedEnvFields: list(text(), {
          description: 'Settings of modules that can be changed from here: none, they are not collected.',
        }),
      }),
    ),
    errors: [],
    example: { request: {}, response: { moduleInfos: [exampleModule], allowedEnvFields: [] } },
  }),

  fetchTestRunLogs: operation({
    ...read,
    summary: 'Pages through what a test run sent and what went wrong',
    description:
      'One line for every request of the run and for every problem that kept a role of it from acting, the oldest first, of one execution when it is named. Limits of 0 or less mean 200, the most is 1000. Headers and bodies are in no line.',
    request: {
      testingRunHexId: required(text(), 'The run.'),
      testingRunResultSummaryHexId: optional(text(), 'Only this execution.'),
      logFetchStartTime: optional(epochSeconds(), 'From this moment on.', { default: 0 }),
      logFetchEndTime: optional(epochSeconds(), 'Until this moment; 0 for no end.', { default: 0 }),
      skip: optional(integer(), 'Lines to leave out.', { default: 0 }),
      limit: optional(integer(), 'Lines per page.', {
        default: pageLimits.testRunLogs.byDefault,
        applied: pageSize(pageLimits.testRunLogs),
      }),
    },
    answer: root(model('TestRunLogs', 'Lines of the log of a run.', { testRunLogs: list(logLine) })),
    errors: ['INVALID_TEST_RUN_ID', 'INVALID_TEST_SUMMARY_ID'],
    example: {
      request: { testingRunHexId: exampleIds.run },
      response: {
        testRunLogs: [
          {
            timestamp: 1769854885,
            log: 'GET https://shop.test/rest/user answered 200 in 12 ms',
            testId: 'REPLACE_AUTH_TOKEN',
            testingRunResultSummaryHexId: exampleIds.summary,
          },
        ],
      },
    },
  }),

  fetchMetadataFilters: operation({
    ...read,
    summary: 'Lists what CI jobs told of their runs, to filter by',
    description:
      'Each fact, such as repository or branch, with its values over all executions, at most 1000 each.',
    request: {},
    answer: wide(testRunObject, ['metadataFilters', ...liveFields]),
    errors: [],
    example: {
      request: {},
      response: { ...exampleLive, metadataFilters: { branch: ['main'], repository: ['shop'] } },
    },
  }),

  handleRefreshTableCount: operation({
    ...change,
    summary: 'Counts the findings of an execution afresh',
    description:
      'For a list that shows other numbers than its results. The counts of fetchTestingRunResultSummaries follow.',
    request: { testingRunResultSummaryHexId: required(text(), 'The execution.') },
    answer: wide(testRunObject, ['testingRunResultSummaryHexId', ...liveFields]),
    errors: ['INVALID_TEST_SUMMARY_ID'],
    example: {
      request: { testingRunResultSummaryHexId: exampleIds.summary },
      response: { ...exampleLive, testingRunResultSummaryHexId: exampleIds.summary },
    },
  }),

  fetchTestingRunsRanges: operation({
    ...read,
    summary: 'Counts the test runs of each week',
    description:
      'allTestsCountsRanges: the first second of a week (Monday, UTC) to the runs scheduled in it; weeks without a run are left out. Only the 520 latest weeks.',
    request: {
      startTimestamp: optional(epochSeconds(), 'Earliest schedule.', { default: 0 }),
      endTimestamp: optional(epochSeconds(), 'Latest schedule; 0 for no end.', { default: 0 }),
    },
    answer: wide(testRunObject, ['allTestsCountsRanges', ...liveFields]),
    errors: [],
    example: {
      request: {},
      response: { ...exampleLive, allTestsCountsRanges: { '1769385600': 4 } },
    },
  }),
})
