import { Failure, nowSeconds } from '../kit/index.ts'
import type { IssueSeverity, Store } from '../store/index.ts'
import { usingTransaction } from '../store/index.ts'
import { change, type IssueChange } from './change-issues.ts'
import { fingerprintOf } from './fingerprint.ts'

/** Most tags that a person can give an issue. */
const MOST_TAGS = 20
/** How long a change of status or severity can be taken back. */
const UNDO_SECONDS = 900
/** Issues that one pass opens again. */
const EXPIRED_AT_ONCE = 1_000

/**
 * Adds and removes tags.
 *
 * @returns how many of the issues exist and are visible
 * @throws Failure TOO_MANY_ISSUE_TAGS; nothing is changed then
 */
export async function tagIssues(
  store: Store,
  given: IssueChange,
  tags: { readonly add: readonly string[]; readonly remove: readonly string[] },
): Promise<number> {
  const after = (before: readonly string[]): string[] =>
    [...new Set([...before, ...tags.add])].filter((tag) => !tags.remove.includes(tag)).sort()
  const { found } = await change(
    store,
    given,
    'tags = array(SELECT DISTINCT t FROM unnest(tags || $4::text[]) AS t WHERE t <> ALL ($5::text[]) ORDER BY t)',
    [tags.add, tags.remove],
    ({ tags: before, method, url }) => {
      const next = after(before)
      // An issue that was merged from two may have more; those may become fewer.
      if (next.length > Math.max(MOST_TAGS, before.length))
        throw new Failure('TOO_MANY_ISSUE_TAGS', { method, url, most: MOST_TAGS })
      const [from, to] = [before.join(', '), next.join(', ')]
      return from === to ? null : { kind: 'TAGS', from, to, note: null }
    },
  )
  return found
}

/** Tags that issues have, with the number of issues, by name. */
export async function listTags(
  store: Store,
  visible: readonly number[] | null,
): Promise<{ tag: string; issues: number }[]> {
  const { rows } = await store.pool.query<{ tag: string; issues: number }>(
    `SELECT t.tag, count(*) AS issues FROM issues i CROSS JOIN LATERAL unnest(i.tags) AS t (tag)
     WHERE cardinality(i.tags) > 0 AND ($1::integer[] IS NULL OR i.collection_id = ANY ($1))
     GROUP BY t.tag ORDER BY t.tag LIMIT 1000`,
    [visible],
  )
  return rows
}

/** Adds a comment to the history of an issue; @returns whether the issue exists and is visible. */
export async function commentIssue(store: Store, given: IssueChange, text: string): Promise<boolean> {
  const { found } = await change(store, given, 'is_unread = is_unread', [], () => ({
    kind: 'COMMENT',
    from: null,
    to: null,
    note: text,
  }))
  return found > 0
}

/**
 * Of the last entry of each issue, those that the newest change of the person wrote, in one transaction. An issue that
 * this change left as it was has an older entry, of another change, which stays.
 */
const LAST_CHANGE = `SELECT * FROM last WHERE actor = $2 AND at >= $3
  AND change = (SELECT change FROM last WHERE actor = $2 ORDER BY id DESC LIMIT 1)`

/**
 * Takes the last change of status of issues back, where the same person made it a moment ago. An issue that was
 * ignored before is ignored for the same reason, as long, and by the same rule where there still is that rule.
 *
 * @returns how many issues have their earlier status again
 */
export async function undoStatus(store: Store, given: IssueChange): Promise<number> {
  return undo(
    store,
    given,
    `WITH last AS (
       SELECT DISTINCT ON (h.issue_id) h.id, h.xmin AS change, h.issue_id, h.from_value, h.to_value, h.actor, h.at,
         h.ignore_reason, h.ignored_until, (SELECT r.id FROM false_positive_rules r WHERE r.id = h.rule_id) AS rule_id
       FROM issue_history h WHERE h.issue_id = ANY ($1::bigint[]) AND h.kind = 'STATUS'
       ORDER BY h.issue_id, h.id DESC),
     undone AS (${LAST_CHANGE}),
     changed AS (
       UPDATE issues i SET status = u.from_value, last_updated = $4, last_updated_by = $2,
         ignore_reason = u.ignore_reason, ignored_until = u.ignored_until, rule_id = u.rule_id
       FROM undone u WHERE i.id = u.issue_id RETURNING i.id)
     INSERT INTO issue_history (issue_id, kind, from_value, to_value, actor, note, at, ignore_reason, ignored_until,
       rule_id)
     SELECT u.issue_id, 'STATUS', u.to_value, u.from_value, $2, 'Undone', $4, i.ignore_reason, i.ignored_until,
       i.rule_id
     FROM undone u JOIN issues i ON i.id = u.issue_id`,
  )
}

