import { Failure, newHexId, nowSeconds } from '../kit/index.ts'
import { lockTransaction, type Store, usingTransaction } from '../store/index.ts'

const DAY_SECONDS = 86_400
/** How long a report is kept. */
const reportDays = 7
/** Reports of one person that are kept; the oldest goes first. */
const KEPT_REPORTS = 20
/** Reports of one person that may wait. */
const WAITING_REPORTS = 5
/** Processes that may die over one report before it is given up. */
const MAX_ATTEMPTS = 3
const RETRY_AFTER_SECONDS = 10

/** An issue that a report is about. */
interface ReportIssueKey {
  readonly testId: string
  readonly source: string
  readonly collectionId: number
  readonly method: string
  readonly url: string
}

/** What is to be reported. */
export interface NewReport {
  readonly userLogin: string
  /** Name of a filter to its values. */
  readonly filters: Readonly<Record<string, readonly (string | number)[]>>
  /** Exactly these; null for those that fit the filters. */
  readonly issueKeys: readonly ReportIssueKey[] | null
  /** Collections that the person may see at this moment; null = all. */
  readonly visible: readonly number[] | null
}

/** A report that was asked for. */
export interface ReportDefinition extends NewReport {
  readonly id: string
  readonly createdAt: number
}

export interface ReportState extends NewReport {
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'ERROR'
  /** Why it failed, for people. */
  readonly error: string | null
  /** Bytes of the PDF; 0 while there is none. */
  readonly size: number
}

/**
 * Stores what is to be reported; @returns its id.
 *
 * @throws Failure OVERLOADED when five reports of the person wait
 */
export async function createReport(store: Store, report: NewReport, now = nowSeconds()): Promise<string> {
  const id = newHexId(now)
  await usingTransaction(store.pool, async (client) => {
    await lockTransaction(client, 'reports', report.userLogin)
    const { rows } = await client.query<{ waiting: number }>(
      `SELECT count(*) AS waiting FROM report_definitions WHERE user_login = $1 AND status = 'IN_PROGRESS'`,
      [report.userLogin],
    )
    if (rows[0]!.waiting >= WAITING_REPORTS)
      throw new Failure('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    await client.query(
      `DELETE FROM report_definitions WHERE id IN (SELECT id FROM report_definitions
         WHERE user_login = $1 AND status <> 'IN_PROGRESS' ORDER BY created_at DESC, id DESC OFFSET $2)`,
      [report.userLogin, KEPT_REPORTS - 1],
    )
    await client.query(
      `INSERT INTO report_definitions (id, user_login, filters, issue_ids, visible, status, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, 'IN_PROGRESS', $6, $7)`,
      [
        id,
        report.userLogin,
        JSON.stringify(report.filters),
        report.issueKeys === null ? null : JSON.stringify(report.issueKeys),
        report.visible,
        now,
        now + reportDays * DAY_SECONDS,
      ],
    )
  })
  return id
}

/**
 * Takes the report that has waited longest and that nobody works on: a process that sent no heartbeat for
 * `silentSeconds` counts as dead. One over which three processes died is given up.
 */
export async function claimReport(
  store: Store,
  silentSeconds: number,
  now = nowSeconds(),
): Promise<ReportDefinition | null> {
  await store.pool.query(
    `UPDATE report_definitions SET status = 'ERROR', error = 'The report could not be made: its process ended each time.'
     WHERE status = 'IN_PROGRESS' AND attempts >= $1 AND seen_at < $2`,
    [MAX_ATTEMPTS, now - silentSeconds],
  )
  const { rows } = await store.pool.query<ReportDefinition>(
    `UPDATE report_definitions SET seen_at = $1, attempts = attempts + 1 WHERE id = (
       SELECT id FROM report_definitions WHERE status = 'IN_PROGRESS' AND seen_at < $2 ORDER BY created_at, id
       LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id, user_login AS "userLogin", filters, issue_ids AS "issueKeys", visible, created_at AS "createdAt"`,
    [now, now - silentSeconds],
  )
  return rows[0] ?? null
}

