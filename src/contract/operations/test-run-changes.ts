import { pageLimits } from '../limits.ts'
import { group, operation, root, wide } from '../operation.ts'
import { tokenObject } from '../records/api-token.ts'
import { issueObject } from '../records/issue-object.ts'
import { filterMap, liveFields, testRunObject } from '../records/test-run-object.ts'
import { testSuite } from '../records/test-suite.ts'
import { optional, required } from '../request-field.ts'
import { flag, integer, list, model, text } from '../schema.ts'
import { exampleIds, exampleLive, exampleResult } from './test-run-examples.ts'

const change = {
  inSpecification: false,
  specified: 'full',
  role: 'MEMBER',
  access: 'write',
  idempotent: true,
} as const

const { tests } = pageLimits
const suites = root(
  model('TestSuites', 'Test suites.', { testSuiteList: list(testSuite, { description: 'By name.' }) }),
)
const exampleSuite = {
  hexId: '697dd7a4aabbccddeeff0006',
  name: 'before a release',
  subCategoryList: ['REPLACE_AUTH_TOKEN'],
  createdBy: 'ada@example.org',
  createdAt: 1769854000,
  lastUpdated: 1769854000,
}
const suiteName = required(text({ minLength: 1, maxLength: 100 }), 'Name, unique.')
const suiteTests = required(list(text(), { minItems: 1, maxItems: 10_000 }), 'Ids of the tests.')
const suiteId = required(text(), 'The suite.')

