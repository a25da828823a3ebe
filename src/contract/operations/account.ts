import { group, none, operation, root, wide } from '../operation.ts'
import { tokenObject } from '../records/api-token.ts'
import { invitation, user, userRole } from '../records/user.ts'
import { optional, required } from '../request-field.ts'
import {
  epochSeconds,
  flag,
  integer,
  list,
  mapOf,
  model,
  nullable,
  oneOf,
  password,
  text,
} from '../schema.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

const exampleUser = {
  id: 1001,
  login: 'ada@example.org',
  name: 'Ada',
  role: 'ADMIN',
  collectionIds: null,
  lastLoginTs: 1769854500,
  createdTs: 1769800000,
}

const exampleToken = {
  id: 1769854500,
  accountId: 1000000,
  name: 'automation',
  key: 'exampleexampleexampleexampleexampleexamp',
  timestamp: 1769854500,
  username: 'ada@example.org',
  utility: 'EXTERNAL_API',
  lastUsedTs: 0,
  expiresTs: 0,
}

/** Users, roles, keys and sessions, by their wire names. */
export const accountOperations = group('account', {
  fetchOwnUser: operation({
    ...shared,
    summary: 'Tells who calls',
    description: 'The user behind the session or the key, and the kind of credential used.',
    request: {},
    answer: root(
      model('OwnUser', 'The caller.', {
        user,
        via: oneOf(['SESSION', 'EXTERNAL_API', 'CICD', 'BURP'], { description: 'Kind of credential.' }),
        accountId: integer({ description: 'The organisation of this installation.' }),
      }),
    ),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: { request: {}, response: { user: exampleUser, via: 'SESSION', accountId: 1000000 } },
  }),

  addApiToken: operation({
    ...shared,
    summary: 'Creates an API key for the caller',
    description:
      'The list in the answer has only the new key, in full. It is not shown again (a BURP key is). Calls with the key run with the rights of its owner.',
    request: {
      tokenUtility: required(
        oneOf(['EXTERNAL_API', 'CICD', 'BURP']),
        'EXTERNAL_API opens every operation that keys reach, CICD and BURP those that name them.',
      ),
      name: optional(text({ maxLength: 100 }), 'A name to tell keys apart.'),
      expiresInDays: optional(
        integer({ minimum: 1, maximum: 3650 }),
        'Days until the key stops working; absent or null for a key that does not expire.',
      ),
    },
    answer: wide(tokenObject, ['apiTokenList', 'tokenUtility']),
    role: 'GUEST',
    access: 'write',
    sessionOnly: true,
    errors: ['TOO_MANY_KEYS'],
    idempotent: false,
    example: {
      request: { tokenUtility: 'EXTERNAL_API', name: 'automation' },
      response: { apiTokenList: [exampleToken], tokenUtility: 'EXTERNAL_API' },
    },
  }),

  fetchApiTokens: operation({
    ...shared,
    summary: 'Lists the caller’s API keys and the chat webhooks',
    description: 'Keys in their masked form, newest first; chat webhooks have the utility SLACK.',
    request: {},
    answer: wide(tokenObject, ['apiTokenList']),
    role: 'GUEST',
    access: 'read',
    sessionOnly: true,
    errors: [],
    idempotent: true,
    example: { request: {}, response: { apiTokenList: [{ ...exampleToken, key: 'exam…' }] } },
  }),

  deleteApiToken: operation({
    ...shared,
    summary: 'Deletes one of the caller’s API keys',
    description:
      'The key stops working at once, on every process within seconds. Administrators may delete any.',
    request: { apiTokenId: required(integer(), 'Id that fetchApiTokens shows.') },
    answer: wide(tokenObject, ['apiTokenDeleted', 'apiTokenId']),
    role: 'GUEST',
    access: 'write',
    sessionOnly: true,
    errors: ['NO_SUCH_KEY'],
    idempotent: false,
    example: {
      request: { apiTokenId: 1769854500 },
      response: { apiTokenDeleted: true, apiTokenId: 1769854500 },
    },
  }),

  getTeamData: operation({
    ...shared,
    summary: 'Lists the users and the open invitations',
    description: 'Users by id; invitations newest first, empty for callers who are not administrators.',
    request: {},
    answer: root(
      model('TeamData', 'The people of this installation.', {
        users: list(user),
        invitations: list(invitation),
      }),
    ),
    role: 'MEMBER',
    access: 'read',
    errors: [],
    idempotent: true,
    example: { request: {}, response: { users: [exampleUser], invitations: [] } },
  }),

  inviteUsers: operation({
    ...shared,
    summary: 'Invites people',
    description:
      'One invitation per address, valid for seven days, or as VIGIL_INVITATION_HOURS says; a second one for the same address replaces the first. The answer holds the code and the link to hand over, which are not shown again. One address that cannot be invited refuses the whole call.',
    request: {
      invitations: required(
        list(
          model('InvitationRequest', 'Whom to invite.', {
            email: text({ maxLength: 254 }),
            role: userRole(),
          }),
          {
            minItems: 1,
            maxItems: 100,
          },
        ),
        'Addresses and roles.',
      ),
    },
    answer: root(
      model('InvitationsMade', 'The invitations of this call.', {
        invitations: list(
          model('InvitationMade', 'A new invitation.', {
            email: text(),
            role: userRole(),
            invitationCode: text({ description: 'What sign-up asks for.' }),
            isMailed: flag({ description: 'Whether the link was mailed; needs VIGIL_SMTP_URL.' }),
            link: text({ description: 'Sign-up page with the code.' }),
            expiresTs: epochSeconds(),
          }),
        ),
      }),
    ),
    role: 'ADMIN',
    access: 'write',
    sessionOnly: true,
    errors: ['INVALID_EMAIL', 'USER_EXISTS'],
    idempotent: false,
    example: {
      request: { invitations: [{ email: 'grace@example.org', role: 'MEMBER' }] },
      response: {
        invitations: [
          {
            email: 'grace@example.org',
            role: 'MEMBER',
            invitationCode: 'examplecode',
            isMailed: false,
            link: 'http://127.0.0.1:9090/signup?invitationCode=examplecode',
            expiresTs: 1770459300,
          },
        ],
      },
    },
  }),

  removeUser: operation({
    ...shared,
    summary: 'Removes a user, or an open invitation',
    description: 'Ends the user’s sessions and deletes the user’s keys. What the user made stays.',
    request: { email: required(text(), 'E-mail address of the user.') },
    answer: root(model('UserRemoved', 'Whom the call removed.', { email: text() })),
    role: 'ADMIN',
    access: 'write',
    sessionOnly: true,
    errors: ['NO_SUCH_USER', 'LAST_ADMIN', 'OWN_ACCOUNT'],
    idempotent: false,
    example: { request: { email: 'grace@example.org' }, response: { email: 'grace@example.org' } },
  }),

  updateUserRole: operation({
    ...shared,
    summary: 'Changes the role of a user',
    description: 'Holds from the user’s next call on. The last administrator keeps the role.',
    request: {
      email: required(text(), 'E-mail address of the user.'),
      role: required(userRole(), 'The new role.'),
    },
    answer: root(model('UserRoleUpdated', 'The user after the change.', { user })),
    role: 'ADMIN',
    access: 'write',
    sessionOnly: true,
    errors: ['NO_SUCH_USER', 'LAST_ADMIN'],
    idempotent: true,
    example: {
      request: { email: 'ada@example.org', role: 'ADMIN' },
      response: { user: exampleUser },
    },
  }),

  updateUserCollections: operation({
    ...shared,
    summary: 'Restricts users to lists of collections',
    description:
      'User id to the collections the user may see; null lifts the restriction. Users the map does not name keep theirs. Administrators are never restricted. What a restricted user creates, by name or by an import, is added to the list; the grant of a group covers reading its members.',
    request: {
      userCollectionMap: required(
        mapOf(nullable(list(integer(), { maxItems: 10_000 }))),
        'User id to list of collection ids, or null.',
      ),
    },
    answer: root(
      model('UserCollectionsUpdated', 'How many users the call changed.', {
        updated: integer({ minimum: 0 }),
      }),
    ),
    role: 'ADMIN',
    access: 'write',
    errors: ['NO_SUCH_USER', 'NO_SUCH_COLLECTION'],
    idempotent: true,
    example: {
      request: { userCollectionMap: { '1002': [1679459648], '1003': null } },
      response: { updated: 2 },
    },
  }),

  updatePassword: operation({
    ...shared,
    summary: 'Changes the caller’s password',
    description: 'Ends every other session of the caller, and revokes the caller’s API keys if asked to.',
    request: {
      currentPassword: required(password({ maxLength: 1000 }), 'The password so far.'),
      newPassword: required(
        password({ maxLength: 1000 }),
        'The new one: 12 to 128 characters; common passwords, patterns and the e-mail address are refused.',
      ),
      revokeApiTokens: optional(flag(), 'Whether the caller’s API keys stop working; false unless given.'),
    },
    answer: root(
      model('PasswordUpdated', 'Whether the password was changed.', {
        passwordUpdated: flag({ description: 'Always true; failures are errors.' }),
        apiTokensRevoked: integer({ minimum: 0, description: 'API keys that the call revoked.' }),
      }),
    ),
    role: 'GUEST',
    access: 'write',
    sessionOnly: true,
    errors: ['WRONG_CREDENTIALS', 'NO_PASSWORD', 'WEAK_PASSWORD'],
    idempotent: false,
    example: {
      request: { currentPassword: 'example passphrase 1', newPassword: 'example passphrase 2' },
      response: { passwordUpdated: true, apiTokensRevoked: 0 },
    },
  }),

  logout: operation({
    ...shared,
    summary: 'Ends the session',
    description: 'The refresh cookie is cleared and the access token of the session stops working.',
    request: {},
    answer: none,
    role: 'GUEST',
    access: 'write',
    sessionOnly: true,
    errors: [],
    idempotent: true,
    example: { request: {} },
  }),
})
