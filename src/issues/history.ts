import type { IssueEventKind, Queryable, Store } from '../store/index.ts'

/** One change of an issue to be written. */
export interface HistoryEntry {
  readonly issueId: number
  readonly kind: IssueEventKind
  readonly from: string | null
  readonly to: string | null
  /** Login of a person; null: a run did it. */
  readonly actor: string | null
  readonly note: string | null
  readonly summaryId: string | null
  readonly resultId: string | null
  readonly at: number
  /** How the issue was ignored before; absent when it was not. */
  readonly ignored?: IgnoreTerms
  /** Of a change of severity: a person had chosen the one before. */
  readonly wasSeverityChosen?: boolean
}

/** Why, until when and by which rule an issue is ignored. */
interface IgnoreTerms {
  readonly reason: string | null
  /** Epoch seconds; 0 for permanently. */
  readonly until: number
  readonly ruleId: number | null
}

/** One entry of the history of an issue: a change, or a finding that a run made. */
interface HistoryView {
  kind: IssueEventKind | 'FOUND'
  from: string | null
  to: string | null
  actor: string | null
  note: string | null
  summaryId: string | null
  resultId: string | null
  at: number
}

/** Longest history that is read; older entries are left out. */
const MAX_HISTORY = 1000

/** Writes changes in the caller's transaction. */
export async function writeHistory(client: Queryable, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return
  await client.query(
    `INSERT INTO issue_history (issue_id, kind, from_value, to_value, actor, note, summary_id, result_id, at,
       ignore_reason, ignored_until, rule_id, was_severity_chosen)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::integer[], $10::text[], $11::integer[], $12::bigint[], $13::boolean[])`,
    [
      entries.map((e) => e.issueId),
      entries.map((e) => e.kind),
      entries.map((e) => e.from),
      entries.map((e) => e.to),
      entries.map((e) => e.actor),
      entries.map((e) => e.note),
      entries.map((e) => e.summaryId),
      entries.map((e) => e.resultId),
      entries.map((e) => e.at),
      entries.map((e) => e.ignored?.reason ?? null),
      entries.map((e) => e.ignored?.until ?? 0),
      entries.map((e) => e.ignored?.ruleId ?? null),
      entries.map((e) => e.wasSeverityChosen ?? false),
    ],
  )
}

/** Changes of an issue, and findings after the one that made it; newest first, at most 1000. */
export async function readHistory(store: Store, issueId: number): Promise<HistoryView[]> {
  const { rows } = await store.pool.query<HistoryView>(
    `SELECT kind, "from", "to", actor, note, "summaryId", "resultId", at FROM (
       SELECT h.kind, h.from_value AS "from", h.to_value AS "to", h.actor, h.note, h.summary_id AS "summaryId",
         h.result_id AS "resultId", h.at, h.id::text AS tie, 1 AS rank
       FROM issue_history h WHERE h.issue_id = $1
       UNION ALL
       SELECT 'FOUND', null, r.severity, null, null, r.summary_id, r.id, r.ended_at, r.id, 0
       FROM run_results r WHERE r.issue_id = $1 AND r.selection = 'VULNERABLE' AND NOT EXISTS (
         SELECT FROM issue_history c WHERE c.issue_id = $1 AND c.kind = 'CREATED' AND c.result_id = r.id)
     ) AS event ORDER BY at DESC, rank DESC, length(tie) DESC, tie DESC LIMIT ${MAX_HISTORY}`,
    [issueId],
  )
  return rows
}
