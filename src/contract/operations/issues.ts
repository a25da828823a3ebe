import { issueNoteLength, pageLimits } from '../limits.ts'
import { group, operation, root, wide } from '../operation.ts'
import { apiInfo } from '../records/api-info.ts'
import { endpointKey } from '../records/endpoint-key.ts'
import { issue, issueGroup, sentIssueId } from '../records/issue.ts'
import { chartBuckets, issueObject } from '../records/issue-object.ts'
import { severityCounts } from '../records/test-run.ts'
import { knownWord, optional, pageSize, required } from '../request-field.ts'
import {
  absentable,
  either,
  epochSeconds,
  flag,
  integer,
  list,
  mapOf,
  model,
  oneOf,
  text,
} from '../schema.ts'
import { issueSortKeys, issueStatuses, resultSeverities, trendKeys } from '../vocabulary.ts'
import { filled } from '../wide-record.ts'
import { exampleIssue, exampleIssueId } from './issue-examples.ts'
import { exampleResult } from './test-run-examples.ts'

const shared = { inSpecification: true, role: 'GUEST', access: 'read', errors: [], idempotent: true } as const

const statuses = list(oneOf(issueStatuses))
const pages = pageLimits.issues

/** Filters that most lists and counts of issues take; null and [] mean no filter. */
const filters = {
  filterCollectionsId: optional(list(integer()), 'Collections or groups.'),
  filterSeverity: optional(list(oneOf(resultSeverities)), 'Severities.'),
  filterSubCategory: optional(list(text()), 'Ids of tests.'),
  filterCompliance: optional(list(text()), 'Standards that the test is mapped to.'),
}

const start = (what: string) =>
  required(epochSeconds(), `${what}, included; 0 or less for no bound.`, {
    default: 0,
    alias: 'startTimeStamp',
  })
const end = (what: string) =>
  required(epochSeconds(), `${what}, not included; 0 or less for now.`, { default: 0 })
const endIncluded = required(epochSeconds(), 'Latest creation, included; 0 or less for now.', { default: 0 })
const active = required(flag(), 'Leave out deactivated collections.', { default: false })

const issuesByApis = model('IssuesByApis', 'Open issues by endpoint.', {
  countByAPIs: mapOf(integer(), {
    description:
      'Text "<apiCollectionId> <url> <METHOD>" to number of OPEN issues, each cause once, the largest first.',
  }),
  issueNamesByAPIs: absentable(
    list(
      model('ApiWithIssues', 'An endpoint with the tests that found something there.', {
        apiInfo,
        issueNames: list(text(), { description: 'Ids of the tests.' }),
      }),
      { description: 'Only with showIssues.' },
    ),
  ),
})

