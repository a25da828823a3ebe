import type { OperationName } from '../../../contract/browser.ts'

/** Operations whose answers change when an issue does. */
export const issueReads: readonly OperationName[] = [
  'fetchAllIssues',
  'fetchOpenIssuesTrend',
  'fetchIssueGroups',
  'fetchIssuesFromResultIds',
  'fetchIssueHistory',
  'fetchSeverityInfoForIssues',
  'findTotalIssuesByDay',
  'fetchIssueFromTestRunResultDetails',
  'fetchAffectedEndpoints',
  'fetchImportedFinding',
  'fetchImportedRules',
  'fetchTestingRunResults',
  'fetchTestRunResultsCount',
  'fetchTestingRunResultSummaries',
  'retrieveAllCollectionTests',
  'fetchIssueTags',
  'fetchFalsePositives',
]
