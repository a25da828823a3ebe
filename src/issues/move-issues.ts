import { type Store, type StoreClient, usingTransaction } from '../store/index.ts'
import { moveRules } from './false-positives.ts'
import { fingerprintOf, type IssueSource } from './fingerprint.ts'
import { mergeImportedFinding } from './imported-findings.ts'

/** Issues that one pass takes at most; the next pass takes the others. */
const MAX_MOVED = 1_000

interface MovedRow {
  id: number
  test_id: string
  source: IssueSource
  collection_id: number
  method: string
  url: string
  endpoint_id: number
}

/**
 * Brings issues and rules of endpoints that became part of a path template to the template. Where the template has an
 * issue of the same test, the two become one: open if either is, the older of the beginnings, the later of the
 * sightings, and all tags (more than a person could give), the history and results of both.
 *
 * @returns how many issues were moved
 */
export async function moveIssues(store: Store): Promise<number> {
  return usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<MovedRow>(
      `SELECT i.id, i.test_id, i.source, t.collection_id, t.method, t.url, t.id AS endpoint_id
       FROM issues i JOIN endpoints e ON e.collection_id = i.collection_id AND e.method = i.method AND e.url = i.url
       JOIN endpoints t ON t.id = e.root_id WHERE e.root_id <> e.id ORDER BY i.id LIMIT $1
       FOR NO KEY UPDATE OF i`,
      [MAX_MOVED],
    )
    for (const row of rows) await moveIssue(client, row)
    await moveRules(client)
    return rows.length
  })
}

/** SQL for a column that says how an issue is ignored, from the issue whose status stays; `none` where that is open. */
function ofIgnored(column: string, none: string): string {
  return `CASE WHEN 'OPEN' IN (t.status, i.status) THEN ${none} WHEN t.status = 'IGNORED' THEN t.${column}
         ELSE i.${column} END`
}

async function moveIssue(client: StoreClient, row: MovedRow): Promise<void> {
  const fingerprint = fingerprintOf({
    testId: row.test_id,
    source: row.source,
    collectionId: row.collection_id,
    method: row.method,
    url: row.url,
  })
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM issues WHERE fingerprint = $1 AND id <> $2 FOR NO KEY UPDATE',
    [fingerprint, row.id],
  )
  const known = rows[0]
  if (known === undefined) {
    await client.query(
      'UPDATE issues SET fingerprint = $2, collection_id = $3, method = $4, url = $5, endpoint_id = $6 WHERE id = $1',
      [row.id, fingerprint, row.collection_id, row.method, row.url, row.endpoint_id],
    )
    return
  }
  await client.query(
    `UPDATE issues t SET
       status = CASE WHEN 'OPEN' IN (t.status, i.status) THEN 'OPEN' WHEN 'IGNORED' IN (t.status, i.status)
         THEN 'IGNORED' ELSE 'FIXED' END,
       ignore_reason = ${ofIgnored('ignore_reason', 'NULL')},
       ignored_until = ${ofIgnored('ignored_until', '0')}, rule_id = ${ofIgnored('rule_id', 'NULL')},
       tags = array(SELECT DISTINCT g FROM unnest(t.tags || i.tags) AS g ORDER BY g),
       severity = CASE WHEN NOT t.is_severity_chosen AND i.severity_rank > t.severity_rank THEN i.severity
         ELSE t.severity END,
       description = coalesce(t.description, i.description), assignee = coalesce(t.assignee, i.assignee),
       is_unread = t.is_unread OR i.is_unread, created_at = least(t.created_at, i.created_at),
       last_tested = greatest(t.last_tested, i.last_tested), last_seen = greatest(t.last_seen, i.last_seen),
       latest_summary_id = CASE WHEN i.last_seen > t.last_seen THEN i.latest_summary_id ELSE t.latest_summary_id END,
       result_id = CASE WHEN i.last_seen > t.last_seen THEN i.result_id ELSE t.result_id END,
       ticket_source = coalesce(t.ticket_source, i.ticket_source),
       ticket_project_key = coalesce(t.ticket_project_key, i.ticket_project_key),
       ticket_id = coalesce(t.ticket_id, i.ticket_id), ticket_url = coalesce(t.ticket_url, i.ticket_url)
     FROM issues i WHERE t.id = $1 AND i.id = $2`,
    [known.id, row.id],
  )
  await client.query('UPDATE run_results SET issue_id = $1 WHERE issue_id = $2', [known.id, row.id])
  await client.query('UPDATE issue_history SET issue_id = $1 WHERE issue_id = $2', [known.id, row.id])
  // What was found first of the two began the one issue; the other beginning is a finding like others.
  await client.query(
    `DELETE FROM issue_history WHERE issue_id = $1 AND kind = 'CREATED' AND id <> (
       SELECT id FROM issue_history WHERE issue_id = $1 AND kind = 'CREATED' ORDER BY at, id LIMIT 1)`,
    [known.id],
  )
  await mergeImportedFinding(client, row.id, known.id)
  await client.query('DELETE FROM issues WHERE id = $1', [row.id])
}
