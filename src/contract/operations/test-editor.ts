import { group, operation, root, wide } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { liveFields, testRunObject } from '../records/test-run-object.ts'
import { optional, required } from '../request-field.ts'
import {
  absentable,
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
import { filled } from '../wide-record.ts'
import { exampleEndpoint, exampleLive, exampleResult } from './test-run-examples.ts'

const change = {
  inSpecification: false,
  specified: 'full',
  role: 'MEMBER',
  access: 'write',
  idempotent: true,
} as const
const read = { ...change, role: 'GUEST', access: 'read' } as const

/** Characters of a test in YAML. */
const MAX_CONTENT = 1_048_576
/** Characters of its cases. */
const MAX_CASES = 262_144

const problem = model('TemplateProblem', 'What is wrong with a test, and where.', {
  file: nullable(text({ description: 'Path of the file; null for a test that was sent.' })),
  severity: oneOf(['error', 'warning'], { description: 'With an error the test cannot be used.' }),
  message: text(),
  line: integer({ description: 'From 1.' }),
  column: integer({ description: 'From 1.' }),
  path: text({ description: 'Keys that lead there, for example validate.response_code.gte.' }),
  nearest: nullable(text({ description: 'The legal word that is probably meant.' })),
})
const content = required(document({ maxLength: MAX_CONTENT }), 'The test in YAML.')
const testId = required(text({ minLength: 1, maxLength: 200 }), 'Id of the test.')
const exampleProblem = {
  file: 'own/orders.yaml',
  severity: 'error',
  message: 'There is no operator "contains".',
  line: 14,
  column: 7,
  path: 'validate.response_payload.contains',
  nearest: 'contains_all',
} as const
const exampleContent = `id: OWN_ORDER_TEST
info:
  name: Orders of others
  description: Reads an order of somebody else.
  details: The order is asked for with the credentials of another user.
  impact: Orders of everybody can be read.
  category: { name: BOLA, shortName: BOLA, displayName: Broken Object Level Authorization }
  subCategory: OWN_ORDER_TEST
  severity: HIGH
api_selection_filters:
  response_code: { gte: 200, lt: 300 }
execute:
  type: single
  requests:
    - req:
        - replace_auth_header: true
validate:
  response_code: { gte: 200, lt: 300 }
  response_payload:
    percentage_match: { gte: 90 }
`

const exampleCases = `cases:
  - name: the owner is asked for
    expect: secure
    sample:
      request: GET /orders/1001
      headers: { authorization: Bearer victim-token }
      response: '{"id":1001}'
    attacker: { authorization: Bearer attacker-token }
    answers:
      - when: { headers: { authorization: victim-token } }
        body: '{"id":1001}'
      - when: {}
        status: 403
`

/** Writing tests in the dashboard, and the tests of folders, by wire names. */
export const testEditorOperations = group('test-runs', {
  saveTestEditorFile: operation({
    ...change,
    summary: 'Saves a test that was written in the dashboard',
    description:
      'A test of a new id is added; one that was written in the dashboard is replaced when originalTestId is its id. Tests of the library and of folders are never replaced: save a copy under a different id. A test that cannot be used is refused with the place of each fault.',
    request: {
      content,
      originalTestId: required(text({ maxLength: 200 }), 'The test it was made from; empty for none.', {
        default: '',
      }),
      cases: optional(
        document({ maxLength: MAX_CASES }),
        'Cases beside the test, as runTestCases takes them; empty for none. Absent: those that are kept stay.',
      ),
    },
    answer: root(
      model('SavedTest', 'A test that was saved.', {
        finalTestId: text({ description: 'The id in its YAML.' }),
        templateProblems: list(problem, { description: 'What deserves a look; no errors.' }),
      }),
    ),
    errors: [
      'TEMPLATE_INFO_ABSENT',
      'TEMPLATE_KEY_ABSENT',
      'TEMPLATE_ID_TAKEN',
      'INVALID_TEST_TEMPLATE',
      'INVALID_TEST_CASES',
    ],
    example: {
      request: { content: exampleContent, originalTestId: 'OWN_ORDER_TEST' },
      response: { finalTestId: 'OWN_ORDER_TEST', templateProblems: [] },
    },
  }),

  setTestInactive: operation({
    ...change,
    summary: 'Switches a test off or on',
    description:
      'A test that is switched off is left out of runs, whatever its file says and however often it is read again.',
    request: { originalTestId: testId, inactive: required(flag(), 'True switches it off.') },
    answer: root(
      model('TestSwitch', 'Whether a test is left out of runs.', {
        originalTestId: text(),
        inactive: flag(),
      }),
    ),
    errors: ['TEST_TEMPLATE_NOT_FOUND'],
    example: {
      request: { originalTestId: 'BOLA_READ', inactive: false },
      response: { originalTestId: 'BOLA_READ', inactive: false },
    },
  }),

  fetchTestContent: operation({
    ...read,
    summary: 'Shows the YAML of a test',
    description: 'As it was written, comments included.',
    request: { originalTestId: testId },
    answer: root(
      model('TestContent', 'The YAML of a test.', {
        content: document(),
        cases: absentable(document({ description: 'Cases beside the test in YAML.' })),
        original: absentable(
          model('OriginalTest', 'The test that this one was made from, as it is now.', {
            testId: text(),
            content: document(),
          }),
        ),
      }),
    ),
    errors: ['TEST_TEMPLATE_NOT_FOUND'],
    example: {
      request: { originalTestId: 'BOLA_READ' },
      response: { content: 'id: BOLA_READ\n' },
    },
  }),

  deleteTestTemplate: operation({
    ...change,
    summary: 'Deletes a test that was written in the dashboard',
    description:
      'Results and issues of it stay. When the library or a folder has a test of the same id, that one is used from then on. Others than those written in the dashboard cannot be deleted; setTestInactive switches them off.',
    request: { originalTestId: testId },
    answer: root(model('DeletedTest', 'A test that was deleted.', { originalTestId: text() })),
    errors: ['TEST_TEMPLATE_NOT_FOUND', 'TEST_TEMPLATE_NOT_OWN'],
    idempotent: false,
    example: {
      request: { originalTestId: 'OWN_ORDER_TEST' },
      response: { originalTestId: 'OWN_ORDER_TEST' },
    },
  }),

  runTestForGivenTemplate: operation({
    ...change,
    summary: 'Runs a test on one endpoint without saving either',
    description:
      'Requests are really sent, but only to the host of the endpoint. sampleDataList gives the sample to start from; without one the stored sample is used. Nothing is kept: no run, no result, no issue. What takes longer than 15 seconds is answered without a result: ask fetchTestingRunPlaygroundStatus with testingRunPlaygroundHexId.',
    request: {
      content,
      apiInfoKey: required(endpointKey, 'The endpoint.'),
      sampleDataList: required(
        list(
          model('PlaygroundSample', 'Samples of an endpoint.', {
            samples: list(document(), { maxItems: 10, description: 'Sample messages; the last one counts.' }),
          }),
          { maxItems: 10 },
        ),
        'Samples to start from.',
        { default: [], exempt: 'always' },
      ),
    },
    answer: wide(testRunObject, ['testingRunResult', 'testingRunPlaygroundHexId', ...liveFields], {
      testingRunPlaygroundHexId: filled(
        text({ description: 'What fetchTestingRunPlaygroundStatus is asked with.' }),
        null,
      ),
    }),
    errors: [
      'NO_SUCH_COLLECTION',
      'INVALID_TEST_TEMPLATE',
      'NO_SAMPLE_TO_TEST',
      'INVALID_TEST_SAMPLE',
      'TARGET_OUT_OF_SCOPE',
      'PLAYGROUND_BUSY',
    ],
    idempotent: false,
    example: {
      request: { content: exampleContent, apiInfoKey: exampleEndpoint, sampleDataList: [] },
      response: {
        ...exampleLive,
        testingRunResult: exampleResult,
        testingRunPlaygroundHexId: '697dd7b8aabbccddeeff0009',
      },
    },
  }),

  runTestCases: operation({
    ...change,
    summary: 'Runs the cases of a test without saving either',
    description:
      'Each case is a recorded sample, what the server answers, and the verdict that is expected: vulnerable, secure, skipped or unconfirmed. It runs against a server that Vigil starts for it on its own machine; nothing is sent elsewhere and nothing is kept. At most 50 cases of 200 answers with 100 placeholders each; a request body over 256 KiB or an answer over 1 MiB fails its case. After 60 seconds no other one is begun. The cases of one text run one after the other.',
    request: {
      content,
      cases: required(document({ maxLength: MAX_CASES }), 'The cases in YAML.'),
    },
    answer: root(
      model('TriedTestCases', 'What came of the cases of a test.', {
        testCases: list(
          model('TriedTestCase', 'What came of one case.', {
            name: text(),
            expected: text({ description: 'vulnerable, secure, skipped, unconfirmed or another outcome.' }),
            got: text({
              description: 'The same words; "failed" when it could not run, "not run" without time.',
            }),
            story: document({
              description: 'What was sent and answered; empty when it got what it expects.',
            }),
          }),
        ),
      }),
    ),
    errors: ['INVALID_TEST_TEMPLATE', 'INVALID_TEST_CASES'],
    example: {
      request: { content: exampleContent, cases: exampleCases },
      response: {
        testCases: [{ name: 'the owner is asked for', expected: 'secure', got: 'secure', story: '' }],
      },
    },
  }),

  fetchTestingRunPlaygroundStatus: operation({
    ...read,
    role: 'MEMBER',
    summary: 'Shows the result of a test that was tried, when it is there',
    description:
      'testingRunPlaygroundStatus is RUNNING, COMPLETED or FAILED. Results are kept for ten minutes by the process that ran the test, for the person who started it.',
    request: { testingRunPlaygroundHexId: required(text(), 'As runTestForGivenTemplate answered it.') },
    answer: wide(testRunObject, ['testingRunResult', 'testingRunPlaygroundStatus', ...liveFields], {
      testingRunPlaygroundStatus: filled(oneOf(['RUNNING', 'COMPLETED', 'FAILED']), 'RUNNING'),
    }),
    errors: ['PLAYGROUND_NOT_FOUND'],
    example: {
      request: { testingRunPlaygroundHexId: '697dd7b8aabbccddeeff0009' },
      response: {
        ...exampleLive,
        testingRunResult: exampleResult,
        testingRunPlaygroundStatus: 'COMPLETED',
      },
    },
  }),

  fetchTemplateProblems: operation({
    ...read,
    summary: 'Shows what was read from the folders of your own tests',
    description:
      'The folders of the setting VIGIL_TEMPLATE_DIRS are looked at again first. Each problem has its file, line and key; at most 1000 are listed, errors first. Tests of other files are not affected by them.',
    request: {},
    answer: root(
      model('TemplateFolderReport', 'What was read from the folders of tests.', {
        folders: list(text(), { description: 'As the setting names them.' }),
        files: integer({ description: 'YAML files.' }),
        tests: integer({ description: 'Tests in use.' }),
        ignored: integer({ description: 'YAML files that hold no test.' }),
        problemsCount: integer(),
        templateProblems: list(problem),
        readTs: epochSeconds('When they were read.'),
      }),
    ),
    errors: [],
    example: {
      request: {},
      response: {
        folders: ['/etc/vigil/tests'],
        files: 12,
        tests: 11,
        ignored: 0,
        problemsCount: 1,
        templateProblems: [exampleProblem],
        readTs: 1769854500,
      },
    },
  }),
})
