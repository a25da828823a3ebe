import { group, operation, root } from '../operation.ts'
import { optional } from '../request-field.ts'
import { count, epochSeconds, integer, list, model, nullable, openObject, text } from '../schema.ts'

const change = model('AuditChange', 'A record that differs.', {
  kind: text({ description: 'user, collection, test role …' }),
  id: text(),
  before: nullable(openObject({ description: 'Fields that differ; null: the record did not exist.' })),
  after: nullable(openObject({ description: 'Fields that differ; null: the record was removed.' })),
})

const entry = model('AuditEntry', 'Something that a person or a program of theirs did.', {
  id: integer(),
  timestamp: epochSeconds(),
  login: text({ description: 'E-mail address at that time; what was typed for a refused sign-in.' }),
  via: text({ description: 'SESSION, the kind of the key, or PASSWORD and OIDC for sign-ins.' }),
  keyId: nullable(integer({ description: 'The key that called.' })),
  ip: text(),
  action: text({ description: 'Operation, or signIn and signUp.' }),
  outcome: nullable(
    text({ description: 'OK, or an error code; null while it runs or when the process died.' }),
  ),
  request: openObject({ description: 'Fields of the request; values that may be secrets are hidden.' }),
  changes: list(change),
})

/** The audit log, by its wire name. */
export const auditOperations = group('account', {
  fetchAuditLog: operation({
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    summary: 'Lists changes with actor, before and after',
    description:
      'Every write that a person decided on and every sign-in, refused ones included, newest first. Traffic and reports of crawl workers are not in it. Secrets are hidden, documents given as length and hash. Kept for VIGIL_AUDIT_DAYS.',
    request: {
      skip: optional(integer({ minimum: 0 }), 'Entries to leave out, from the newest on.', { default: 0 }),
      limit: optional(integer({ minimum: 1, maximum: 1000 }), 'How many.', { default: 50 }),
      login: optional(text({ maxLength: 300 }), 'Only what this person did.'),
      action: optional(text({ maxLength: 100 }), 'Only this operation.'),
      startTimestamp: optional(epochSeconds(), 'Only from then on.'),
      endTimestamp: optional(epochSeconds(), 'Only until then.'),
    },
    answer: root(
      model('AuditLog', 'Entries, and how many there are in all.', {
        auditLogs: list(entry),
        total: count(),
        actions: list(text(), { description: 'Every action that can be asked for.' }),
      }),
    ),
    role: 'ADMIN',
    access: 'read',
    errors: [],
    idempotent: true,
    example: {
      request: { limit: 1 },
      response: {
        auditLogs: [
          {
            id: 17,
            timestamp: 1769854500,
            login: 'ada@example.org',
            via: 'SESSION',
            keyId: null,
            ip: '203.0.113.7',
            action: 'updateUserRole',
            outcome: 'OK',
            request: { email: 'bob@example.org', role: 'ADMIN' },
            changes: [
              { kind: 'user', id: 'bob@example.org', before: { role: 'MEMBER' }, after: { role: 'ADMIN' } },
            ],
          },
        ],
        total: 1,
        actions: ['signIn', 'updateUserRole'],
      },
    },
  }),
})
