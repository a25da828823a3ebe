import { pageLimits } from '../limits.ts'
import { group, operation, root } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { testResult } from '../records/test-result.ts'
import { optional, pageSize, required } from '../request-field.ts'
import {
  decimal,
  document,
  epochSeconds,
  flag,
  integer,
  list,
  model,
  nullable,
  oneOf,
  text,
} from '../schema.ts'
import { accessStates, recordFormats } from '../vocabulary.ts'
import { endpointFields } from './collection-endpoints.ts'
import { exampleEndpoint, exampleIds, exampleResult } from './test-run-examples.ts'

const shared = {
  inSpecification: false,
  specified: 'full',
  role: 'GUEST',
  access: 'read',
  idempotent: true,
} as const

const skip = optional(integer(), 'Endpoints left out at the start.', { default: 0 })
const limit = optional(integer(), 'Endpoints of one page.', {
  default: pageLimits.tests.byDefault,
  applied: pageSize(pageLimits.tests),
})
const collectionIds = optional(list(integer()), 'Collections; empty for all.')

const cell = model(
  'TestedFamily',
  'Checks of one family of tests on one endpoint: of a period, the newest result of each test.',
  {
    category: text({ description: 'Family of tests.' }),
    planned: integer({ description: 'Checks that an execution has planned; 0 in a period.' }),
    vulnerable: integer(),
    passed: integer(),
    notVerified: integer(),
    needsConfiguration: integer({ description: 'Checks that lack a role or a setting.' }),
    skipped: integer(),
    lastTestedAt: epochSeconds('0 when none came to a verdict.'),
  },
)
const row = model('TestedFamilies', 'What was tested on one endpoint.', {
  apiInfoKey: endpointKey,
  cells: list(cell, { description: 'Only families with checks.' }),
})
const exampleRow = {
  apiInfoKey: exampleEndpoint,
  cells: [
    {
      category: 'BOLA',
      planned: 4,
      vulnerable: 1,
      passed: 2,
      notVerified: 0,
      needsConfiguration: 1,
      skipped: 3,
      lastTestedAt: 1769854904,
    },
  ],
}

