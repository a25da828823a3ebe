import { nowSeconds } from '../kit/index.ts'
import {
  type IssueSeverity,
  type IssueStatus,
  type Store,
  type StoreClient,
  usingTransaction,
} from '../store/index.ts'
import { fingerprintOf, type IssueKey } from './fingerprint.ts'
import { type HistoryEntry, writeHistory } from './history.ts'

/** Who changes which issues. */
export interface IssueChange {
  readonly keys: readonly IssueKey[]
  /** Collections that the person may see; null = all. */
  readonly visible: readonly number[] | null
  /** Login. */
  readonly actor: string
}

interface Locked {
  id: number
  method: string
  url: string
  status: IssueStatus
  severity: IssueSeverity
  ignore_reason: string | null
  assignee: string | null
  description: string | null
  latest_summary_id: string | null
  ignored_until: number
  rule_id: number | null
  is_severity_chosen: boolean
  tags: string[]
}

/** Locks the issues in the order of their fingerprints, as runs do. */
async function lock(client: StoreClient, { keys, visible }: IssueChange): Promise<Locked[]> {
  const { rows } = await client.query<Locked>(
    `SELECT id, method, url, status, severity, ignore_reason, assignee, description, latest_summary_id,
       ignored_until, rule_id, is_severity_chosen, tags FROM issues
     WHERE fingerprint = ANY ($1::text[]) AND ($2::integer[] IS NULL OR collection_id = ANY ($2))
     ORDER BY fingerprint FOR NO KEY UPDATE`,
    [keys.map(fingerprintOf), visible],
  )
  return rows
}

/** What a change came to. */
interface ChangeCounts {
  /** Issues that exist and are visible. */
  readonly found: number
  /** Of those, how many were not as wanted already. */
  readonly changed: number
}

/**
 * Writes one change of every locked issue, with an entry of history for those that it changes. Executions stay as they
 * were: they are records of what was found.
 */
export async function change(
  store: Store,
  given: IssueChange,
  assignments: string,
  values: readonly unknown[],
  describe: (
    issue: Locked,
  ) => Pick<HistoryEntry, 'kind' | 'from' | 'to' | 'note' | 'ignored' | 'wasSeverityChosen'> | null,
): Promise<ChangeCounts> {
  return usingTransaction(store.pool, async (client) => {
    const locked = await lock(client, given)
    const at = nowSeconds()
    await client.query(
      `UPDATE issues SET ${assignments}, last_updated = $2, last_updated_by = $3 WHERE id = ANY ($1::bigint[])`,
      [locked.map((issue) => issue.id), at, given.actor, ...values],
    )
    const entries = locked.flatMap((issue) => {
      const event = describe(issue)
      if (event === null) return []
      return [{ ...event, issueId: issue.id, actor: given.actor, summaryId: null, resultId: null, at }]
    })
    await writeHistory(client, entries)
    return { found: locked.length, changed: entries.length }
  })
}

/**
 * Sets status and reason, and a note too when one is given. Reason and end of the time are kept only with IGNORED.
 * A note is not counted as a change.
 */
export async function setStatus(
  store: Store,
  given: IssueChange,
  to: {
    readonly status: IssueStatus
    readonly reason: string | null
    /** When an ignored issue opens again; 0, and absent, for never. */
    readonly until?: number
    readonly description?: string | null
  },
): Promise<ChangeCounts> {
  const reason = to.status === 'IGNORED' ? to.reason : null
  const until = to.status === 'IGNORED' ? (to.until ?? 0) : 0
  const note = to.description ?? null
  return change(
    store,
    given,
    `status = $4, ignore_reason = $5, description = CASE WHEN $6::text IS NULL THEN description
       ELSE nullif($6, '') END,
     ignored_until = $7, rule_id = NULL`,
    [to.status, reason, note, until],
    (issue) =>
      issue.status === to.status && issue.ignore_reason === reason && issue.ignored_until === until
        ? null
        : {
            ...{ kind: 'STATUS', from: issue.status, to: to.status, note: reason },
            ignored: { reason: issue.ignore_reason, until: issue.ignored_until, ruleId: issue.rule_id },
          },
  )
}

/** Sets the severity and freezes it against later runs. */
export async function setSeverity(
  store: Store,
  given: IssueChange,
  severity: IssueSeverity,
): Promise<ChangeCounts> {
  return change(store, given, 'severity = $4, is_severity_chosen = true', [severity], (issue) =>
    issue.severity === severity && issue.is_severity_chosen
      ? null
      : {
          ...{ kind: 'SEVERITY', from: issue.severity, to: severity, note: null },
          wasSeverityChosen: issue.is_severity_chosen,
        },
  )
}

/** Sets the note; empty text clears it; @returns whether the issue exists and is visible. */
export async function setDescription(
  store: Store,
  given: IssueChange,
  description: string,
): Promise<boolean> {
  const text = description === '' ? null : description
  const { found } = await change(store, given, 'description = $4', [text], (issue) =>
    issue.description === text ? null : { kind: 'DESCRIPTION', from: null, to: null, note: text },
  )
  return found > 0
}

/** Gives the issues to a person, or to nobody; @returns how many of them exist and are visible. */
export async function assignIssues(store: Store, given: IssueChange, login: string | null): Promise<number> {
  const { found } = await change(store, given, 'assignee = $4', [login], (issue) =>
    issue.assignee === login ? null : { kind: 'ASSIGNEE', from: issue.assignee, to: login, note: null },
  )
  return found
}

/** A person opened the evidence. */
export async function markRead(store: Store, issueId: number): Promise<void> {
  await store.pool.query(
    'UPDATE issues SET is_unread = false, last_updated = $2 WHERE id = $1 AND is_unread',
    [issueId, nowSeconds()],
  )
}

/** A ticket that stands for an issue elsewhere. */
interface IssueTicket {
  readonly source: string
  readonly projectKey: string | null
  readonly id: string
  readonly url: string
}

/** Notes the ticket that was made of an issue; @returns whether the issue exists. */
export async function setTicket(
  store: Store,
  issueId: number,
  ticket: IssueTicket,
  actor: string | null,
): Promise<boolean> {
  return usingTransaction(store.pool, async (client) => {
    const at = nowSeconds()
    const { rowCount } = await client.query(
      `UPDATE issues SET ticket_source = $2, ticket_project_key = $3, ticket_id = $4, ticket_url = $5,
         ticket_updated_at = $6 WHERE id = $1`,
      [issueId, ticket.source, ticket.projectKey, ticket.id, ticket.url, at],
    )
    if (!rowCount) return false
    await writeHistory(client, [
      {
        issueId,
        kind: 'TICKET',
        from: null,
        to: ticket.url,
        actor,
        note: null,
        summaryId: null,
        resultId: null,
        at,
      },
    ])
    return true
  })
}