/**
 * Takes the last change of severity of issues back, where the same person made it a moment ago. Runs set the severity
 * again where no person had chosen the one before.
 *
 * @returns how many issues have their earlier severity again
 */
export async function undoSeverity(store: Store, given: IssueChange): Promise<number> {
  return undo(
    store,
    given,
    `WITH last AS (
       SELECT DISTINCT ON (h.issue_id) h.id, h.xmin AS change, h.issue_id, h.from_value, h.to_value, h.actor, h.at,
         h.was_severity_chosen
       FROM issue_history h WHERE h.issue_id = ANY ($1::bigint[]) AND h.kind = 'SEVERITY'
       ORDER BY h.issue_id, h.id DESC),
     undone AS (${LAST_CHANGE}),
     changed AS (
       UPDATE issues i SET severity = u.from_value, is_severity_chosen = u.was_severity_chosen, last_updated = $4,
         last_updated_by = $2
       FROM undone u WHERE i.id = u.issue_id RETURNING i.id)
     INSERT INTO issue_history (issue_id, kind, from_value, to_value, actor, note, at, was_severity_chosen)
     SELECT u.issue_id, 'SEVERITY', u.to_value, u.from_value, $2, 'Undone', $4, true FROM undone u`,
  )
}

/**
 * Locks the issues and carries out a statement that takes changes back.
 *
 * @param statement takes ids of issues, the person, the oldest moment of a change, and the present one
 * @returns how many rows it wrote
 */
async function undo(store: Store, { keys, visible, actor }: IssueChange, statement: string): Promise<number> {
  return usingTransaction(store.pool, async (client) => {
    const now = nowSeconds()
    const { rows } = await client.query<{ id: number }>(
      `SELECT id FROM issues WHERE fingerprint = ANY ($1::text[])
         AND ($2::integer[] IS NULL OR collection_id = ANY ($2)) ORDER BY fingerprint FOR NO KEY UPDATE`,
      [keys.map(fingerprintOf), visible],
    )
    const { rowCount } = await client.query(statement, [
      rows.map(({ id }) => id),
      actor,
      now - UNDO_SECONDS,
      now,
    ])
    return rowCount ?? 0
  })
}

/** Opens issues again whose time of being ignored is over; @returns how many. */
export async function reopenExpired(store: Store): Promise<number> {
  const now = nowSeconds()
  const { rowCount } = await store.pool.query(
    `WITH due AS (
       SELECT id FROM issues WHERE ignored_until > 0 AND ignored_until <= $1 AND status = 'IGNORED'
       ORDER BY fingerprint LIMIT ${EXPIRED_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED),
     opened AS (
       UPDATE issues i SET status = 'OPEN', ignored_until = 0, ignore_reason = NULL, reopened_at = $1,
         last_updated = $1, is_unread = true
       FROM due WHERE i.id = due.id RETURNING i.id)
     INSERT INTO issue_history (issue_id, kind, from_value, to_value, note, at)
     SELECT id, 'STATUS', 'IGNORED', 'OPEN', 'The time for which it was ignored is over', $1 FROM opened`,
    [now],
  )
  return rowCount ?? 0
}

/** Days within which open issues are to be fixed, by severity. */
export type Deadlines = Partial<Record<IssueSeverity, number>>

/** The deadlines that are set. */
export async function readDeadlines(store: Store): Promise<Deadlines> {
  const { rows } = await store.pool.query<{ severity: IssueSeverity; days: number }>(
    'SELECT severity, days FROM issue_deadlines',
  )
  return Object.fromEntries(rows.map(({ severity, days }) => [severity, days]))
}

/** Replaces the deadlines. */
export async function setDeadlines(store: Store, deadlines: Deadlines): Promise<void> {
  const set = Object.entries(deadlines)
  await usingTransaction(store.pool, async (client) => {
    // Two at once would both insert the same severity.
    await client.query('LOCK TABLE issue_deadlines IN SHARE ROW EXCLUSIVE MODE')
    await client.query('DELETE FROM issue_deadlines')
    await client.query(
      'INSERT INTO issue_deadlines (severity, days) SELECT * FROM unnest($1::text[], $2::integer[])',
      [set.map(([severity]) => severity), set.map(([, days]) => days)],
    )
  })
}
