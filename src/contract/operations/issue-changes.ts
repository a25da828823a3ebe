import { pageLimits } from '../limits.ts'
import { group, operation, root, wide } from '../operation.ts'
import { sentIssueId } from '../records/issue.ts'
import { issueEvent } from '../records/issue-event.ts'
import { issueObject } from '../records/issue-object.ts'
import { optional, pageSize, required } from '../request-field.ts'
import { epochSeconds, integer, list, mapOf, model, nullable, oneOf, text } from '../schema.ts'
import { issueStatuses, severities } from '../vocabulary.ts'
import { filled } from '../wide-record.ts'
import { exampleIssue, exampleIssueId } from './issue-examples.ts'
import { exampleIds } from './test-run-examples.ts'

const change = {
  inSpecification: false,
  specified: 'full',
  role: 'MEMBER',
  access: 'write',
  idempotent: true,
} as const

const status = required(oneOf(issueStatuses), 'The new status.')
const reason = required(text({ maxLength: 1000 }), 'Why it is ignored; kept only with IGNORED.', {
  default: '',
})
const until = optional(
  epochSeconds(),
  'When an ignored issue opens again automatically; 0 for never. Read only with IGNORED.',
  { default: 0 },
)
const ids = required(list(sentIssueId, { maxItems: 20_000 }), 'The issues.')
const severity = required(oneOf(severities), 'The new severity.')

/** Issues that were not as wanted already: undo takes this change back only where it is not 0. */
const changedCount = { changedCount: filled(integer(), 0) }

