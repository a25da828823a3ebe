import { group, operation, root, wide } from '../operation.ts'
import { sentIssueId } from '../records/issue.ts'
import { issueObject } from '../records/issue-object.ts'
import { optional, required } from '../request-field.ts'
import { epochSeconds, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { falsePositiveScopes } from '../vocabulary.ts'
import { exampleIssueId } from './issue-examples.ts'

const change = {
  inSpecification: false,
  specified: 'full',
  role: 'MEMBER',
  access: 'write',
  idempotent: true,
} as const
const read = { ...change, role: 'GUEST', access: 'read' } as const

const ids = required(list(sentIssueId, { maxItems: 20_000 }), 'The issues.')
const tag = text({ minLength: 1, maxLength: 40, pattern: '^[^,]+$' })
const days = nullable(integer({ minimum: 1, maximum: 3650, description: 'null: no deadline.' }))
const deadlines = model('IssueDeadlines', 'Days within which open issues are to be fixed.', {
  CRITICAL: days,
  HIGH: days,
  MEDIUM: days,
  LOW: days,
})
const exampleDeadlines = { CRITICAL: 7, HIGH: 30, MEDIUM: 90, LOW: null }
const savedView = model('SavedView', 'Filters of the list of issues under a name.', {
  viewId: text(),
  viewName: text(),
  query: text({ description: 'The query of the address of the list.' }),
  createdBy: text(),
  createdAt: epochSeconds(),
})
const rule = model(
  'FalsePositiveRule',
  'A test whose findings are ignored, because a person knows them to be false.',
  {
    ruleId: integer(),
    testSubCategory: text({ description: 'Id of the test.' }),
    scope: oneOf(falsePositiveScopes),
    apiCollectionId: nullable(integer({ description: 'null everywhere.' })),
    method: nullable(text({ description: 'Only of an endpoint.' })),
    url: nullable(text({ description: 'Only of an endpoint.' })),
    reason: text(),
    createdBy: text(),
    createdAt: epochSeconds(),
    updatedBy: text(),
    updatedAt: epochSeconds(),
    hits: integer({ description: 'Findings that it ignored so far.' }),
    lastHitAt: epochSeconds('0 before the first.'),
    issuesCount: integer({ description: 'Issues that it ignores now.' }),
  },
)
const reason = required(text({ minLength: 3, maxLength: 900 }), 'Why the findings are false.')
const scope = required(oneOf(falsePositiveScopes), 'Where: the endpoint, its collection, or everywhere.')
const ruleId = required(integer(), 'The rule.')
const exampleRule = {
  ruleId: 1,
  testSubCategory: 'REPLACE_AUTH_TOKEN',
  scope: 'ENDPOINT',
  apiCollectionId: 1679459648,
  method: 'GET',
  url: '/orders/INTEGER',
  reason: 'Orders of the demo shop are public',
  createdBy: 'ada@example.org',
  createdAt: 1769854904,
  updatedBy: 'ada@example.org',
  updatedAt: 1769854904,
  hits: 2,
  lastHitAt: 1769858504,
  issuesCount: 1,
} as const

const undone = model('UndoneIssues', 'Issues as they were before.', { undoneCount: integer() })

/** Tags, comments, deadlines, views and false positives, by wire names. */
export const issueCareOperations = group('issues', {
  undoIssueStatus: operation({
    ...change,
    summary: 'Takes the last change of status of issues back',
    description:
      'For issues whose status the newest change of the caller set, within the last 15 minutes; the others stay as they are. undoneCount says how many have their earlier status again.',
    request: { issueIdArray: ids },
    answer: root(undone),
    errors: [],
    idempotent: false,
    example: { request: { issueIdArray: [exampleIssueId] }, response: { undoneCount: 1 } },
  }),

  undoIssueSeverity: operation({
    ...change,
    summary: 'Takes the last change of severity of issues back',
    description:
      'For issues whose severity the newest change of the caller set, within the last 15 minutes; the others stay as they are. Later runs set the severity again where no person had chosen the one before.',
    request: { issueIdArray: ids },
    answer: root(undone),
    errors: [],
    idempotent: false,
    example: { request: { issueIdArray: [exampleIssueId] }, response: { undoneCount: 1 } },
  }),

  tagIssues: operation({
    ...change,
    summary: 'Adds and removes tags of issues',
    description:
      'For all of them in one step; those that do not exist or are hidden are passed over, and when none is left the call is refused. A person can give an issue at most 20 tags: a call that would give one more changes nothing and is refused.',
    request: {
      issueIdArray: ids,
      addTags: optional(list(tag, { maxItems: 20 }), 'Tags to add.', { default: [] }),
      removeTags: optional(list(tag, { maxItems: 100 }), 'Tags to remove.', { default: [] }),
    },
    answer: wide(issueObject, ['issueIdArray']),
    errors: ['ISSUE_NOT_FOUND', 'TOO_MANY_ISSUE_TAGS'],
    example: {
      request: { issueIdArray: [exampleIssueId], addTags: ['payments'], removeTags: [] },
      response: { issueIdArray: [exampleIssueId] },
    },
  }),

  fetchIssueTags: operation({
    ...read,
    summary: 'Lists the tags of issues',
    description: 'By name, with the number of issues; at most 1000.',
    request: {},
    answer: root(
      model('IssueTags', 'Tags of issues.', {
        tags: list(model('IssueTag', 'A tag.', { tag: text(), issues: integer() })),
      }),
    ),
    errors: [],
    example: { request: {}, response: { tags: [{ tag: 'payments', issues: 3 }] } },
  }),

  commentIssue: operation({
    ...change,
    summary: 'Comments on an issue',
    description: 'The comment is an entry of the history of the issue (fetchIssueHistory), with its author.',
    request: {
      issueId: required(sentIssueId, 'The issue.', { refusal: 'ISSUE_ID_NULL' }),
      comment: required(text({ minLength: 1, maxLength: 10_000 }), 'The text.'),
    },
    answer: wide(issueObject, ['issueId']),
    errors: ['ISSUE_NOT_FOUND', 'ISSUE_ID_NULL'],
    idempotent: false,
    example: {
      request: { issueId: exampleIssueId, comment: 'Fixed in release 41.' },
      response: { issueId: exampleIssueId },
    },
  }),

  fetchIssueDeadlines: operation({
    ...read,
    summary: 'Shows within how many days issues are to be fixed',
    description: 'By severity, counted from the first finding, or from when the issue reopened.',
    request: {},
    answer: root(deadlines),
    errors: [],
    example: { request: {}, response: exampleDeadlines },
  }),

  updateIssueDeadlines: operation({
    ...change,
    role: 'ADMIN',
    summary: 'Sets within how many days issues are to be fixed',
    description: 'Replaces all deadlines; due dates of open issues change at once.',
    request: { deadlines: required(deadlines, 'Days by severity.') },
    answer: root(deadlines),
    errors: [],
    example: { request: { deadlines: exampleDeadlines }, response: exampleDeadlines },
  }),

  fetchSavedViews: operation({
    ...read,
    summary: 'Lists the saved views of the list of issues',
    description: 'Those of everybody, by name; callers restricted to some collections get their own.',
    request: {},
    answer: root(model('SavedViews', 'Saved views.', { savedViews: list(savedView) })),
    errors: [],
    example: {
      request: {},
      response: {
        savedViews: [
          {
            viewId: '697dd7b8aabbccddeeff0010',
            viewName: 'Overdue payments',
            query: 'tag=payments&due=overdue',
            createdBy: 'ada@example.org',
            createdAt: 1769854904,
          },
        ],
      },
    },
  }),

  saveView: operation({
    ...change,
    summary: 'Saves filters of the list of issues under a name',
    description: 'A view of the same name and caller is replaced. One person has at most 100.',
    request: {
      viewName: required(text({ minLength: 1, maxLength: 80 }), 'Its name.'),
      query: required(text({ maxLength: 4_000 }), 'The query of the address of the list.'),
    },
    answer: root(model('SavedViewId', 'A view that was saved.', { viewId: text() })),
    errors: ['TOO_MANY_VIEWS'],
    example: {
      request: { viewName: 'Overdue payments', query: 'tag=payments&due=overdue' },
      response: { viewId: '697dd7b8aabbccddeeff0010' },
    },
  }),

  deleteSavedView: operation({
    ...change,
    summary: 'Deletes a saved view',
    description: 'One of the caller; administrators delete those of others, too.',
    request: { viewId: required(text({ minLength: 1, maxLength: 40 }), 'The view.') },
    answer: root(model('DeletedView', 'A view that was deleted.', { viewId: text() })),
    errors: ['VIEW_NOT_FOUND'],
    idempotent: false,
    example: {
      request: { viewId: '697dd7b8aabbccddeeff0010' },
      response: { viewId: '697dd7b8aabbccddeeff0010' },
    },
  }),

  fetchFalsePositives: operation({
    ...read,
    summary: 'Lists the rules for false positives',
    description:
      'The newest first, at most 1000, with how many findings each ignored. Callers restricted to some collections see those of their collections and those that apply everywhere.',
    request: {},
    answer: root(model('FalsePositives', 'Rules for false positives.', { rules: list(rule) })),
    errors: [],
    example: { request: {}, response: { rules: [exampleRule] } },
  }),

  addFalsePositive: operation({
    ...change,
    summary: 'Ignores findings of a test from now on, because they are false',
    description:
      'Makes a rule: findings of the test at the endpoint, in its collection or everywhere make ignored issues, with the reason. Open issues that it applies to are ignored at once. Callers restricted to some collections cannot make one that applies everywhere.',
    request: {
      issueId: required(sentIssueId, 'Test and endpoint of a false finding.', { refusal: 'ISSUE_ID_NULL' }),
      scope,
      reason,
    },
    answer: root(model('FalsePositiveRuleId', 'A rule.', { ruleId: integer() })),
    errors: ['ISSUE_ID_NULL', 'NO_SUCH_COLLECTION'],
    idempotent: false,
    example: {
      request: { issueId: exampleIssueId, scope: 'ENDPOINT', reason: 'Orders of the demo shop are public' },
      response: { ruleId: 1 },
    },
  }),

  updateFalsePositive: operation({
    ...change,
    summary: 'Changes the reason or the scope of a rule for false positives',
    description:
      'Issues that it no longer applies to open again; a rule cannot become narrower than the place it was made for. Callers restricted to some collections cannot change a rule that applies everywhere.',
    request: { ruleId, scope, reason },
    answer: root(model('ChangedRule', 'A rule that was changed.', { ruleId: integer() })),
    errors: ['RULE_NOT_FOUND'],
    example: {
      request: { ruleId: 1, scope: 'COLLECTION', reason: 'Everything in the demo shop is public' },
      response: { ruleId: 1 },
    },
  }),

  deleteFalsePositive: operation({
    ...change,
    summary: 'Removes a rule for false positives',
    description:
      'The issues that it ignored open again. Callers restricted to some collections cannot remove a rule that applies everywhere.',
    request: { ruleId },
    answer: root(model('RemovedRule', 'A rule that was removed.', { ruleId: integer() })),
    errors: ['RULE_NOT_FOUND'],
    idempotent: false,
    example: { request: { ruleId: 1 }, response: { ruleId: 1 } },
  }),
})