/** A heartbeat. */
export async function keepReport(store: Store, id: string, now = nowSeconds()): Promise<void> {
  await store.pool.query(
    `UPDATE report_definitions SET seen_at = $2 WHERE id = $1 AND status = 'IN_PROGRESS'`,
    [id, now],
  )
}

/** Gives a report back unfinished, as at a shutdown. */
export async function releaseReport(store: Store, id: string): Promise<void> {
  await store.pool.query(
    `UPDATE report_definitions SET seen_at = 0, attempts = greatest(attempts - 1, 0)
     WHERE id = $1 AND status = 'IN_PROGRESS'`,
    [id],
  )
}

/** Ends a report with its PDF, or with why there is none. */
export async function endReport(
  store: Store,
  id: string,
  end: { readonly pdf: Uint8Array } | { readonly error: string },
): Promise<void> {
  const pdf = 'pdf' in end ? Buffer.from(end.pdf.buffer, end.pdf.byteOffset, end.pdf.byteLength) : null
  await store.pool.query(
    `UPDATE report_definitions SET status = $2, pdf = $3, error = $4 WHERE id = $1 AND status = 'IN_PROGRESS'`,
    [id, pdf === null ? 'ERROR' : 'COMPLETED', pdf, 'error' in end ? end.error : null],
  )
}

/** State of a report; undefined when there is none, or none any more. */
export async function findReport(
  store: Store,
  id: string,
  now = nowSeconds(),
): Promise<ReportState | undefined> {
  const { rows } = await store.pool.query<ReportState>(
    `SELECT status, user_login AS "userLogin", filters, issue_ids AS "issueKeys", visible, error, coalesce(octet_length(pdf), 0) AS size FROM report_definitions
     WHERE id = $1 AND expires_at > $2`,
    [id, now],
  )
  return rows[0]
}

interface ListedReport {
  readonly id: string
  readonly status: ReportState['status']
  readonly error: string | null
  readonly size: number
  readonly createdAt: number
  readonly expiresAt: number
  readonly filters: NewReport['filters']
  readonly issuesCount: number | null
  /** Run of the execution that it is about; null for issues, and when the run is gone. */
  readonly runId: string | null
  readonly runName: string | null
}

/** Reports of a person that are there still, the newest first. */
export async function listReports(
  store: Store,
  userLogin: string,
  now = nowSeconds(),
): Promise<ListedReport[]> {
  const { rows } = await store.pool.query<ListedReport>(
    `SELECT d.id, d.status, d.error, coalesce(octet_length(d.pdf), 0) AS size, d.created_at AS "createdAt",
       d.expires_at AS "expiresAt", d.filters, jsonb_array_length(d.issue_ids) AS "issuesCount",
       r.id AS "runId", r.name AS "runName"
     FROM report_definitions d
     LEFT JOIN run_summaries s ON s.id = lower(d.filters -> 'testingRunResultSummaryId' ->> 0)
     LEFT JOIN test_runs r ON r.id = s.run_id
     WHERE d.user_login = $1 AND d.expires_at > $2 ORDER BY d.created_at DESC, d.id DESC LIMIT $3`,
    [userLogin, now, KEPT_REPORTS + WAITING_REPORTS],
  )
  return rows
}

/** The PDF of a report that is complete. */
export async function readReport(store: Store, id: string): Promise<Buffer | null> {
  const { rows } = await store.pool.query<{ pdf: Buffer | null }>(
    'SELECT pdf FROM report_definitions WHERE id = $1',
    [id],
  )
  return rows[0]?.pdf ?? null
}

/** Removes reports whose time is over; @returns how many. */
export async function removeOldReports(store: Store, now = nowSeconds()): Promise<number> {
  const { rowCount } = await store.pool.query('DELETE FROM report_definitions WHERE expires_at <= $1', [now])
  return rowCount ?? 0
}
