import type { IssueStatus, Store } from '../store/index.ts'
import { fingerprintOf, type IssueKey } from './fingerprint.ts'
import { ISSUE_CONDITIONS, ISSUE_PARAMETERS, type IssueFilter, issueParameters } from './issue-filter.ts'
import { ISSUE_COLUMNS, type IssueView } from './issue-view.ts'

/** What a list of issues can be sorted by; ties of all are broken by the parts of the id. */
type IssueSort = 'severity' | 'creationTime' | 'lastSeen'

/** One page of a list. */
export interface IssuePage {
  readonly sort: IssueSort
  readonly isAscending: boolean
  readonly skip: number
  readonly limit: number
}

const TIE = 'i.test_id, i.collection_id, i.url, i.method, i.id'

function orderOf(sort: IssueSort, isAscending: boolean): string {
  const way = isAscending ? 'ASC' : 'DESC'
  if (sort === 'severity') return `i.severity_rank ${way}, i.created_at ${way}, ${TIE}`
  return `i.${sort === 'creationTime' ? 'created_at' : 'last_seen'} ${way}, ${TIE}`
}

/** One page of the issues that fit. It is found on narrow rows first; only its issues are read whole. */
export async function listIssues(store: Store, filter: IssueFilter, page: IssuePage): Promise<IssueView[]> {
  const order = orderOf(page.sort, page.isAscending)
  const { rows } = await store.pool.query<IssueView>(
    `WITH page AS MATERIALIZED (
       SELECT i.id FROM issues i WHERE ${ISSUE_CONDITIONS} ORDER BY ${order}
       OFFSET $${ISSUE_PARAMETERS + 1} LIMIT $${ISSUE_PARAMETERS + 2})
     SELECT ${ISSUE_COLUMNS} FROM page p JOIN issues i ON i.id = p.id ORDER BY ${order}`,
    [...issueParameters(filter), Math.max(page.skip, 0), page.limit],
  )
  return rows
}

/** Numbers of issues by status; the statuses of the filter itself do not count. */
export async function countByStatus(store: Store, filter: IssueFilter): Promise<Record<IssueStatus, number>> {
  const { rows } = await store.pool.query<{ status: IssueStatus; count: number }>(
    `SELECT i.status, count(*) AS count FROM issues i WHERE ${ISSUE_CONDITIONS} GROUP BY i.status`,
    issueParameters({ ...filter, statuses: null }),
  )
  const counts = { OPEN: 0, FIXED: 0, IGNORED: 0 }
  for (const { status, count } of rows) counts[status] = count
  return counts
}

/** The issue of a key, if the caller may see its collection. */
export async function findIssue(
  store: Store,
  key: IssueKey,
  visible: readonly number[] | null,
): Promise<IssueView | undefined> {
  const { rows } = await store.pool.query<IssueView>(
    `SELECT ${ISSUE_COLUMNS} FROM issues i
     WHERE i.fingerprint = $1 AND ($2::integer[] IS NULL OR i.collection_id = ANY ($2))`,
    [fingerprintOf(key), visible],
  )
  return rows[0]
}

/** The issue that a result belongs to. */
export async function issueOfResult(store: Store, resultId: string): Promise<IssueView | undefined> {
  const { rows } = await store.pool.query<IssueView>(
    `SELECT ${ISSUE_COLUMNS} FROM issues i JOIN run_results r ON r.issue_id = i.id WHERE r.id = $1`,
    [resultId],
  )
  return rows[0]
}

/** The issues that results belong to and that the caller may see. */
export async function issuesOfResults(
  store: Store,
  resultIds: readonly string[],
  visible: readonly number[] | null,
): Promise<IssueView[]> {
  const { rows } = await store.pool.query<IssueView>(
    `SELECT ${ISSUE_COLUMNS} FROM issues i
     WHERE i.id IN (SELECT r.issue_id FROM run_results r WHERE r.id = ANY ($1::text[]))
       AND ($2::integer[] IS NULL OR i.collection_id = ANY ($2)) ORDER BY i.id`,
    [resultIds, visible],
  )
  return rows
}

/** Issues of the same test on other endpoints: at most `limit`, OPEN before the others, newest first. */
export async function similarIssues(
  store: Store,
  issue: IssueView,
  visible: readonly number[] | null,
  limit: number,
): Promise<IssueView[]> {
  const { rows } = await store.pool.query<IssueView>(
    `SELECT ${ISSUE_COLUMNS} FROM issues i
     WHERE i.test_id = $1 AND i.id <> $2 AND i.source <> 'TEST_EDITOR'
       AND ($3::integer[] IS NULL OR i.collection_id = ANY ($3))
     ORDER BY i.status DESC, i.created_at DESC, i.id LIMIT $4`,
    [issue.testId, issue.id, visible, limit],
  )
  return rows
}
