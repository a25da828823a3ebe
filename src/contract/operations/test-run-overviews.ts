import { group, operation, root } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { optional, required } from '../request-field.ts'
import { epochSeconds, integer, list, mapOf, model, nullable, oneOf, text } from '../schema.ts'
import { findingChanges, resultSeverities } from '../vocabulary.ts'
import { exampleEndpoint, exampleIds } from './test-run-examples.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
  role: 'GUEST',
  access: 'read',
  idempotent: true,
} as const

/** Executions whose answers are counted in one call. */
const MAX_SUMMARIES = 50

/** What pages about runs and reports show beside them, by their wire names. */
export const testRunOverviewOperations = group('test-runs', {
  compareExecutions: operation({
    ...shared,
    summary: 'Compares the findings of two executions',
    description:
      'One entry per test and endpoint that was vulnerable in either execution, the worst first, at most 1000; counts covers all. NEW: vulnerable only in the later one. STILL_THERE: vulnerable in both. FIXED: the later one came to the verdict that it is gone. NOT_VERIFIED: the later one came to no verdict, with the reason, or did not check it. The executions may belong to different runs.',
    request: {
      testingRunResultSummaryHexId: required(text(), 'The later execution.'),
      earlierSummaryHexId: required(text(), 'The earlier execution.'),
    },
    answer: root(
      model('ExecutionComparison', 'Findings of two executions.', {
        counts: model('FindingChangeCounts', 'Findings by what became of them.', {
          NEW: integer(),
          STILL_THERE: integer(),
          FIXED: integer(),
          NOT_VERIFIED: integer(),
        }),
        findings: list(
          model('FindingComparison', 'A test and an endpoint with what became of its finding.', {
            change: oneOf(findingChanges),
            testSubCategory: text({ description: 'Id of the test.' }),
            apiInfoKey: endpointKey,
            severity: oneOf(resultSeverities),
            testingRunResultHexId: nullable(text({ description: 'The result in the later execution.' })),
            earlierResultHexId: nullable(text({ description: 'The result in the earlier execution.' })),
            reason: text({ description: 'Why the later execution came to no verdict; empty when it did.' }),
          }),
        ),
      }),
    ),
    errors: ['INVALID_TEST_SUMMARY_ID', 'TEST_RUN_SUMMARY_NOT_FOUND'],
    example: {
      request: {
        testingRunResultSummaryHexId: exampleIds.summary,
        earlierSummaryHexId: exampleIds.summary,
      },
      response: {
        counts: { NEW: 0, STILL_THERE: 1, FIXED: 0, NOT_VERIFIED: 0 },
        findings: [
          {
            change: 'STILL_THERE',
            testSubCategory: 'REPLACE_AUTH_TOKEN',
            apiInfoKey: exampleEndpoint,
            severity: 'HIGH',
            testingRunResultHexId: exampleIds.result,
            earlierResultHexId: exampleIds.result,
            reason: '',
          },
        ],
      },
    },
  }),

  getIssueSummaryInfo: operation({
    ...shared,
    summary: 'Counts the open issues by test',
    description:
      'Issues with the status OPEN that were last seen in the window, both ends included; an end of 0 means no end. Tests without one are absent, and so are deactivated collections.',
    request: {
      startTimestamp: optional(epochSeconds(), 'Earliest last finding.', { default: 0 }),
      endTimestamp: optional(epochSeconds(), 'Latest last finding; 0 for no end.', { default: 0 }),
      issueSummaryFilterCollectionIds: optional(list(integer()), 'Only these collections; empty for all.'),
    },
    answer: root(mapOf(integer(), { description: 'Id of a test to its number of open issues.' })),
    errors: [],
    example: {
      request: { startTimestamp: 0, endTimestamp: 1769860000 },
      response: { REPLACE_AUTH_TOKEN: 2, NO_AUTH: 1 },
    },
  }),

  getUniqueHostsTested: operation({
    ...shared,
    summary: 'Lists the hosts that a test run sent requests to',
    description:
      'Hosts in alphabetical order, separated by a comma and a space. Before the first request, and when the log of requests no longer holds them, the hosts of the collections that the run targets.',
    request: { testingRunId: required(text(), 'The run.') },
    answer: root(text()),
    errors: ['INVALID_TEST_RUN_ID', 'TEST_RUN_NOT_FOUND'],
    example: { request: { testingRunId: exampleIds.run }, response: 'api.shop.test, shop.test' },
  }),

  fetchTestRunStatusSummaries: operation({
    ...shared,
    summary: 'Counts what the results of executions hint at',
    description:
      'For each execution a map: domainUnreachable, skipped and needConfig count results without a verdict; http_<code> counts results whose last attempt was answered with that 4xx or 5xx code; cloudflare counts block pages. Findings are left out. Unknown executions are absent.',
    request: {
      testingRunResultSummaryHexIds: required(
        list(text(), { minItems: 1, maxItems: MAX_SUMMARIES }),
        `The executions, at most ${MAX_SUMMARIES}.`,
      ),
    },
    answer: root(mapOf(mapOf(integer()), { description: 'Id of an execution to its counts.' })),
    errors: ['INVALID_TEST_SUMMARY_ID'],
    example: {
      request: { testingRunResultSummaryHexIds: [exampleIds.summary] },
      response: {
        [exampleIds.summary]: {
          domainUnreachable: 0,
          skipped: 20,
          needConfig: 0,
          cloudflare: 0,
          http_403: 4,
        },
      },
    },
  }),

  fetchDistinctResponseCodes: operation({
    ...shared,
    summary: 'Lists the error codes that an execution was answered with',
    description:
      'The 4xx and 5xx codes of the last attempts of results that are not vulnerable, as text, ascending.',
    request: { testingRunResultSummaryHexId: required(text(), 'The execution.') },
    answer: root(list(text())),
    errors: ['INVALID_TEST_SUMMARY_ID', 'TEST_RUN_SUMMARY_NOT_FOUND'],
    example: {
      request: { testingRunResultSummaryHexId: exampleIds.summary },
      response: ['403', '404', '500'],
    },
  }),
})