/** What was tested where, who reaches what, and records of it, by wire names. */
export const coverageOperations = group('test-runs', {
  fetchRunProgress: operation({
    ...shared,
    summary: 'Shows how far an execution is: a matrix, the rate, the time left, errors by host',
    description:
      'Counts planned checks and those with a result, requests by host with their failures, and the checks of each endpoint by family of tests; endpoints with work under way or findings first. requestsPerSecond is that of the last minute. secondsLeft is null before anything is known, and when the execution has ended. While it runs, everyone gets the same counts for two seconds, and longer where counting takes long.',
    request: { testingRunResultSummaryHexId: required(text(), 'The execution.'), skip, limit },
    answer: root(
      model('ExecutionProgress', 'How far an execution is.', {
        planned: integer({ description: 'Checks that are carried out; 0 until they are planned.' }),
        done: integer({ description: 'Of these, checks with a result.' }),
        requests: integer(),
        requestsPerSecond: decimal(),
        secondsLeft: nullable(integer()),
        hosts: list(
          model('HostProgress', 'Requests to one host.', {
            host: text(),
            requests: integer(),
            failures: integer({ description: 'Requests without an answer.' }),
            serverErrors: integer({ description: 'Answers with a 5xx code.' }),
            refused: integer({ description: 'Answers with the code 429.' }),
            meanMs: decimal(),
            lastFailure: nullable(text({ description: 'Code of the newest failure.' })),
          }),
        ),
        categories: list(text(), { description: 'Families of tests, by name.' }),
        rows: list(row),
        rowsCount: integer({ description: 'Endpoints, over all pages.' }),
      }),
    ),
    errors: ['INVALID_TEST_SUMMARY_ID', 'TEST_RUN_SUMMARY_NOT_FOUND'],
    example: {
      request: { testingRunResultSummaryHexId: exampleIds.summary },
      response: {
        planned: 40,
        done: 10,
        requests: 120,
        requestsPerSecond: 12.5,
        secondsLeft: 30,
        hosts: [
          {
            host: 'shop.test',
            requests: 120,
            failures: 0,
            serverErrors: 2,
            refused: 0,
            meanMs: 14.2,
            lastFailure: null,
          },
        ],
        categories: ['BOLA'],
        rows: [exampleRow],
        rowsCount: 1,
      },
    },
  }),

  fetchCoverageMatrix: operation({
    ...shared,
    summary: 'Shows which families of tests were run on which endpoints in a period',
    description:
      'Listed endpoints of the collections, by collection, path and method, with the checks of executions that began in the period. An endpoint without cells was not in any.',
    request: {
      apiCollectionIds: collectionIds,
      startTimestamp: optional(epochSeconds(), 'Start of the period, included.', { default: 0 }),
      endTimestamp: optional(epochSeconds(), 'End of the period, not included; 0 for now.', { default: 0 }),
      onlyUntested: optional(flag(), 'Only endpoints without a verdict in the period.', { default: false }),
      skip,
      limit,
    },
    answer: root(
      model('CoverageMatrix', 'Families of tests by endpoints.', {
        categories: list(text()),
        rows: list(row),
        rowsCount: integer(),
        testedCount: integer({ description: 'Endpoints with a verdict in the period.' }),
        days: list(
          model('CoverageDay', 'Endpoints and tests with a verdict on one day.', {
            day: epochSeconds('Start of the day in UTC.'),
            endpoints: integer(),
            tests: integer(),
          }),
          { description: 'Days of the period with a verdict, the last 92.' },
        ),
      }),
    ),
    errors: [],
    example: {
      request: { startTimestamp: 1767225600, endTimestamp: 1769904000 },
      response: {
        categories: ['BOLA'],
        rows: [exampleRow],
        rowsCount: 1,
        testedCount: 1,
        days: [{ day: 1769817600, endpoints: 1, tests: 3 }],
      },
    },
  }),

  fetchEndpointResults: operation({
    ...shared,
    summary: 'Shows what became of each test on one endpoint',
    description:
      'The newest result of each test over all executions that are kept, findings first, then what could not be verified, then passed and skipped checks. The reason is in testResults and errorsList.',
    request: endpointFields,
    answer: root(
      model('EndpointResults', 'The newest results of one endpoint.', {
        testingRunResults: list(testResult, { description: 'One for each test, without attempts.' }),
      }),
    ),
    errors: ['NO_SUCH_ENDPOINT', 'NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION'],
    example: { request: exampleEndpoint, response: { testingRunResults: [exampleResult] } },
  }),

  fetchAccessMatrix: operation({
    ...shared,
    summary: 'Shows which test role reaches which endpoint, and which it should',
    description:
      'reached is what tests found: true, false, or null while unknown. expected is what the conditions of the role say; null for a role without conditions. Anonymous callers are the first identity: expected of them is what a person declared public in the traffic, so always null; reached is whether unauthenticated requests were seen to succeed, in traffic or by a test whose issue is open. deviations counts endpoints where both are known and differ.',
    request: {
      apiCollectionIds: collectionIds,
      onlyDeviations: optional(flag(), 'Only endpoints where a role deviates.', { default: false }),
      roleName: optional(text(), 'The identity that access is asked of; empty for any.', { default: '' }),
      access: optional(
        nullable(oneOf(accessStates)),
        'Only endpoints with this access of the identity. DEVIATES: what was found differs from what is expected.',
        { default: null },
      ),
      skip,
      limit,
    },
    answer: root(
      model('AccessMatrix', 'Roles by endpoints.', {
        roles: list(
          model('AccessRole', 'An identity of the matrix.', {
            roleName: text(),
            hasCredentials: flag(),
            reached: integer(),
            refused: integer(),
            unknown: integer(),
            deviations: integer(),
          }),
        ),
        rows: list(
          model('AccessRow', 'Who reaches one endpoint.', {
            apiInfoKey: endpointKey,
            access: list(
              model('AccessCell', 'One role at one endpoint.', {
                roleName: text(),
                reached: nullable(flag()),
                expected: nullable(flag()),
                at: epochSeconds('When it was found out; 0 while unknown.'),
              }),
              { description: 'One for each role, in their order.' },
            ),
          }),
        ),
        rowsCount: integer(),
        isTotalExact: flag({ description: 'False when there are more endpoints than were read.' }),
      }),
    ),
    errors: [],
    example: {
      request: { apiCollectionIds: [1679459648] },
      response: {
        roles: [
          { roleName: 'ADMIN', hasCredentials: true, reached: 1, refused: 0, unknown: 0, deviations: 0 },
        ],
        rows: [
          {
            apiInfoKey: exampleEndpoint,
            access: [{ roleName: 'ADMIN', reached: true, expected: null, at: 1769854904 }],
          },
        ],
        rowsCount: 1,
        isTotalExact: true,
      },
    },
  }),

  makeTestRecord: operation({
    ...shared,
    role: 'MEMBER',
    access: 'write',
    summary: 'Makes a signed record of what was tested in a period',
    description:
      'Executions, tests with the hash of their definitions, endpoints, findings and gaps of the executions that began in the period, in the collections that the caller may see, signed with the Ed25519 key of the installation. JSON and HTML hold every row, the PDF the first 300 of each list. vigil report verify checks a file offline.',
    request: {
      startTimestamp: required(epochSeconds(), 'Start of the period, included.'),
      endTimestamp: required(epochSeconds(), 'End of the period, not included.'),
      apiCollectionIds: collectionIds,
      format: optional(oneOf(recordFormats), 'Format of the file.', { default: 'JSON' }),
    },
    answer: root(
      model('SignedTestRecord', 'A record that was made and signed.', {
        fileName: text(),
        content: document({ description: 'The file in base64.' }),
        publicKey: text({ description: 'Key that signed: SPKI in base64.' }),
        fingerprint: text({ description: 'SHA-256 of the key, for people to compare.' }),
        executions: integer(),
        checks: integer(),
        findings: integer(),
        endpoints: integer(),
        endpointsTested: integer(),
      }),
    ),
    errors: ['NO_SUCH_COLLECTION', 'DEACTIVATED_COLLECTION', 'RECORD_PERIOD_INVALID'],
    idempotent: false,
    example: {
      request: { startTimestamp: 1772323200, endTimestamp: 1775001600, format: 'JSON' },
      response: {
        fileName: 'vigil-test-record-2026-03-01-to-2026-04-01.json',
        content: 'e30K',
        publicKey: 'MCowBQYDK2VwAyEA',
        fingerprint: '0f1e 2d3c 4b5a 6978 8796',
        executions: 4,
        checks: 900,
        findings: 12,
        endpoints: 40,
        endpointsTested: 38,
      },
    },
  }),
})
