import type { IssueSeverity, IssueStatus } from '../store/index.ts'
import type { IssueSource } from './fingerprint.ts'

/** One issue as lists show it. */
export interface IssueView {
  id: number
  testId: string
  category: string
  source: IssueSource
  collectionId: number
  /** The owning collection and the groups of the endpoint. */
  collectionIds: number[]
  method: string
  url: string
  severity: IssueSeverity
  status: IssueStatus
  ignoreReason: string | null
  /** When it opens again; 0 for never. */
  ignoredUntil: number
  /** The rule that ignores it; null when a person did. */
  ruleId: number | null
  tags: string[]
  /** When an open issue is due; 0 without a deadline for its severity. */
  dueAt: number
  description: string | null
  assignee: string | null
  isUnread: boolean
  createdAt: number
  lastSeen: number
  lastTested: number
  lastUpdated: number
  lastUpdatedBy: string | null
  reopenedAt: number
  /** Last execution that tested it. */
  latestSummaryId: string | null
  /** Newest vulnerable result. */
  resultId: string | null
  /** The same for all places of one issue. */
  causeKey: string
  causeScope: 'host' | 'collection' | 'endpoint' | 'parameter'
  /** The weakness that tests of one cause share; the id of the test where it has no family. */
  causeFamily: string
  /** The host, or the changed part of the request; '' where the scope is the endpoint. */
  causePlace: string
  ticketSource: string | null
  ticketProjectKey: string | null
  ticketId: string | null
  ticketUrl: string | null
  ticketUpdatedAt: number
  /** Why the last test of an open issue proved nothing; null when it had a verdict. */
  unverifiedReason: string | null
}

/** When the open issue `i` is due: the days of its severity after it was found, or found again. Null without a deadline. */
export const DUE_AT = `CASE WHEN i.status = 'OPEN' THEN greatest(i.created_at, i.reopened_at)
    + (SELECT d.days FROM issue_deadlines d WHERE d.severity = i.severity) * 86400 END`

/** Columns of {@link IssueView} for `FROM issues i`. */
export const ISSUE_COLUMNS = `i.id, i.test_id AS "testId", i.category, i.source, i.collection_id AS "collectionId",
  array(SELECT i.collection_id UNION SELECT g.group_id FROM group_members g WHERE g.endpoint_id = i.endpoint_id
    ORDER BY 1) AS "collectionIds",
  i.method, i.url, i.severity, i.status, i.ignore_reason AS "ignoreReason",
  i.ignored_until AS "ignoredUntil", i.rule_id AS "ruleId", i.tags, coalesce(${DUE_AT}, 0) AS "dueAt", i.description, i.assignee,
  i.is_unread AS "isUnread", i.created_at AS "createdAt", i.last_seen AS "lastSeen",
  i.last_tested AS "lastTested", i.last_updated AS "lastUpdated", i.last_updated_by AS "lastUpdatedBy",
  i.reopened_at AS "reopenedAt", i.latest_summary_id AS "latestSummaryId", i.result_id AS "resultId",
  i.cause_key AS "causeKey", i.cause_scope AS "causeScope", i.cause_place AS "causePlace",
  coalesce(nullif(i.cause_family, ''), i.test_id) AS "causeFamily",
  i.ticket_source AS "ticketSource", i.ticket_project_key AS "ticketProjectKey", i.ticket_id AS "ticketId",
  i.ticket_url AS "ticketUrl", i.ticket_updated_at AS "ticketUpdatedAt",
  CASE WHEN i.status = 'OPEN' THEN i.unverified_reason END AS "unverifiedReason"`
