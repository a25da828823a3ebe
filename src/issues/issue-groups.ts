import type { IssueSeverity, IssueStatus, Store } from '../store/index.ts'
import type { IssueSource } from './fingerprint.ts'
import { ISSUE_CONDITIONS, ISSUE_PARAMETERS, type IssueFilter, issueParameters } from './issue-filter.ts'
import { ISSUE_COLUMNS, type IssueView } from './issue-view.ts'
import type { IssuePage } from './list-issues.ts'

/** Places whose keys a group tells. */
const MAX_PLACES = 1_000
const SEVERITIES: readonly IssueSeverity[] = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']
const STATUSES: readonly IssueStatus[] = ['FIXED', 'IGNORED', 'OPEN']

/** All places of one cause: one issue for people. */
export interface IssueGroup {
  causeKey: string
  /** OPEN while any place is; IGNORED when people ignored what is not fixed; else FIXED. */
  status: IssueStatus
  /** The worst of the places in that status. */
  severity: IssueSeverity
  /** Places in that status. */
  places: number
  fixedPlaces: number
  /** Tests that found it, by id. */
  testIds: string[]
  createdAt: number
  lastSeen: number
  isUnread: boolean
  /** The worst, newest place. */
  issue: IssueView
  /** Keys of the places in that status, the worst first, at most 1000. */
  keys: { testId: string; source: IssueSource; collectionId: number; method: string; url: string }[]
}

/** SQL of status and severity of a place `i` in one number: the largest of a group gives both of the group. */
export const WEIGHT = `CASE i.status WHEN 'OPEN' THEN 20 WHEN 'IGNORED' THEN 10 ELSE 0 END + i.severity_rank`

/** Groups over the places that fit; severities and statuses of the filter are those of whole groups. */
function groupsOf(from: number): string {
  return `SELECT i.cause_key, max(${WEIGHT}) AS weight, min(i.created_at) AS created_at, max(i.last_seen) AS last_seen
     FROM issues i WHERE ${ISSUE_CONDITIONS} GROUP BY i.cause_key
     HAVING ($${from}::integer[] IS NULL OR max(${WEIGHT}) % 10 = ANY ($${from}))`
}

function groupParameters(filter: IssueFilter): unknown[] {
  const ranks = filter.severities?.map((one) => SEVERITIES.indexOf(one as IssueSeverity) + 1) ?? []
  return [
    ...issueParameters({ ...filter, severities: null, statuses: null }),
    ranks.length === 0 ? null : ranks,
  ]
}

const STATUS_AT = ISSUE_PARAMETERS + 2

interface GroupRow extends IssueView {
  causeKey: string
  weight: number
  places: number
  fixedPlaces: number
  testIds: string[]
  groupCreatedAt: number
  groupLastSeen: number
  groupIsUnread: boolean
  keys: IssueGroup['keys']
}

/** One page of the groups that fit. */
export async function listIssueGroups(
  store: Store,
  filter: IssueFilter,
  page: IssuePage,
): Promise<IssueGroup[]> {
  const way = page.isAscending ? 'ASC' : 'DESC'
  const first = { severity: 'weight % 10', creationTime: 'created_at', lastSeen: 'last_seen' }[page.sort]
  const order = `${first} ${way}, created_at ${way}, cause_key`
  const statuses = filter.statuses?.map((one) => STATUSES.indexOf(one as IssueStatus)) ?? []
  const { rows } = await store.pool.query<GroupRow>(
    `WITH page AS MATERIALIZED (
       SELECT * FROM (${groupsOf(ISSUE_PARAMETERS + 1)}) g
       WHERE $${STATUS_AT}::integer[] IS NULL OR weight / 10 = ANY ($${STATUS_AT})
       ORDER BY ${order} OFFSET $${STATUS_AT + 1} LIMIT $${STATUS_AT + 2}),
     place AS (
       SELECT p.cause_key, p.weight, i.id, i.test_id, i.source, i.collection_id, i.method, i.url, i.status, i.is_unread,
         ${WEIGHT} AS own, i.last_seen
       FROM page p JOIN issues i ON i.cause_key = p.cause_key WHERE ${ISSUE_CONDITIONS}),
     gathered AS (
       SELECT cause_key, count(*) FILTER (WHERE own / 10 = weight / 10) AS places,
         count(*) FILTER (WHERE status = 'FIXED') AS fixed, array_agg(DISTINCT test_id) AS tests,
         bool_or(is_unread AND own / 10 = weight / 10) AS unread,
         (array_agg(id ORDER BY own DESC, last_seen DESC, id))[1] AS first,
         to_jsonb((array_agg(jsonb_build_object('testId', test_id, 'source', source, 'collectionId', collection_id,
           'method', method, 'url', url) ORDER BY own DESC, url, method, test_id)
           FILTER (WHERE own / 10 = weight / 10))[1:${MAX_PLACES}]) AS keys
       FROM place GROUP BY cause_key)
     SELECT ${ISSUE_COLUMNS}, p.cause_key AS "causeKey", p.weight, g.places, g.fixed AS "fixedPlaces",
       g.tests AS "testIds", p.created_at AS "groupCreatedAt", p.last_seen AS "groupLastSeen",
       g.unread AS "groupIsUnread", g.keys
     FROM page p JOIN gathered g USING (cause_key) JOIN issues i ON i.id = g.first
     ORDER BY p.${first} ${way}, p.created_at ${way}, p.cause_key`,
    [...groupParameters(filter), statuses.length === 0 ? null : statuses, Math.max(page.skip, 0), page.limit],
  )
  return rows.map(groupOf)
}

function groupOf(row: GroupRow): IssueGroup {
  const { causeKey, weight, places, fixedPlaces, testIds, keys } = row
  return {
    ...{ causeKey, places, fixedPlaces, testIds, keys },
    status: statusOf(weight),
    severity: severityOf(weight),
    createdAt: row.groupCreatedAt,
    lastSeen: row.groupLastSeen,
    isUnread: row.groupIsUnread,
    issue: row,
  }
}

/** Numbers of groups. */
interface GroupCounts {
  byStatus: Record<IssueStatus, number>
  /** Of the OPEN ones. */
  openBySeverity: Record<IssueSeverity, number>
}

/** Counts groups; the statuses of the filter itself do not count. */
export async function countGroups(store: Store, filter: IssueFilter): Promise<GroupCounts> {
  const { rows } = await store.pool.query<{ weight: number; count: number }>(
    `SELECT weight, count(*) AS count FROM (${groupsOf(ISSUE_PARAMETERS + 1)}) g GROUP BY weight`,
    groupParameters(filter),
  )
  const counts: GroupCounts = {
    byStatus: { OPEN: 0, FIXED: 0, IGNORED: 0 },
    openBySeverity: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 },
  }
  for (const { weight, count } of rows) {
    const status = statusOf(weight)
    counts.byStatus[status] += count
    if (status === 'OPEN') counts.openBySeverity[severityOf(weight)] += count
  }
  return counts
}

function statusOf(weight: number): IssueStatus {
  return STATUSES[Math.floor(weight / 10)]!
}

function severityOf(weight: number): IssueSeverity {
  return SEVERITIES[(weight % 10) - 1]!
}
