import { pageLimits } from '../limits.ts'
import { operation, root } from '../operation.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { requestChange } from '../records/test-run.ts'
import { optional, pageSize, required } from '../request-field.ts'
import { decimal, flag, hexId, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { offeredRunTargets, writeLevels } from '../vocabulary.ts'
import { exampleEndpoint } from './test-run-examples.ts'

const check = model('DryRunCheck', 'One test on one endpoint, as a run would carry it out.', {
  apiInfoKey: endpointKey,
  testSubCategory: text({ description: 'Id of the test.' }),
  skipped: flag({ description: 'It would not be carried out.' }),
  requests: integer({ description: 'Requests that it would send.' }),
  writes: integer({ description: 'Of these, requests that may change data.' }),
  seconds: decimal({ description: 'How long it would take on its own.' }),
  roles: list(text(), { description: 'Roles that it would act as.' }),
  outcome: nullable(text({ description: 'Of a skipped check: the word of its result.' })),
  reason: nullable(text({ description: 'Of a skipped check: the reason in a sentence.' })),
})

/** What a run would send. */
export const dryRunTest = operation({
  summary: 'Finds out what a test run would send, without sending anything',
  description:
    'Takes the fields of startTest that decide what is sent, and carries the checks out against the recorded answers: known URLs are answered as recorded, other credentials are refused, so a vulnerable target gets a few more requests than this for each finding. Nothing is sent and nothing is stored. At most 400 endpoints are looked at and about 8 seconds spent; endpointsRead and estimatedChecks tell what the totals are estimated from. Durations rest on the mean of the newest requests to the same hosts (measuredMs), or on 100 ms. The list of checks is paged by skip and limit. Dry runs are worked out one after the other; TOO_MANY_REQUESTS says that too many wait, or that the same user asked for a newer one.',
  inSpecification: false,
  specified: 'full',
  request: {
    type: required(text(), `${offeredRunTargets.join(', ')}, as in startTest.`),
    apiInfoKeyList: optional(list(endpointKey, { maxItems: 100_000 }), 'CUSTOM: the endpoints.'),
    apiCollectionId: optional(integer(), 'COLLECTION_WISE: one collection or group.', { default: 0 }),
    apiCollectionIds: optional(list(integer()), 'MULTI_COLLECTION: the collections.'),
    selectedTests: required(list(text()), 'Ids of the tests; unknown ones are dropped.', { default: [] }),
    testSuiteIds: optional(list(hexId()), 'Suites whose tests replace selectedTests.', { default: [] }),
    testRoleId: optional(text(), 'The role under test; empty for none.', { default: '' }),
    overriddenTestAppUrl: optional(text(), 'Scheme and host to send to instead.', { default: '' }),
    maxConcurrentRequests: optional(integer(), 'Parallel requests.', { default: -1 }),
    cleanUpTestingResources: optional(flag(), 'Writes are undone.', { default: true }),
    writeLevel: optional(oneOf(writeLevels), 'What the tests may write.', { default: 'REVERSIBLE' }),
    testConfigsAdvancedSettings: optional(list(requestChange), 'Changes to every request of the run.'),
    testSubCategory: optional(text(), 'Lists only checks of this test; empty for all.', { default: '' }),
    skipped: optional(flag(), 'Lists only skipped checks, or only the others.'),
    skip: optional(integer(), 'Checks left out at the start of the list.', { default: 0 }),
    limit: optional(integer(), 'Checks of one page.', {
      default: pageLimits.tests.byDefault,
      applied: pageSize(pageLimits.tests),
    }),
  },
  answer: root(
    model('DryRun', 'What a test run would do.', {
      endpoints: integer(),
      endpointsRead: integer({ description: 'Endpoints that were looked at.' }),
      tests: integer(),
      planned: integer({ description: 'Checks that would be carried out.' }),
      skipped: integer({ description: 'Checks that would be skipped.' }),
      estimatedChecks: integer({ description: 'Planned checks whose numbers are means of others.' }),
      requests: integer({ description: 'Requests of the whole run, with those before the first check.' }),
      openingRequests: integer({ description: 'Sign-ins, probes for error pages, access questions.' }),
      writes: integer({ description: 'Requests that may change data.' }),
      seconds: decimal({ description: 'How long the run would take.' }),
      measuredMs: nullable(decimal({ description: 'Mean duration of a request; null when assumed.' })),
      hosts: list(
        model('DryRunHost', 'A host that requests would go to.', { host: text(), requests: integer() }),
      ),
      roles: list(
        model('DryRunRole', 'A role that checks would act as.', { role: text(), checks: integer() }),
      ),
      byTest: list(
        model('DryRunTest', 'The checks of one test.', {
          testSubCategory: text(),
          checks: integer(),
          skipped: integer(),
          requests: integer(),
          writes: integer(),
          seconds: decimal(),
        }),
        { description: 'Those that send most first.' },
      ),
      reasons: list(
        model('DryRunReason', 'Checks that would be skipped for the same reason.', {
          outcome: text(),
          reason: text(),
          checks: integer(),
          tests: integer(),
        }),
        { description: 'The most frequent first; at most 200.' },
      ),
      checks: list(check),
      checksCount: integer({ description: 'Checks of the list, over all pages.' }),
    }),
  ),
  role: 'MEMBER',
  access: 'read',
  errors: [
    'INVALID_RUN_TARGET',
    'NO_APIS_GIVEN',
    'NO_SUCH_COLLECTION',
    'NO_COLLECTIONS_GIVEN',
    'WORKFLOW_NOT_FOUND',
    'NO_TEST_SELECTED',
    'INVALID_OVERRIDE_URL',
    'TEST_ROLE_NOT_FOUND',
  ],
  idempotent: true,
  example: {
    request: {
      type: 'CUSTOM',
      apiInfoKeyList: [exampleEndpoint],
      selectedTests: ['REPLACE_AUTH_TOKEN'],
    },
    response: {
      endpoints: 1,
      endpointsRead: 1,
      tests: 1,
      planned: 1,
      skipped: 0,
      estimatedChecks: 0,
      requests: 9,
      openingRequests: 4,
      writes: 0,
      seconds: 0.2,
      measuredMs: 21.5,
      hosts: [{ host: 'shop.test', requests: 9 }],
      roles: [{ role: 'ATTACKER_TOKEN_ALL', checks: 1 }],
      byTest: [
        {
          testSubCategory: 'REPLACE_AUTH_TOKEN',
          checks: 1,
          skipped: 0,
          requests: 5,
          writes: 0,
          seconds: 0.1,
        },
      ],
      reasons: [],
      checks: [
        {
          apiInfoKey: exampleEndpoint,
          testSubCategory: 'REPLACE_AUTH_TOKEN',
          skipped: false,
          requests: 5,
          writes: 0,
          seconds: 0.1,
          roles: ['ATTACKER_TOKEN_ALL'],
          outcome: null,
          reason: null,
        },
      ],
      checksCount: 1,
    },
  },
})
