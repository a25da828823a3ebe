export type { BucketLength, TrendKey } from './buckets.ts'
export type { IssueChange, IssueTicket } from './change-issues.ts'
export { assignIssues, markRead, setDescription, setSeverity, setStatus, setTicket } from './change-issues.ts'
export type { CoverageQuestion, CoverageView } from './coverage.ts'
export { coverageOver, keepCoverage } from './coverage.ts'
export type { FalsePositiveRule, RulePlace, RuleScope } from './false-positives.ts'
export { addRule, changeRule, deleteRule, listRules } from './false-positives.ts'
export type { IssueKey, IssueSource } from './fingerprint.ts'
export { fingerprintOf } from './fingerprint.ts'
export type { HistoryView } from './history.ts'
export { readHistory } from './history.ts'
export type { Deadlines } from './issue-care.ts'
export {
  commentIssue,
  listTags,
  MOST_TAGS,
  readDeadlines,
  reopenExpired,
  setDeadlines,
  tagIssues,
  UNDO_SECONDS,
  undoStatus,
} from './issue-care.ts'
export type { IssueFilter } from './issue-filter.ts'
export type { GroupCounts, IssueGroup } from './issue-groups.ts'
export { countGroups, listIssueGroups } from './issue-groups.ts'
export type { IssueView } from './issue-view.ts'
export type { IssuePage, IssueSort } from './list-issues.ts'
export {
  countByStatus,
  findIssue,
  issueOfResult,
  issuesOfResults,
  listIssues,
  similarIssues,
} from './list-issues.ts'
export { moveIssues } from './move-issues.ts'
export type { OpenOverTime } from './open-over-time.ts'
export { openOverTime } from './open-over-time.ts'
export type { IssueCause, IssueEffect, TestOutcome } from './record-outcomes.ts'
export { recordOutcomes } from './record-outcomes.ts'
export type { SavedView } from './saved-views.ts'
export { deleteView, listViews, MOST_VIEWS, saveView } from './saved-views.ts'
export type { SeverityCounts } from './severity-counts.ts'
export { openByCollection, openByEndpointOf } from './severity-counts.ts'
export type { EndpointIssues, EndpointsTrend, IssuesByTime } from './trends.ts'
export {
  endpointsTrend,
  issuesByTime,
  openByEndpoint,
  openBySeverity,
  openByTest,
} from './trends.ts'
