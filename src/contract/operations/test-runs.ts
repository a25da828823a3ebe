import { pageLimits } from '../limits.ts'
import { group, operation, root, wide } from '../operation.ts'
import { tokenObject } from '../records/api-token.ts'
import { authMechanismObject } from '../records/auth-mechanism.ts'
import { testRoleObject } from '../records/test-role.ts'
import { activeTestRunsStatus } from '../records/test-run.ts'
import { filterMap, liveFields, testRunObject } from '../records/test-run-object.ts'
import { knownWord, optional, pageSize, required } from '../request-field.ts'
import { epochSeconds, flag, integer, oneOf, text } from '../schema.ts'
import { resultModes, runSortKeys, runTypes } from '../vocabulary.ts'
import { dryRunTest } from './dry-run.ts'
import { startTest } from './start-test.ts'
import {
  exampleAuthMechanism,
  exampleIds,
  exampleLive,
  exampleResult,
  exampleRun,
  exampleSummary,
} from './test-run-examples.ts'

const shared = { inSpecification: true, role: 'GUEST', access: 'read', errors: [], idempotent: true } as const

const { testResults, testRuns } = pageLimits

/** -1 is all; other negative numbers lose their sign, and 0 is the default. */
function runPageSize(sent: unknown): unknown {
  if (typeof sent !== 'number' || sent === -1) return sent
  return pageSize(testRuns)(Math.abs(sent))
}

