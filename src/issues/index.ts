export { assignIssues, markRead, setDescription, setSeverity, setStatus, setTicket } from './change-issues.ts'
export { coverageOver, keepCoverage } from './coverage.ts'
export { addRule, changeRule, deleteRule, listRules } from './false-positives.ts'
export type { IssueKey, IssueSource } from './fingerprint.ts'
export { readHistory } from './history.ts'
export type { ImportedEvidence } from './imported-findings.ts'
export {
  countNotReported,
  keepImportedEvidence,
  keepImportedRules,
  listImportedRules,
  MAX_EVIDENCE,
  readImportedFinding,
} from './imported-findings.ts'
export type { Deadlines } from './issue-care.ts'
export {
  commentIssue,
  listTags,
  readDeadlines,
  reopenExpired,
  setDeadlines,
  tagIssues,
  undoSeverity,
  undoStatus,
} from './issue-care.ts'
export type { IssueFilter } from './issue-filter.ts'
export type { IssueGroup } from './issue-groups.ts'
export { countGroups, listIssueGroups } from './issue-groups.ts'
export type { IssueView } from './issue-view.ts'
export {
  countByStatus,
  findIssue,
  issueOfResult,
  issuesOfResults,
  listIssues,
  similarIssues,
} from './list-issues.ts'
export { moveIssues } from './move-issues.ts'
export { openOverTime } from './open-over-time.ts'
export type { IssueEffect, TestOutcome } from './record-outcomes.ts'
export { recordOutcomes } from './record-outcomes.ts'
export { deleteView, listViews, MOST_VIEWS, saveView } from './saved-views.ts'
export { openByCollection, openByEndpointOf } from './severity-counts.ts'
export type { EndpointIssues } from './trends.ts'
export {
  endpointsTrend,
  issuesByTime,
  openByEndpoint,
  openBySeverity,
  openByTest,
} from './trends.ts'
