import { group, operation, root, wide } from '../operation.ts'
import { authMechanismObject, authParam, recordedLoginFlow } from '../records/auth-mechanism.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { roleConditions, testRoleObject } from '../records/test-role.ts'
import { optional, required } from '../request-field.ts'
import {
  decimal,
  either,
  epochSeconds,
  flag,
  integer,
  list,
  mapOf,
  model,
  nullable,
  openObject,
  text,
} from '../schema.ts'
import { exampleAuthMechanism } from './test-run-examples.ts'

const change = {
  inSpecification: false,
  specified: 'full',
  role: 'MEMBER',
  access: 'write',
  idempotent: true,
} as const

const roleName = required(text({ maxLength: 100 }), 'Name of the role.', { default: '' })
const conditions = {
  andConditions: optional(roleConditions, 'All of these must fit an endpoint.'),
  orConditions: optional(roleConditions, 'One of these must fit an endpoint.'),
}
const credential = {
  apiCond: optional(
    either(mapOf(text()), list(openObject())),
    'Request headers that must match: header to value; none for the default entry.',
  ),
  authParamData: optional(list(authParam, { maxItems: 100 }), 'What authenticates.', { default: [] }),
  authAutomationType: optional(text(), 'HARDCODED, LOGIN_REQUEST, DIGEST_AUTH, TLS_AUTH or SAMPLE_DATA.', {
    default: 'HARDCODED',
  }),
  reqData: optional(
    list(openObject(), { maxItems: 100 }),
    'Steps of a login by requests: url, method, queryParams, headers, body, name, extract; texts take values as ${x1.response.body.token}. Of SAMPLE_DATA the endpoint: apiCollectionId, method, url.',
  ),
  recordedLoginFlowInput: optional(recordedLoginFlow, 'A recorded login.'),
  urlRegex: optional(
    text({ maxLength: 1000 }),
    'Pattern that the URL must match; none for the default entry.',
  ),
}
const answer = wide(testRoleObject, ['selectedRole'])
const exampleAuth = {
  roleName: 'MEMBER',
  apiCond: {},
  authParamData: [{ where: 'HEADER', key: 'Authorization', value: 'Bearer example', showHeader: true }],
  authAutomationType: 'HARDCODED',
}