/** Test runs by their wire names. */
export const testRunOperations = group('test-runs', {
  startTest,
  dryRunTest,

  stopTest: operation({
    summary: 'Stops a test run',
    description:
      'The run and its executions that wait or run become STOPPED, within 5 seconds; results so far stay. A run that ended is left as it is. A stopped recurring run does not restart automatically.',
    inSpecification: true,
    specified: 'full',
    request: {
      testingRunHexId: required(text(), 'The run.', { default: null }),
    },
    answer: wide(testRunObject, liveFields),
    role: 'MEMBER',
    access: 'write',
    errors: ['STOP_FAILED'],
    idempotent: true,
    example: { request: { testingRunHexId: exampleIds.run }, response: exampleLive },
  }),

  fetchTestingRunResults: operation({
    ...shared,
    summary: 'Pages through the results of one execution',
    description: `Results of the selection queryMode: VULNERABLE (found, whatever became of the issue), SECURED (tested and passed), SKIPPED_EXEC and SKIPPED_EXEC_NO_ACTION (not run), SKIPPED_EXEC_API_REQUEST_FAILED, SKIPPED_EXEC_NEED_CONFIG, IGNORED_ISSUES (found, and the issue is ignored or fixed now) or ALL. Values of one filter are alternatives, the filters must all fit. Sorted by severity or time; ties and other keys: newest first. testResults holds the last attempt with a shortened message; fetchTestRunResultDetails has all. errorEnums is filled for the SKIPPED selections, the two maps for VULNERABLE and IGNORED_ISSUES. An unknown execution has no results. Limits of 0 or less mean ${testResults.byDefault}, the most is ${testResults.most}; a negative skip is 0.`,
    specified: 'partial',
    note: 'The item of testingRunResults is not shown there.',
    request: {
      testingRunResultSummaryHexId: required(text(), 'The execution.'),
      queryMode: required(
        text(),
        `${resultModes.join(', ')}. Null: ALL, or VULNERABLE with fetchOnlyVulnerable.`,
        {
          default: null,
        },
      ),
      sortKey: required(text(), 'severity or time; any other: newest first.', { default: null }),
      sortOrder: required(integer(), '1 ascending, else descending.', { default: -1 }),
      limit: required(integer(), 'Results per page.', {
        default: testResults.byDefault,
        applied: pageSize(testResults),
      }),
      skip: required(integer(), 'Results to leave out.', { default: 0 }),
      queryValue: required(
        text(),
        'Matched against url and method, and against id, name, category, CWE, OWASP id and synonyms of the test (IDOR finds BOLA), ignoring case. Empty for all.',
        { default: '' },
      ),
      reportFilterList: optional(
        filterMap,
        'method, apiCollectionId or collectionIds, categoryFilter, severityStatus, testFilter, apiNameFilter, responseCodeFilter, reasonFilter (a reason of skippedCheckReasons).',
      ),
      fetchOnlyVulnerable: optional(flag(), 'Only findings when queryMode is null.', { default: false }),
    },
    answer: wide(testRunObject, [
      'testingRunResults',
      'errorEnums',
      'issuesDescriptionMap',
      'jiraIssuesMapForResults',
      ...liveFields,
    ]),
    keyKinds: ['CICD'],
    errors: ['INVALID_TEST_SUMMARY_ID', 'INVALID_QUERY_MODE'],
    example: {
      request: {
        testingRunResultSummaryHexId: exampleIds.summary,
        queryMode: 'VULNERABLE',
        sortKey: 'severity',
        sortOrder: -1,
        limit: 50,
        skip: 0,
        queryValue: '',
      },
      response: {
        ...exampleLive,
        testingRunResults: [exampleResult],
        errorEnums: {},
        issuesDescriptionMap: { [exampleIds.result]: 'Reported to the shop team.' },
        jiraIssuesMapForResults: {},
      },
    },
  }),

  fetchActiveTestRunsStatus: operation({
    ...shared,
    summary: 'Tells what the test engine does at this moment',
    description:
      'Counts over the executions that run and began within 12 hours; testRunsQueued counts the runs that wait. The same object stands again under currentTestsStatus. Cheap enough to poll.',
    specified: 'full',
    request: {},
    answer: root(activeTestRunsStatus),
    example: {
      request: {},
      response: {
        totalTestsCompleted: 12,
        testRunsScheduled: 40,
        testRunsQueued: 1,
        currentRunningTestsStatus: [
          { testingRunId: exampleIds.run, testsInitiated: 40, testsInsertedInDb: 12 },
        ],
        currentTestsStatus: {
          totalTestsCompleted: 12,
          testRunsScheduled: 40,
          testRunsQueued: 1,
          currentRunningTestsStatus: [
            { testingRunId: exampleIds.run, testsInitiated: 40, testsInsertedInDb: 12 },
          ],
        },
      },
    },
  }),

  retrieveAllCollectionTests: operation({
    ...shared,
    summary: 'Pages through the test runs with the latest execution of each',
    description: `Runs scheduled between the two times, both included; 0 or less as end means no end, so that future runs are listed. Runs of the test editor and of collections hidden from the caller are left out. testingRunsCount counts all that fit; latestTestingRunResultSummaries has the latest execution of each listed run under the identifier of the execution, join it by testingRunHexId. A limit of -1 means all, 0 means ${testRuns.byDefault}, other negative limits and skips lose their sign, the most is ${testRuns.most}.`,
    specified: 'partial',
    note: 'Most fields of the testing run item are not shown there.',
    request: {
      searchString: required(
        text(),
        'Found in the name without regard to case; below 3 characters ignored.',
        {
          default: '',
        },
      ),
      sortKey: required(
        oneOf(runSortKeys),
        'Field to sort by; any other word means the first, for which CI_CD runs take endTimestamp.',
        { default: 'scheduleTimestamp', applied: knownWord(runSortKeys, 'scheduleTimestamp') },
      ),
      sortOrder: required(integer(), '1 ascending, else descending.', { default: -1 }),
      limit: required(integer(), 'Runs per page; -1 for all.', {
        default: testRuns.byDefault,
        applied: runPageSize,
      }),
      skip: required(integer(), 'Runs to leave out.', { default: 0 }),
      startTimestamp: required(epochSeconds(), 'Earliest schedule time.', { default: 0 }),
      endTimestamp: required(epochSeconds(), 'Latest schedule time; 0 for no end.', { default: 0 }),
      testingRunType: required(oneOf([...runTypes, '']), 'Only runs of this type; empty for all.', {
        default: null,
      }),
      filters: optional(
        filterMap,
        'severity: runs with such a finding; apiCollectionId: runs that aim at one of these collections.',
      ),
    },
    answer: wide(testRunObject, [
      'testingRuns',
      'testingRunsCount',
      'latestTestingRunResultSummaries',
      'authMechanism',
      ...liveFields,
    ]),
    keyKinds: ['CICD'],
    example: {
      request: {
        searchString: '',
        sortKey: 'scheduleTimestamp',
        sortOrder: -1,
        limit: 50,
        skip: 0,
        startTimestamp: 0,
        endTimestamp: 1769860000,
        testingRunType: 'ONE_TIME',
        filters: null,
      },
      response: {
        ...exampleLive,
        testingRuns: [exampleRun],
        testingRunsCount: 1,
        latestTestingRunResultSummaries: { [exampleIds.summary]: exampleSummary },
        authMechanism: exampleAuthMechanism,
      },
    },
  }),

  fetchMiniTestingServiceNames: operation({
    ...shared,
    summary: 'Lists the outside executors of tests',
    description:
      'Names of executors that answered within 20 minutes, sorted. The built-in executor is not listed.',
    specified: 'full',
    request: {},
    answer: wide(testRunObject, ['miniTestingServiceNames', ...liveFields]),
    example: {
      request: {},
      response: { ...exampleLive, miniTestingServiceNames: ['staging-executor'] },
    },
  }),

  fetchTestRoles: operation({
    ...shared,
    summary: 'Lists the test roles',
    description:
      'All roles, the role of the system first, then by name. Roles with scopeRoles are shown to administrators and to users with one of these roles; to callers restricted to some collections those that they made, and those shared with one of their collections (apiCollectionIds). Secrets of credentials are masked for everybody.',
    specified: 'open',
    note: 'The fields of the answer are not shown there.',
    request: {},
    answer: wide(testRoleObject, ['testRoles']),
    example: {
      request: {},
      response: {
        testRoles: [
          {
            id: { date: '2026-01-31T10:06:40', timestamp: 1769854000 },
            hexId: '697dd430aabbccddeeff0004',
            name: 'MEMBER',
            endpointLogicalGroupId: { date: '2026-01-31T10:06:40', timestamp: 1769854000 },
            authWithCondList: [
              {
                authMechanism: exampleAuthMechanism,
                headerKVPairs: {},
                urlRegex: null,
                recordedLoginFlowInput: null,
              },
            ],
            endpointLogicalGroup: {
              id: { date: '2026-01-31T10:06:40', timestamp: 1769854000 },
              groupName: 'MEMBER_endpoint-logical-group',
              createdBy: 'ada@example.org',
              createdTs: 1769854000,
              updatedTs: 1769854000,
              testingEndpoints: {
                type: 'LOGICAL_GROUP',
                operator: 'AND',
                andConditions: null,
                orConditions: {
                  operator: 'OR',
                  predicates: [{ type: 'CONTAINS', value: '/api/user/' }],
                },
              },
            },
            createdBy: 'ada@example.org',
            createdTs: 1769854000,
            lastUpdatedTs: 1769854000,
            lastUpdatedBy: 'ada@example.org',
            apiCollectionIds: null,
            scopeRoles: null,
          },
        ],
      },
    },
  }),

  fetchAuthMechanismData: operation({
    ...shared,
    summary: 'Tells how tests authenticate',
    description:
      'The default authentication of the role of the system, or null when there is none, or it is not shared with the caller. Secrets are masked for everybody.',
    specified: 'full',
    request: {},
    answer: wide(authMechanismObject, ['authMechanism']),
    example: { request: {}, response: { authMechanism: exampleAuthMechanism } },
  }),

  fetchSlackWebhooks: operation({
    ...shared,
    summary: 'Lists the chat webhooks',
    description:
      'apiTokenList has every webhook: name, its URL as key, and the id that selectedSlackWebhook takes. The other fields describe the first one, or hold their fillers. URLs are masked. Callers restricted to some collections see those that they added.',
    specified: 'partial',
    note: 'One record is shown there; apiTokenList is added.',
    request: {},
    answer: wide(tokenObject, [
      'apiTokenId',
      'webhookName',
      'webhookUrl',
      'tokenUtility',
      'frequencyInSeconds',
      'apiTokenList',
    ]),
    example: {
      request: {},
      response: {
        apiTokenId: 1769854500,
        webhookName: 'security',
        webhookUrl: 'https://chat.example/hooks/example',
        tokenUtility: 'SLACK',
        frequencyInSeconds: 86400,
        apiTokenList: [
          {
            id: 1769854500,
            accountId: 1000000,
            name: 'security',
            key: 'https://chat.example/hooks/example',
            timestamp: 1769854500,
            username: 'ada@example.org',
            utility: 'SLACK',
            lastUsedTs: 0,
            expiresTs: 0,
          },
        ],
      },
    },
  }),
})
