import { exampleEndpoint, exampleIds } from './test-run-examples.ts'

/** What names an issue, as examples show it. */
export const exampleIssueId = {
  testSubCategory: 'REPLACE_AUTH_TOKEN',
  testErrorSource: 'AUTOMATED_TESTING',
  testCategoryFromSourceConfig: null,
  testSourceConfig: null,
  apiInfoKey: exampleEndpoint,
}

/** An issue as examples show it. */
export const exampleIssue = {
  id: exampleIssueId,
  severity: 'HIGH',
  testRunIssueStatus: 'OPEN',
  creationTime: 1769854904,
  lastSeen: 1769854904,
  lastUpdated: 1769854904,
  lastUpdatedBy: null,
  latestTestingRunSummaryId: { date: '2026-01-31T10:21:25', timestamp: 1769854885 },
  ignoreReason: null,
  ignoredUntil: 0,
  falsePositiveRuleId: null,
  tags: [] as string[],
  dueAt: 0,
  description: null,
  assignee: null,
  unread: true,
  collectionIds: [1679459648],
  jiraIssueUrl: null,
  azureBoardsWorkItemUrl: null,
  servicenowIssueUrl: null,
  devrevWorkUrl: null,
  ticketSource: null,
  ticketProjectKey: null,
  ticketId: null,
  ticketLastUpdatedAt: 0,
  latestTestingRunSummaryHexId: exampleIds.summary,
  testingRunResultHexId: exampleIds.result,
  lastTested: 1769854904,
  reopenedAt: 0,
  causeId: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  causeScope: 'endpoint',
  causeFamily: 'REPLACE_AUTH_TOKEN',
  causePlace: '',
  verificationState: 'VERIFIED' as const,
  verificationReason: null,
}
