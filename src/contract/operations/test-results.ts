import { group, operation, root, wide } from '../operation.ts'
import { testResultCounts } from '../records/test-result.ts'
import { testRunSummary } from '../records/test-run.ts'
import { filterMap, liveFields, testRunObject } from '../records/test-run-object.ts'
import { optional, required } from '../request-field.ts'
import { anything, either, epochSeconds, flag, integer, model, openObject, text } from '../schema.ts'
import { answerPatterns } from '../vocabulary.ts'
import { exampleIssue } from './issue-examples.ts'
import { exampleIds, exampleLive, exampleResult, exampleRun, exampleSummary } from './test-run-examples.ts'

const shared = {
  inSpecification: true,
  specified: 'open',
  note: 'The answer is not shown there.',
  role: 'GUEST',
  access: 'read',
  errors: [],
  idempotent: true,
} as const

const resultId = required(text(), 'The result.')
const resultErrors = ['INVALID_TEST_RESULT_ID', 'TEST_RESULT_NOT_FOUND'] as const

const patternCounts = Object.fromEntries(answerPatterns.map((pattern) => [pattern, integer()])) as Record<
  (typeof answerPatterns)[number],
  ReturnType<typeof integer>
>

/** Results and executions of test runs, by their wire names. */
export const testResultOperations = group('issues', {
  fetchTestRunResultDetails: operation({
    ...shared,
    summary: 'Shows one result with its full evidence',
    description:
      'testingRunResult holds every attempt in order. A test of several steps has one entry per request, named by stepId.',
    request: { testingRunResultHexId: resultId },
    answer: wide(testRunObject, ['testingRunResult', ...liveFields]),
    keyKinds: ['CICD'],
    errors: resultErrors,
    example: {
      request: { testingRunResultHexId: exampleIds.result },
      response: { ...exampleLive, testingRunResult: exampleResult },
    },
  }),

  exportTestResultEvidence: operation({
    ...shared,
    inSpecification: false,
    specified: 'full',
    summary: 'Exports one result with everything that proves it, as one file',
    description:
      'evidence is the content of the file: recorded exchange, attempts, control, identities, condition trees, templates, commands, and what it takes to judge it again offline with vigil replay. Secrets and values of sensitive data types are masked, and cannotBeJudged says so when the masks hide what decided; administrators may ask for them, which is logged.',
    request: {
      testingRunResultHexId: resultId,
      unmasked: optional(flag(), 'With its secrets; administrators only.', { default: false }),
    },
    answer: root(
      model('EvidenceExport', 'A file of evidence.', {
        fileName: text({ description: 'A name to save it under.' }),
        evidence: openObject({ description: 'The file, to be saved as JSON.' }),
      }),
    ),
    keyKinds: ['CICD'],
    errors: [...resultErrors, 'TEST_EVIDENCE_GONE', 'UNMASKED_FOR_ADMINS'],
    example: {
      request: { testingRunResultHexId: exampleIds.result },
      response: {
        fileName: `${exampleIds.result}.evidence.json`,
        evidence: { format: 'vigil-evidence', version: 1 },
      },
    },
  }),

  fetchIssueFromTestRunResultDetails: operation({
    ...shared,
    summary: 'Shows the issue that a result belongs to',
    description: 'runIssues is the issue, or null when the result is not vulnerable or has none.',
    request: {
      testingRunResultHexId: resultId,
      testRunByTestEditor: optional(flag(), 'Look for the issue of the test editor instead.', {
        default: false,
      }),
    },
    answer: wide(testRunObject, ['runIssues', ...liveFields]),
    keyKinds: ['CICD'],
    errors: resultErrors,
    example: {
      request: { testingRunResultHexId: exampleIds.result },
      response: { ...exampleLive, runIssues: exampleIssue },
    },
  }),

  fetchTestRunResultsCount: operation({
    ...shared,
    summary: 'Counts the results of one execution by selection',
    description:
      'Exactly six counts, always present, each the length of the list that fetchTestingRunResults gives for that queryMode. IGNORED_ISSUES is a part of VULNERABLE: open findings are VULNERABLE less IGNORED_ISSUES, and what passed is ALL less VULNERABLE and the three SKIPPED counts. An unknown execution has zeros.',
    request: {
      testingRunResultSummaryHexId: required(text(), 'The execution.'),
      filters: optional(anything(), 'Accepted and ignored.'),
    },
    answer: root(testResultCounts),
    errors: ['INVALID_TEST_SUMMARY_ID'],
    example: {
      request: { testingRunResultSummaryHexId: exampleIds.summary },
      response: {
        VULNERABLE: 9,
        SKIPPED_EXEC_NEED_CONFIG: 0,
        SKIPPED_EXEC: 20,
        ALL: 72,
        SKIPPED_EXEC_API_REQUEST_FAILED: 1,
        IGNORED_ISSUES: 2,
      },
    },
  }),

  fetchTestResultsStatsCount: operation({
    ...shared,
    summary: 'Counts answers that hint at rate limits, blocking or server errors',
    description:
      'Over the last attempt of every result of the execution that is not vulnerable, by status of the response (CLOUDFLARE by the marks of a block page). count is that of patternType, or the sum.',
    request: {
      testingRunResultSummaryHexId: required(text(), 'The execution.'),
      testingRunHexId: required(text(), 'Its run.'),
      patternType: optional(text(), `${answerPatterns.join(', ')}; null for the sum.`),
    },
    answer: root(
      model('AnswerPatternCounts', 'Answers that hint at problems of the target.', {
        count: integer(),
        counts: model('AnswerPatterns', 'Answers by pattern.', patternCounts),
      }),
    ),
    errors: [
      'INVALID_TEST_SUMMARY_ID',
      'INVALID_TEST_RUN_ID',
      'SUMMARY_OF_ANOTHER_RUN',
      'INVALID_ANSWER_PATTERN',
    ],
    example: {
      request: { testingRunResultSummaryHexId: exampleIds.summary, testingRunHexId: exampleIds.run },
      response: {
        count: 7,
        counts: { HTTP_429: 4, HTTP_5XX: 2, HTTP_401: 0, HTTP_403: 1, CLOUDFLARE: 0 },
      },
    },
  }),

  fetchTestingRunResultSummaries: operation({
    ...shared,
    summary: 'Lists the executions of one run',
    description:
      'The newest 20 executions begun in the window, newest first; 0 as a bound means none. testingRun has its configuration, testingRunType is ONE_TIME, RECURRING, CI_CD or CONTINUOUS_TESTING.',
    request: {
      testingRunHexId: required(text(), 'The run.'),
      startTimestamp: required(epochSeconds(), 'Earliest begin, included.', { default: 0 }),
      endTimestamp: required(epochSeconds(), 'Latest begin, included.', { default: 0 }),
    },
    answer: wide(testRunObject, ['testingRunResultSummaries', 'testingRun', 'testingRunType', ...liveFields]),
    keyKinds: ['CICD'],
    errors: ['INVALID_TEST_RUN_ID', 'TEST_RUN_NOT_FOUND'],
    example: {
      request: { testingRunHexId: exampleIds.run, startTimestamp: 0, endTimestamp: 0 },
      response: {
        ...exampleLive,
        testingRunResultSummaries: [exampleSummary],
        testingRun: exampleRun,
        testingRunType: 'ONE_TIME',
      },
    },
  }),

  fetchTestingRunResultsSummary: operation({
    ...shared,
    summary: 'Shows one execution',
    description:
      'The body is the execution. skippedCheckReasons counts the checks without a verdict by the condition that decided.',
    request: { testingRunSummaryId: required(text(), 'The execution.') },
    answer: root(testRunSummary),
    errors: ['INVALID_TEST_RUN_SUMMARY_ID', 'TEST_RUN_SUMMARY_NOT_FOUND'],
    example: { request: { testingRunSummaryId: exampleIds.summary }, response: exampleSummary },
  }),

  fetchTestingRunResultSummary: operation({
    ...shared,
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    summary: 'Shows one execution to a build that waits for it',
    description:
      'The body is the execution, by the testingRunResultSummaryHexId that startTest answered. A build asks again until the state is COMPLETED, FAILED or STOPPED, and reads countIssues and skippedCheckReasons then.',
    request: { testingRunResultSummaryHexId: required(text(), 'The execution.') },
    answer: root(testRunSummary),
    keyKinds: ['CICD'],
    errors: ['INVALID_TEST_SUMMARY_ID', 'TEST_RUN_SUMMARY_NOT_FOUND'],
    example: { request: { testingRunResultSummaryHexId: exampleIds.summary }, response: exampleSummary },
  }),

  getAllTestsCountMap: operation({
    ...shared,
    summary: 'Counts the test runs by type',
    description:
      'Runs scheduled between the two times, both included; an end of 0 means no end. scheduled is what is none of the other types: the recurring runs.',
    request: {
      filters: required(
        either(text({ description: 'JSON text of the object.' }), filterMap),
        'severity and apiCollectionId, as retrieveAllCollectionTests takes them.',
        { default: null, exempt: 'always' },
      ),
      startTimestamp: required(epochSeconds(), 'Earliest schedule time.', { default: 0 }),
      endTimestamp: required(epochSeconds(), 'Latest schedule time.', { default: 0 }),
    },
    answer: root(
      model('TestRunCounts', 'Numbers of test runs by type.', {
        allTestRuns: integer(),
        oneTime: integer(),
        scheduled: integer({ description: 'Recurring runs.' }),
        cicd: integer({ description: 'Runs that a CI job started.' }),
        continuous: integer(),
      }),
    ),
    example: {
      request: { filters: '{}', startTimestamp: 0, endTimestamp: 1769860000 },
      response: { allTestRuns: 40, oneTime: 30, scheduled: 4, cicd: 5, continuous: 1 },
    },
  }),
})