/** Issues and what is counted from them, by their wire names. */
export const issueOperations = group('issues', {
  fetchAllIssues: operation({
    ...shared,
    summary: 'Pages through the issues',
    description: `Issues created in the window that fit every filter; null and empty lists filter nothing. Findings of the test editor are left out. Sorted by severity (then creationTime in the same direction), creationTime or lastSeen, then by id. Each issue is one place; fetchIssueGroups gathers them by cause. The three counts apply every filter but filterStatus. Limits of 0 or less mean ${pages.byDefault}, the most is ${pages.most}.`,
    specified: 'open',
    note: 'The answer is not shown there.',
    request: {
      ...filters,
      filterSubCategory: required(list(text()), 'Ids of tests.', { default: null, exempt: 'always' }),
      filterCauseId: optional(list(text()), 'Places of these causes, as fetchIssueGroups names them.'),
      filterEndpoint: optional(endpointKey, 'Places at this endpoint.'),
      activeCollections: active,
      sortKey: required(oneOf(issueSortKeys), 'Field to sort by; any other word means severity.', {
        default: 'severity',
        applied: knownWord(issueSortKeys, 'severity'),
      }),
      sortOrder: required(integer(), '1 ascending, else descending.', { default: -1 }),
      limit: required(integer(), 'Issues per page.', { default: pages.byDefault, applied: pageSize(pages) }),
      skip: required(integer(), 'Issues to leave out.', { default: 0 }),
      filterStatus: required(statuses, 'Statuses.', { default: null }),
      startEpoch: start('Earliest creation'),
      endTimeStamp: end('Latest creation'),
    },
    answer: wide(issueObject, ['issues', 'openIssuesCount', 'fixedIssuesCount', 'ignoredIssuesCount']),
    example: {
      request: {
        filterSubCategory: [],
        activeCollections: true,
        sortKey: 'severity',
        sortOrder: -1,
        limit: 20,
        skip: 0,
        filterStatus: ['OPEN'],
        startEpoch: 0,
        endTimeStamp: 1769860000,
      },
      response: {
        issues: [exampleIssue],
        openIssuesCount: 1,
        fixedIssuesCount: 12,
        ignoredIssuesCount: 3,
      },
    },
  }),

  fetchIssueGroups: operation({
    ...shared,
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    summary: 'Pages through the issues by cause',
    description:
      'Places with the same cause are one entry and count once: a host that answers every origin, or a parameter that five tests attack. Filters, sorting and counts are as in fetchAllIssues, but status and severity are those of the whole entry; issue is its worst place.',
    request: {
      ...filters,
      activeCollections: optional(flag(), 'Leave out deactivated collections.', { default: false }),
      sortKey: optional(oneOf(issueSortKeys), 'Field to sort by; any other word means severity.', {
        default: 'severity',
        applied: knownWord(issueSortKeys, 'severity'),
      }),
      sortOrder: optional(integer(), '1 ascending, else descending.', { default: -1 }),
      limit: optional(integer(), 'Entries per page.', {
        default: pageLimits.issueGroups.byDefault,
        applied: pageSize(pageLimits.issueGroups),
      }),
      skip: optional(integer(), 'Entries to leave out.', { default: 0 }),
      filterStatus: optional(statuses, 'Statuses.'),
      searchString: optional(
        text({ maxLength: 500 }),
        'Text in the name, id or CWE of the test, the URL, the cause, the note or the ticket, without regard to case.',
      ),
      filterAssignee: optional(
        list(text({ maxLength: 320 }), { maxItems: 100 }),
        'E-mail addresses of assignees; "" for places that nobody has.',
      ),
      reopenedSince: optional(epochSeconds(), 'Only open places that reopened at this time or later.', {
        default: 0,
      }),
      fixedSince: optional(epochSeconds(), 'Only fixed places that were fixed at this time or later.', {
        default: 0,
      }),
      openBefore: optional(
        epochSeconds(),
        'Only places that were open just before this time, whatever they are now.',
        { default: 0 },
      ),
      filterTag: optional(list(text({ maxLength: 40 }), { maxItems: 50 }), 'Places with any of these tags.'),
      dueBefore: optional(
        epochSeconds(),
        'Only open places that are due before this time, by the deadline of their severity.',
        { default: 0 },
      ),
      startEpoch: optional(
        epochSeconds(),
        'Earliest creation of a place, included; 0 or less for no bound.',
        {
          default: 0,
        },
      ),
      endTimeStamp: optional(epochSeconds(), 'Latest creation of a place, not included; 0 or less for now.', {
        default: 0,
      }),
    },
    answer: root(
      model('IssueGroups', 'Causes with their places.', {
        issueGroups: list(issueGroup),
        openGroupsCount: integer(),
        fixedGroupsCount: integer(),
        ignoredGroupsCount: integer(),
        openGroupsBySeverity: severityCounts,
      }),
    ),
    example: {
      request: { filterStatus: ['OPEN'], limit: 20 },
      response: {
        issueGroups: [
          {
            causeId: exampleIssue.causeId,
            causeScope: 'endpoint',
            causePlace: '',
            status: 'OPEN',
            severity: 'HIGH',
            placesCount: 1,
            fixedPlacesCount: 0,
            testSubCategories: ['REPLACE_AUTH_TOKEN'],
            creationTime: 1769854904,
            lastSeen: 1769854904,
            unread: true,
            issue: exampleIssue,
            issueIds: [exampleIssueId],
          },
        ],
        openGroupsCount: 1,
        fixedGroupsCount: 12,
        ignoredGroupsCount: 3,
        openGroupsBySeverity: { CRITICAL: 0, HIGH: 1, MEDIUM: 0, LOW: 0 },
      },
    },
  }),

  fetchOpenIssuesTrend: operation({
    ...shared,
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    summary: 'Counts the issues that were open at the end of each day, by severity',
    description:
      'Four lists of one length, one number per bucket from start to end: issues open at the end of the bucket, each cause once, with the severity that it has now. Buckets are days up to 30 days, ISO weeks up to 210 days, else months. fetchIssueGroups lists the issues behind a number with the end of the bucket as openBefore.',
    request: {
      startEpoch: required(epochSeconds(), 'A moment of the first bucket.'),
      endTimeStamp: optional(epochSeconds(), 'A moment of the last bucket; 0 or less for now.', {
        default: 0,
      }),
      filterCollectionsId: filters.filterCollectionsId,
    },
    answer: root(
      model('OpenIssuesTrend', 'Open issues over time.', {
        bucket: text({ description: 'day, week or month.' }),
        bucketStarts: list(integer({ description: 'Epoch seconds.' })),
        bucketEnds: list(integer({ description: 'Epoch seconds, not included.' })),
        critical: list(integer()),
        high: list(integer()),
        medium: list(integer()),
        low: list(integer()),
      }),
    ),
    example: {
      request: { startEpoch: 1769731200, endTimeStamp: 1769860000 },
      response: {
        bucket: 'day',
        bucketStarts: [1769731200, 1769817600],
        bucketEnds: [1769817600, 1769860001],
        critical: [0, 1],
        high: [3, 2],
        medium: [0, 0],
        low: [0, 0],
      },
    },
  }),

  fetchSeverityInfoForIssues: operation({
    ...shared,
    summary: 'Counts open issues by collection and severity',
    description:
      'severityInfo maps collection id to severity to number of OPEN issues, each cause once with its worst severity, whatever filterStatus says. Groups are not expanded; severities and collections without issues are absent.',
    specified: 'open',
    note: 'The answer is not shown there.',
    request: {
      ...filters,
      endTimeStamp: end('Latest creation'),
      startEpoch: optional(epochSeconds(), 'Earliest creation, included; 0 or less for no bound.', {
        default: 0,
        alias: 'startTimeStamp',
      }),
      activeCollections: optional(flag(), 'Leave out deactivated collections.', { default: false }),
      filterStatus: optional(statuses, 'Accepted and echoed; only OPEN issues are counted.'),
      issueIds: optional(list(sentIssueId), 'Accepted and ignored.'),
    },
    answer: wide(issueObject, ['severityInfo']),
    example: {
      request: { endTimeStamp: 1769860000 },
      response: { severityInfo: { '1679459648': { HIGH: 3, LOW: 1 } } },
    },
  }),

  findTotalIssuesByDay: operation({
    ...shared,
    summary: 'Counts issues by the time of their creation',
    description:
      'Three lists of one length, one number per bucket from start to end, each cause counted once where its first place was found: issues of any status, those OPEN now, those OPEN now that are CRITICAL or HIGH. Not cumulative. Buckets are days up to 30 days, ISO weeks up to 210 days, else months; response names their starts. A start of 0 is the oldest issue. Deactivated collections are left out.',
    specified: 'open',
    note: 'The answer is not shown there.',
    request: {
      startEpoch: start('Earliest creation'),
      endTimeStamp: endIncluded,
      filterCollectionsId: filters.filterCollectionsId,
    },
    answer: wide(
      issueObject,
      ['totalIssuesCountDayWise', 'openIssuesCountDayWise', 'criticalIssuesCountDayWise', 'response'],
      { response: filled(chartBuckets, null) },
    ),
    example: {
      request: { startEpoch: 1769731200, endTimeStamp: 1769860000 },
      response: {
        totalIssuesCountDayWise: [4, 2],
        openIssuesCountDayWise: [3, 2],
        criticalIssuesCountDayWise: [1, 0],
        response: { bucket: 'day', bucketStarts: [1769731200, 1769817600] },
      },
    },
  }),

  fetchCriticalIssuesTrend: operation({
    ...shared,
    summary: 'Counts endpoints with new open issues over time, by severity',
    description:
      'issuesTrend maps severity to "<year>_<n>" to the number of distinct endpoints with OPEN issues created in that bucket. n counts days of the year (1 to 366) up to 15 days, weeks from Sunday (0 to 53) up to 105 days, else months (1 to 12), in UTC. Severities without issues are absent.',
    specified: 'open',
    note: 'The answer is not shown there.',
    request: {
      severityToFetch: required(
        list(oneOf(resultSeverities)),
        'Severities; null, [] and absent mean CRITICAL and HIGH.',
        { default: null, exempt: 'always' },
      ),
      startTimeStamp: required(epochSeconds(), 'Earliest creation; 0 or less for no bound.', {
        default: 0,
        alias: 'startEpoch',
      }),
      endTimeStamp: endIncluded,
      apiCollectionIds: optional(list(integer()), 'Only these collections.'),
    },
    answer: root(
      model('IssuesTrend', 'Numbers of endpoints with new open issues.', {
        epochKey: oneOf(trendKeys),
        issuesTrend: mapOf(mapOf(integer()), { description: 'Severity to bucket to endpoints.' }),
      }),
    ),
    example: {
      request: { severityToFetch: ['CRITICAL'], startTimeStamp: 1769212800, endTimeStamp: 1769860000 },
      response: { epochKey: 'dayOfYear', issuesTrend: { CRITICAL: { '2026_31': 2 } } },
    },
  }),

  fetchTestCoverageData: operation({
    ...shared,
    summary: 'Tells how coverage by tests and risk developed',
    description:
      'Rows by ascending time: per day up to 30 days, averaged per week up to 210 days, else per month. Without filterCollectionsId the rows are sums over all collections that are active. The row of today is current.',
    specified: 'open',
    note: 'The answer is not shown there.',
    request: {
      startTimeStamp: required(epochSeconds(), 'Start of the window; 0 or less for no bound.', {
        default: 0,
        alias: 'startEpoch',
      }),
      endTimeStamp: required(epochSeconds(), 'End of the window; 0 or less for now.', { default: 0 }),
      filterCollectionsId: filters.filterCollectionsId,
    },
    answer: wide(issueObject, ['historicalData']),
    example: {
      request: { startTimeStamp: 1769731200, endTimeStamp: 1769860000 },
      response: {
        historicalData: [
          { apiCollectionId: 0, totalApis: 42, riskScore: 63.5, apisTested: 17, time: 1769817600 },
        ],
      },
    },
  }),

  fetchIssuesByApis: operation({
    ...shared,
    summary: 'Counts open issues by endpoint',
    description:
      'The 1000 endpoints with the most OPEN issues, deactivated collections left out. showIssues adds the tests of endpoints with two or more issues, or of every endpoint when categoryTypes is sent. With several categoryTypes the answer maps the name of each category to such an object.',
    specified: 'open',
    note: 'The answer is not shown there.',
    request: {
      apiCollectionIds: optional(list(integer()), 'Only these collections.'),
      categoryTypes: optional(list(text()), 'Only tests of these categories.'),
      showIssues: optional(flag(), 'Name the tests too.', { default: false }),
    },
    answer: root(either(issuesByApis, mapOf(issuesByApis))),
    example: {
      request: {},
      response: { countByAPIs: { '1679459648 https://shop.test/rest/user GET': 3 } },
    },
  }),

  fetchIssuesFromResultIds: operation({
    ...shared,
    summary: 'Lists the issues of given ids that have one of the statuses',
    description:
      'The body is the list. Without issuesIds: all issues in these statuses, newest first, at most 1000.',
    specified: 'open',
    note: 'The answer, and what names the issues, are not shown there.',
    request: {
      issueStatusQuery: required(statuses, 'Statuses.'),
      issuesIds: optional(list(sentIssueId), 'Only these issues.'),
    },
    answer: root(list(issue)),
    example: {
      request: { issueStatusQuery: ['IGNORED'], issuesIds: [exampleIssueId] },
      response: [{ ...exampleIssue, testRunIssueStatus: 'IGNORED', ignoreReason: 'False positive' }],
    },
  }),

  fetchVulnerableTestingRunResultsFromIssues: operation({
    ...shared,
    summary: 'Pages through issues with their evidence',
    description:
      'Pages of 50 issues from skip, by severity, creationTime and id. testingRunResults holds the newest result of each with its vulnerable attempts; issues whose result is no longer stored are in removedRunResultsIssuesList. The last page has fewer than 50 in both lists together. issuesIds names the issues instead of filters and skip.',
    specified: 'open',
    note: 'The answer is not shown there.',
    request: {
      ...filters,
      activeCollections: active,
      filterStatus: required(statuses, 'Statuses.', { default: null }),
      skip: required(integer(), 'Issues to leave out.', { default: 0 }),
      startEpoch: start('Earliest creation'),
      endTimeStamp: end('Latest creation'),
      issuesIds: optional(list(sentIssueId), 'Exactly these issues.'),
    },
    answer: wide(issueObject, ['testingRunResults', 'removedRunResultsIssuesList']),
    example: {
      request: {
        activeCollections: true,
        filterStatus: ['OPEN'],
        skip: 0,
        startEpoch: 0,
        endTimeStamp: 1769860000,
      },
      response: { testingRunResults: [exampleResult], removedRunResultsIssuesList: [] },
    },
  }),

  fetchTestingRunResult: operation({
    ...shared,
    summary: 'Shows the evidence behind an issue',
    description:
      'testingRunResult is the result of the last execution that tested the issue, with all attempts; null when it is no longer kept. The issue counts as read once a member or administrator asks.',
    specified: 'open',
    note: 'Request and response are not shown there.',
    request: { issueId: required(sentIssueId, 'The issue.') },
    answer: wide(issueObject, ['testingRunResult', 'issueId']),
    errors: ['ISSUE_NOT_FOUND'],
    example: {
      request: { issueId: exampleIssueId },
      response: { testingRunResult: exampleResult, issueId: exampleIssueId },
    },
  }),

  updateIssueDescription: operation({
    summary: 'Sets the note on an issue',
    description:
      'The note is shown beside the endpoint in lists; it does not touch the description of the test. Empty text clears it.',
    inSpecification: true,
    specified: 'partial',
    note: 'Which fields are required is not shown there: both are.',
    request: {
      issueId: required(sentIssueId, 'The issue.', { refusal: 'ISSUE_ID_NULL' }),
      description: required(
        text({ maxLength: issueNoteLength }),
        `The note, at most ${issueNoteLength} characters.`,
        { refusal: 'DESCRIPTION_NULL' },
      ),
    },
    answer: wide(issueObject, ['issueId', 'description']),
    role: 'MEMBER',
    access: 'write',
    errors: ['ISSUE_NOT_FOUND', 'ISSUE_ID_NULL', 'DESCRIPTION_NULL'],
    idempotent: true,
    example: {
      request: { issueId: exampleIssueId, description: 'Reported to the shop team.' },
      response: { issueId: exampleIssueId, description: 'Reported to the shop team.' },
    },
  }),
})
