import {
  type AlertFacts,
  type IssuePorts,
  maxAlertIssues,
  type NewIssues,
  type NewThreats,
  severityOrder,
  type TicketIssue,
} from '../../alerts/index.ts'
import { setTicket } from '../../issues/index.ts'
import type { Settings } from '../../kit/index.ts'
import type { IssueSeverity, Store } from '../../store/index.ts'
import { findRun } from '../../testing/index.ts'
import { eventsById } from '../../threat/index.ts'
import { baseUrlOf } from '../base-url.ts'

/** What alerts and tickets ask of issues and runs. */
export function issuePorts(store: Store, settings: Settings): IssuePorts {
  const baseUrl = baseUrlOf(settings)
  return {
    isRunVisible: async (runId, visible) =>
      visible === null || (await findRun(store, runId, visible)) !== undefined,
    newIssues: (issueIds, visible) => newIssues(store, issueIds, visible),
    newThreats: (eventIds, visible) => newThreats(store, eventIds, visible),
    ticketIssue: (issueId) => ticketIssue(store, issueId, baseUrl),
    async noteTicket(issueId, { source, projectKey, id, url }, actor) {
      await setTicket(store, issueId, { source, projectKey, id, url }, actor)
    },
    linkTo: (facts) => baseUrl + pathOf(facts),
  }
}

function pathOf(facts: AlertFacts): string {
  switch (facts.event) {
    case 'TEST':
      return '/settings/keys'
    case 'NEW_THREATS':
      return '/threats'
    case 'ACTOR_STATUS':
      return '/threats/actors'
    default:
      return `/runs/${facts.runId}?execution=${facts.summaryId}`
  }
}

async function newThreats(
  store: Store,
  eventIds: readonly string[],
  visible: readonly number[] | null,
): Promise<Pick<NewThreats, 'counts' | 'threats'>> {
  const events = await eventsById(store.pool, eventIds, visible)
  const rank = ({ severity }: { severity: string }): number =>
    (severityOrder as readonly string[]).indexOf(severity)
  const told = events
    .filter((event) => rank(event) >= 0)
    .sort((a, b) => rank(a) - rank(b) || b.detectedAt - a.detectedAt)
  const counts = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 }
  for (const { severity } of told) counts[severity as IssueSeverity]++
  const threats = told.slice(0, maxAlertIssues).map(({ severity, filterId, actor, method, host, url }) => ({
    severity: severity as IssueSeverity,
    filterId,
    actor,
    method,
    host,
    url,
  }))
  return { counts, threats }
}

async function newIssues(
  store: Store,
  issueIds: readonly number[],
  visible: readonly number[] | null,
): Promise<Pick<NewIssues, 'counts' | 'issues'>> {
  const { rows } = await store.pool.query<{
    severity: IssueSeverity
    name: string
    method: string
    url: string
  }>(
    `SELECT c.severity, c.name, c.method, c.url
     FROM (SELECT DISTINCT ON (i.cause_key) i.severity, i.severity_rank, coalesce(t.name, i.test_id) AS name, i.method,
             i.url
           FROM issues i LEFT JOIN described_tests t ON t.id = i.test_id
           WHERE i.id = ANY ($1::bigint[]) AND ($2::integer[] IS NULL OR i.collection_id = ANY ($2))
           ORDER BY i.cause_key, i.severity_rank DESC, i.url, i.method) c
     ORDER BY c.severity_rank DESC, c.name, c.url, c.method`,
    [issueIds, visible],
  )
  // One row for each cause: its worst new place.
  const counts = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0 }
  for (const { severity } of rows) counts[severity]++
  return { counts, issues: rows.slice(0, maxAlertIssues) }
}

/** Places that a ticket lists. */
const TICKET_PLACES = 50

interface TicketRow {
  severity: IssueSeverity
  status: string
  testId: string
  name: string
  method: string
  url: string
  collection: string
  description: string | null
  impact: string | null
  remediation: string | null
  cwe: string[] | null
  explanation: string | null
  /** Open places of the same cause, this one included. */
  places: number
  placeList: string | null
}

async function ticketIssue(store: Store, issueId: number, baseUrl: string): Promise<TicketIssue | null> {
  const { rows } = await store.pool.query<TicketRow>(
    `SELECT i.severity, i.status, i.test_id AS "testId", coalesce(t.name, i.test_id) AS name, i.method, i.url,
       coalesce(c.host_name, c.name) AS collection, t.description, t.impact, t.remediation, t.cwe, r.explanation,
       (SELECT count(*) FROM issues p WHERE p.cause_key = i.cause_key AND p.collection_id = i.collection_id
         AND p.status = 'OPEN') AS places,
       (SELECT string_agg(DISTINCT p.method || ' ' || p.url, E'\\n') FROM (
         SELECT o.method, o.url FROM issues o WHERE o.cause_key = i.cause_key AND o.collection_id = i.collection_id
           AND o.status = 'OPEN'
         ORDER BY o.url, o.method LIMIT ${TICKET_PLACES}) p) AS "placeList"
     FROM issues i JOIN collections c ON c.id = i.collection_id
     LEFT JOIN described_tests t ON t.id = i.test_id LEFT JOIN run_results r ON r.id = i.result_id
     WHERE i.id = $1 AND i.ticket_id IS NULL`,
    [issueId],
  )
  const [row] = rows
  if (row === undefined) return null
  return {
    title: `[${row.severity}] ${row.name}: ${row.method} ${row.url}${row.places > 1 ? ` and ${row.places - 1} more` : ''}`,
    severity: row.severity,
    text: textOf(row, baseUrl),
  }
}

function textOf(row: TicketRow, baseUrl: string): string {
  const parts: [string, string | null][] = [
    ['Endpoint', `${row.method} ${row.url} (${row.collection})`],
    [`Places (${row.places})`, row.places > 1 ? row.placeList : null],
    ['Severity', [row.severity, ...(row.cwe ?? [])].join(', ')],
    ['What', row.description],
    ['Proof', row.explanation],
    ['Impact', row.impact],
    ['Remediation', row.remediation],
    ['More', `${baseUrl}/issues (test ${row.testId})`],
  ]
  return parts.flatMap(([title, text]) => (text?.trim() ? [`${title}:\n${text.trim()}`] : [])).join('\n\n')
}