/** Results in pages, deletion of runs, suites and chat webhooks, by wire names. */
export const testRunChangeOperations = group('test-runs', {
  fetchVulnerableTestRunResults: operation({
    ...change,
    role: 'GUEST',
    access: 'read',
    summary: 'Pages through the findings of one execution with their evidence, for reports',
    description:
      'Pages of 50 from skip, the worst first, with all vulnerable attempts; findings of ignored and fixed issues are among them. Fewer than 50: the last page.',
    request: {
      testingRunResultSummaryHexId: required(text(), 'The execution.'),
      skip: optional(integer(), 'Findings to leave out.', { default: 0 }),
      reportFilterList: optional(filterMap, 'As fetchTestingRunResults takes it.'),
    },
    answer: wide(testRunObject, ['testingRunResults', ...liveFields]),
    errors: ['INVALID_TEST_SUMMARY_ID'],
    example: {
      request: { testingRunResultSummaryHexId: exampleIds.summary, skip: 0 },
      response: { ...exampleLive, testingRunResults: [exampleResult] },
    },
  }),

  fetchSubCategoriesByTestSubTypes: operation({
    ...change,
    role: 'GUEST',
    access: 'read',
    summary: 'Lists tests by their ids',
    description: `Tests of these ids that exist, by id, without their YAML; categories holds all categories. Limits of 0 or less mean ${tests.most}, which is the most.`,
    request: {
      subCategoryNames: required(list(text()), 'Ids of the tests.'),
      fetchOnlyActive: optional(flag(), 'Leave out inactive tests.', { default: false }),
      skip: optional(integer(), 'Tests to leave out.', { default: 0 }),
      limit: optional(integer(), 'Tests per page.', { default: tests.most }),
    },
    answer: wide(issueObject, ['subCategories', 'categories']),
    errors: [],
    example: {
      request: { subCategoryNames: ['REPLACE_AUTH_TOKEN'] },
      response: { subCategories: [], categories: [] },
    },
  }),

  deleteTestRuns: operation({
    ...change,
    summary: 'Deletes test runs with everything they found',
    description:
      'Runs that work are stopped first. Issues stay, without their evidence. Unknown and hidden runs are passed over.',
    request: { testRunIds: required(list(text(), { maxItems: 1000 }), 'The runs.') },
    answer: wide(testRunObject, ['testRunIds', ...liveFields]),
    errors: ['INVALID_TEST_RUN_ID'],
    example: {
      request: { testRunIds: [exampleIds.run] },
      response: { ...exampleLive, testRunIds: [exampleIds.run] },
    },
  }),

  deleteTestRunsFromSummaries: operation({
    ...change,
    summary: 'Deletes the test runs that executions belong to',
    description: 'As deleteTestRuns, with the runs named by their executions.',
    request: { latestSummaryIds: required(list(text(), { maxItems: 1000 }), 'The executions.') },
    answer: wide(testRunObject, ['testRunIds', 'latestSummaryIds', ...liveFields]),
    errors: ['INVALID_TEST_SUMMARY_ID'],
    example: {
      request: { latestSummaryIds: [exampleIds.summary] },
      response: { ...exampleLive, testRunIds: [exampleIds.run], latestSummaryIds: [exampleIds.summary] },
    },
  }),

  createTestSuite: operation({
    ...change,
    summary: 'Makes a test suite',
    description: 'A named list of tests that runs can take. The answer holds it.',
    request: { testSuiteName: suiteName, subCategoryList: suiteTests },
    answer: suites,
    errors: ['TEST_SUITE_EXISTS'],
    idempotent: false,
    example: {
      request: { testSuiteName: 'before a release', subCategoryList: ['REPLACE_AUTH_TOKEN'] },
      response: { testSuiteList: [exampleSuite] },
    },
  }),

  fetchAllTestSuites: operation({
    ...change,
    role: 'GUEST',
    access: 'read',
    summary: 'Lists the test suites',
    description: 'All of them, by name.',
    request: {},
    answer: suites,
    keyKinds: ['CICD'],
    errors: [],
    example: { request: {}, response: { testSuiteList: [exampleSuite] } },
  }),

  modifyTestSuite: operation({
    ...change,
    summary: 'Changes a test suite',
    description: 'Replaces name and tests. The answer holds it.',
    request: { testSuiteHexId: suiteId, testSuiteName: suiteName, subCategoryList: suiteTests },
    answer: suites,
    errors: ['TEST_SUITE_NOT_FOUND', 'TEST_SUITE_EXISTS'],
    example: {
      request: {
        testSuiteHexId: exampleSuite.hexId,
        testSuiteName: 'before a release',
        subCategoryList: ['REPLACE_AUTH_TOKEN'],
      },
      response: { testSuiteList: [exampleSuite] },
    },
  }),

  deleteTestSuite: operation({
    ...change,
    summary: 'Deletes a test suite',
    description:
      'Runs that name it run without its tests from then on. The answer holds those that are left.',
    request: { testSuiteHexId: suiteId },
    answer: suites,
    errors: ['TEST_SUITE_NOT_FOUND'],
    idempotent: false,
    example: { request: { testSuiteHexId: exampleSuite.hexId }, response: { testSuiteList: [] } },
  }),

  addSlackWebhook: operation({
    ...change,
    summary: 'Adds a chat webhook',
    description:
      'The URL must be https. Problems are returned in error with status 200: the URL is invalid or exists already.',
    request: {
      webhookUrl: required(text({ maxLength: 2000 }), 'Address that alerts are posted to.'),
      webhookName: optional(text({ maxLength: 100 }), 'Name.', { default: '' }),
    },
    answer: wide(tokenObject, ['error', 'apiTokenList']),
    errors: [],
    example: {
      request: { webhookUrl: 'https://chat.example/hooks/example', webhookName: 'security' },
      response: {
        error: null,
        apiTokenId: 1769854500,
        webhookName: 'security',
        webhookUrl: 'https://chat.example/hooks/example',
        tokenUtility: 'SLACK',
        frequencyInSeconds: 86400,
        apiTokenList: [],
      },
    },
  }),

  deleteSlackWebhook: operation({
    ...change,
    summary: 'Deletes a chat webhook',
    description: 'apiTokenDeleted tells whether there was one of this id.',
    request: { apiTokenId: required(integer(), 'The webhook.') },
    answer: wide(tokenObject, ['apiTokenDeleted']),
    errors: [],
    example: { request: { apiTokenId: 1769854500 }, response: { apiTokenDeleted: true } },
  }),
})