/** What people do to issues, by wire names. */
export const issueChangeOperations = group('issues', {
  updateIssueStatus: operation({
    ...change,
    summary: 'Sets the status of an issue',
    description:
      'IGNORED keeps the reason, flags the results of the latest execution and takes them out of its counts; no run changes the status of an ignored issue. FIXED is opened again by the next finding. The answer holds what was stored.',
    request: {
      issueId: required(sentIssueId, 'The issue.', { refusal: 'ISSUE_ID_NULL' }),
      statusToBeUpdated: status,
      ignoreReason: reason,
      ignoreUntil: until,
    },
    answer: wide(issueObject, ['issueId', 'statusToBeUpdated', 'ignoreReason']),
    errors: ['ISSUE_NOT_FOUND', 'ISSUE_ID_NULL', 'IGNORE_UNTIL_PAST'],
    example: {
      request: { issueId: exampleIssueId, statusToBeUpdated: 'IGNORED', ignoreReason: 'False positive' },
      response: { issueId: exampleIssueId, statusToBeUpdated: 'IGNORED', ignoreReason: 'False positive' },
    },
  }),

  bulkUpdateIssueStatus: operation({
    ...change,
    summary: 'Sets the status of several issues',
    description:
      'As updateIssueStatus, for all of them in one step; those that do not exist or are hidden are passed over, and when none is left the call is refused. A description sets the note of each.',
    request: {
      issueIdArray: ids,
      statusToBeUpdated: status,
      ignoreReason: reason,
      ignoreUntil: until,
      description: optional(text({ maxLength: 10_000 }), 'Note on each issue; empty text clears it.'),
      testingRunResultHexIdsMap: optional(mapOf(text()), 'Accepted and ignored: the issues are named.'),
    },
    answer: wide(issueObject, ['issueIdArray', 'statusToBeUpdated', 'ignoreReason'], changedCount),
    errors: ['ISSUE_NOT_FOUND', 'IGNORE_UNTIL_PAST'],
    example: {
      request: { issueIdArray: [exampleIssueId], statusToBeUpdated: 'FIXED', ignoreReason: '' },
      response: {
        issueIdArray: [exampleIssueId],
        statusToBeUpdated: 'FIXED',
        ignoreReason: null,
        changedCount: 1,
      },
    },
  }),

  bulkUpdateIssueSeverity: operation({
    ...change,
    summary: 'Sets the severity of several issues',
    description:
      'Applies to the issues, all their results and the counts of the executions concerned; later runs do not change it. Issues that do not exist or are hidden are skipped; if none is left, the call is refused.',
    request: { issueIdArray: ids, severityToBeUpdated: severity },
    answer: wide(issueObject, ['issueIdArray'], changedCount),
    errors: ['ISSUE_NOT_FOUND'],
    example: {
      request: { issueIdArray: [exampleIssueId], severityToBeUpdated: 'LOW' },
      response: { issueIdArray: [exampleIssueId], changedCount: 1 },
    },
  }),

  bulkUpdateTestResultsSeverity: operation({
    ...change,
    summary: 'Sets the severity of the issues that results belong to',
    description: 'As bulkUpdateIssueSeverity, with the issues named by their results.',
    request: {
      testingRunResultHexIds: required(list(text(), { maxItems: 20_000 }), 'The results.'),
      severityToBeUpdated: severity,
    },
    answer: wide(issueObject, ['issueIdArray']),
    errors: ['INVALID_TEST_RESULT_ID', 'TEST_RESULT_NOT_FOUND'],
    example: {
      request: { testingRunResultHexIds: [exampleIds.result], severityToBeUpdated: 'MEDIUM' },
      response: { issueIdArray: [exampleIssueId] },
    },
  }),

  assignIssue: operation({
    ...change,
    summary: 'Gives an issue to a person',
    description: 'The person is named by e-mail address and must have an account; null takes the issue back.',
    request: {
      issueId: required(sentIssueId, 'The issue.', { refusal: 'ISSUE_ID_NULL' }),
      assignee: required(text(), 'E-mail address of the person; null for nobody.', { default: null }),
    },
    answer: wide(issueObject, ['issueId']),
    errors: ['ISSUE_NOT_FOUND', 'ISSUE_ID_NULL', 'ASSIGNEE_UNKNOWN'],
    example: {
      request: { issueId: exampleIssueId, assignee: null },
      response: { issueId: exampleIssueId },
    },
  }),

  bulkAssignIssues: operation({
    ...change,
    summary: 'Gives several issues to a person',
    description:
      'As assignIssue, for all of them in one step; those that do not exist or are hidden are passed over, and when none is left the call is refused.',
    request: {
      issueIdArray: ids,
      assignee: required(text(), 'E-mail address of the person; null for nobody.', { default: null }),
    },
    answer: wide(issueObject, ['issueIdArray']),
    errors: ['ISSUE_NOT_FOUND', 'ASSIGNEE_UNKNOWN'],
    example: {
      request: { issueIdArray: [exampleIssueId], assignee: null },
      response: { issueIdArray: [exampleIssueId] },
    },
  }),

  fetchIssueHistory: operation({
    ...change,
    role: 'GUEST',
    access: 'read',
    summary: 'Lists what happened to an issue',
    description:
      'Findings and changes, newest first, at most 1000: FOUND (a run found it), CREATED, STATUS, SEVERITY, ASSIGNEE, DESCRIPTION, TICKET, COMMENT, TAGS.',
    request: { issueId: required(sentIssueId, 'The issue.', { refusal: 'ISSUE_ID_NULL' }) },
    answer: root(
      model('IssueHistory', 'What happened to an issue.', {
        issueHistory: list(issueEvent),
        assignee: nullable(text({ description: 'Whose it is.' })),
      }),
    ),
    errors: ['ISSUE_NOT_FOUND', 'ISSUE_ID_NULL'],
    example: {
      request: { issueId: exampleIssueId },
      response: {
        issueHistory: [
          {
            kind: 'CREATED',
            from: null,
            to: 'HIGH',
            actor: null,
            note: null,
            testingRunSummaryHexId: exampleIds.summary,
            testingRunResultHexId: exampleIds.result,
            timestamp: 1769854904,
          },
        ],
        assignee: 'ada@example.org',
      },
    },
  }),

  fetchAffectedEndpoints: operation({
    ...change,
    role: 'GUEST',
    access: 'read',
    summary: 'Lists issues of the same test on other endpoints',
    description: 'At most 3, OPEN before the others, newest first.',
    request: { issueId: required(sentIssueId, 'The issue.', { refusal: 'ISSUE_ID_NULL' }) },
    answer: wide(issueObject, ['similarlyAffectedIssues']),
    errors: ['ISSUE_NOT_FOUND', 'ISSUE_ID_NULL'],
    example: {
      request: { issueId: exampleIssueId },
      response: { similarlyAffectedIssues: [exampleIssue] },
    },
  }),

  fetchIssuesFromCollections: operation({
    ...change,
    role: 'GUEST',
    access: 'read',
    summary: 'Pages through issues with what is known of their tests, for exports',
    description:
      'Issues of the collections of these names, newest first. The three counts apply every filter but filterStatus. Limits of 0 or less mean 100, the most is 10000.',
    request: {
      filterCollectionNames: required(list(text()), 'Names of collections.'),
      siteUrl: optional(text(), 'Address of the dashboard, for issueUrl; that of this server unless sent.'),
      skip: optional(integer(), 'Issues to leave out.', { default: 0 }),
      limit: optional(integer(), 'Issues per page.', {
        default: pageLimits.collectionIssues.byDefault,
        applied: pageSize(pageLimits.collectionIssues),
      }),
      filterStatus: optional(list(oneOf(issueStatuses)), 'Statuses.'),
      filterSeverity: optional(list(oneOf(severities)), 'Severities.'),
      startEpoch: optional(epochSeconds(), 'Earliest creation, included; 0 or less for no bound.', {
        default: 0,
        alias: 'startTimeStamp',
      }),
      endTimeStamp: optional(epochSeconds(), 'Latest creation, not included; 0 or less for now.', {
        default: 0,
      }),
    },
    answer: root(
      model('IssueExport', 'Issues with what is known of their tests.', {
        issueDetails: list(
          model('IssueDetail', 'An issue with what is known of its test.', {
            apiUrl: text(),
            apiMethod: text(),
            apiCollectionId: integer(),
            testSubCategory: text({ description: 'Id of the test.' }),
            status: oneOf(issueStatuses),
            severity: oneOf(severities),
            creationTime: integer({ description: 'Epoch seconds.' }),
            lastSeen: integer({ description: 'Epoch seconds.' }),
            issueUrl: text({ description: 'Its page in the dashboard.' }),
            testName: nullable(text()),
            testDescription: nullable(text()),
            testDetails: nullable(text()),
            testImpact: nullable(text()),
            testRemediation: nullable(text({ description: 'Markdown.' })),
            testSeverityFromTemplate: nullable(text()),
            testTags: list(text()),
            testReferences: list(text()),
            testCwe: list(text()),
            testCve: list(text()),
            testCategory: text({ description: 'Name of the category.' }),
          }),
        ),
        openIssuesCount: integer(),
        fixedIssuesCount: integer(),
        ignoredIssuesCount: integer(),
      }),
    ),
    errors: ['COLLECTION_NAMES_REQUIRED', 'NO_COLLECTION_MATCHES'],
    example: {
      request: { filterCollectionNames: ['seeded shop'] },
      response: { issueDetails: [], openIssuesCount: 0, fixedIssuesCount: 0, ignoredIssuesCount: 0 },
    },
  }),
})