/** Test roles and their credentials, by wire names. */
export const testRoleOperations = group('test-runs', {
  addTestRoles: operation({
    ...change,
    summary: 'Makes a test role',
    description: 'A name, and which endpoints it may call. The answer holds it.',
    request: { roleName, ...conditions },
    answer,
    errors: ['TEST_ROLE_NAME_EMPTY', 'TEST_ROLE_EXISTS', 'INVALID_ROLE_PATTERN'],
    idempotent: false,
    example: {
      request: {
        roleName: 'SUPPORT',
        orConditions: { operator: 'OR', predicates: [{ type: 'CONTAINS', value: '/api/user/' }] },
      },
      response: { selectedRole: null },
    },
  }),

  updateTestRoles: operation({
    ...change,
    summary: 'Changes which endpoints a test role may call',
    description: 'Replaces both conditions. Those of the role of the system are fixed.',
    request: { roleName, ...conditions },
    answer,
    errors: ['TEST_ROLE_NAME_EMPTY', 'TEST_ROLE_UNKNOWN', 'TEST_ROLE_FIXED', 'INVALID_ROLE_PATTERN'],
    example: {
      request: {
        roleName: 'MEMBER',
        orConditions: { operator: 'OR', predicates: [{ type: 'CONTAINS', value: '/api/user/' }] },
      },
      response: { selectedRole: null },
    },
  }),

  deleteTestRole: operation({
    ...change,
    summary: 'Deletes a test role with its credentials',
    description: 'The role of the system stays.',
    request: { roleName },
    answer,
    errors: ['TEST_ROLE_NAME_EMPTY', 'TEST_ROLE_UNKNOWN', 'TEST_ROLE_FIXED'],
    idempotent: false,
    example: { request: { roleName: 'MEMBER' }, response: { selectedRole: null } },
  }),

  shareTestRole: operation({
    ...change,
    summary: 'Says who may use a test role, beside people with all collections',
    description:
      'Replaces the list. People restricted to some collections use a role in runs and crawls when they made it, or when it is shared with one of their collections: then its credentials go wherever their targets are. [] shares it with nobody. Only people with access to all collections may call it; the role of the system can be shared too.',
    request: {
      roleName,
      apiCollectionIds: required(list(integer()), 'Collections whose people may use the role.'),
    },
    answer,
    errors: ['TEST_ROLE_NAME_EMPTY', 'TEST_ROLE_UNKNOWN', 'NO_SUCH_COLLECTION'],
    example: {
      request: { roleName: 'MEMBER', apiCollectionIds: [1679459648] },
      response: { selectedRole: null },
    },
  }),

  addAuthToRole: operation({
    ...change,
    summary: 'Gives a test role a credential',
    description: 'One with the same conditions is replaced. The entry without conditions is the default.',
    request: { roleName, ...credential },
    answer,
    errors: [
      'TEST_ROLE_NAME_EMPTY',
      'TEST_ROLE_UNKNOWN',
      'AUTH_PARAMETER_EMPTY',
      'AUTH_VALUE_MASKED',
      'INVALID_ROLE_URL_PATTERN',
    ],
    example: { request: exampleAuth, response: { selectedRole: null } },
  }),

  updateAuthInRole: operation({
    ...change,
    summary: 'Replaces a credential of a test role',
    description: 'index counts from 0 in the order of authWithCondList.',
    request: {
      roleName,
      ...credential,
      index: required(integer({ minimum: 0 }), 'Place in authWithCondList.'),
    },
    answer,
    errors: [
      'TEST_ROLE_NAME_EMPTY',
      'TEST_ROLE_UNKNOWN',
      'TEST_ROLE_AUTH_UNKNOWN',
      'AUTH_PARAMETER_EMPTY',
      'AUTH_VALUE_MASKED',
      'INVALID_ROLE_URL_PATTERN',
    ],
    example: { request: { ...exampleAuth, index: 0 }, response: { selectedRole: null } },
  }),

  deleteAuthFromRole: operation({
    ...change,
    summary: 'Takes a credential from a test role',
    description: 'index counts from 0 in the order of authWithCondList.',
    request: { roleName, index: required(integer({ minimum: 0 }), 'Place in authWithCondList.') },
    answer,
    errors: ['TEST_ROLE_NAME_EMPTY', 'TEST_ROLE_UNKNOWN', 'TEST_ROLE_AUTH_UNKNOWN'],
    idempotent: false,
    example: { request: { roleName: 'MEMBER', index: 0 }, response: { selectedRole: null } },
  }),

  addAuthMechanism: operation({
    ...change,
    summary: 'Sets how tests attack: the default credential of the role of the system',
    description: 'Replaces the one before. The answer holds it.',
    request: {
      type: required(text(), 'HARDCODED, LOGIN_REQUEST, DIGEST_AUTH, TLS_AUTH or SAMPLE_DATA.', {
        default: 'HARDCODED',
      }),
      requestData: optional(
        list(openObject(), { maxItems: 100 }),
        'Steps of a login by requests: url, method, queryParams, headers, body, name, extract; texts take values as ${x1.response.body.token}. Of SAMPLE_DATA the endpoint: apiCollectionId, method, url.',
      ),
      uuid: optional(text(), 'Accepted and ignored.'),
      authParamData: required(list(authParam, { maxItems: 100 }), 'What authenticates.', { default: [] }),
    },
    answer: wide(authMechanismObject, ['authMechanism']),
    errors: ['AUTH_PARAMETER_EMPTY', 'AUTH_VALUE_MASKED'],
    example: {
      request: {
        type: 'HardCoded',
        requestData: null,
        authParamData: [{ where: 'HEADER', key: 'Authorization', value: 'Bearer example', showHeader: true }],
      },
      response: { authMechanism: exampleAuthMechanism },
    },
  }),

  tryTestLogin: operation({
    ...change,
    summary: 'Signs a test role in once and tells every step',
    description:
      'Uses the stored credential, sends its login to the hosts that its steps name, and keeps nothing. With a collection, at most eight of its endpoints that only read (GET, without another method in a header or the query, and without an action such as logout in the path) are asked as the role and without credentials, to show what the session reaches. Logins are tried one after the other; OVERLOADED says that too many wait. Answers and session values are masked. A recorded login is played in a browser; uploadRecordedFlow shows its pictures.',
    request: {
      roleName,
      index: required(integer({ minimum: 0 }), 'Place in authWithCondList.', {
        default: 0,
        exempt: 'always',
      }),
      apiCollectionId: optional(integer(), 'A collection to show what is reached; 0 for none.', {
        default: 0,
      }),
    },
    answer: root(
      model('TriedLogin', 'What a login came to.', {
        signedIn: flag(),
        reason: nullable(text({ description: 'Why not, as a sentence.' })),
        steps: list(
          model('TriedLoginStep', 'One request of a login.', {
            method: text(),
            url: text({ description: 'Without its query.' }),
            status: nullable(integer()),
            failure: nullable(text({ description: 'Code of the failure; null when it was answered.' })),
            durationMs: decimal(),
            answer: text({
              description:
                'Status, headers and body without secrets, cut. Values of an answer that succeeded are left out, except those that explain it, such as message and token_type.',
            }),
          }),
        ),
        session: list(
          model('TriedSessionValue', 'A value that requests of the role carry.', {
            where: text(),
            key: text(),
            value: text({ description: 'Masked.' }),
          }),
        ),
        expiresAt: epochSeconds('0 for values that do not end.'),
        reached: list(
          model('ReachedEndpoint', 'An endpoint that was asked as the role.', {
            apiInfoKey: endpointKey,
            status: nullable(integer({ description: 'As the role; null without an answer.' })),
            anonymousStatus: nullable(integer({ description: 'Without credentials.' })),
          }),
        ),
      }),
    ),
    errors: ['TEST_ROLE_NAME_EMPTY', 'TEST_ROLE_UNKNOWN', 'TEST_ROLE_AUTH_UNKNOWN', 'NO_SUCH_COLLECTION'],
    idempotent: false,
    example: {
      request: { roleName: 'MEMBER', index: 0 },
      response: {
        signedIn: true,
        reason: null,
        steps: [
          {
            method: 'POST',
            url: 'https://shop.test/login',
            status: 200,
            failure: null,
            durationMs: 18,
            answer: 'HTTP/1.1 200 OK',
          },
        ],
        session: [{ where: 'HEADER', key: 'Authorization', value: 'Bear***' }],
        expiresAt: 1769856704,
        reached: [],
      },
    },
  }),
})
