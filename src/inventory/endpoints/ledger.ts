import { type CountSource, upToDate } from '../count-source.ts'

/** Counts of one day and source. */
interface LedgerDay {
  /** UTC day, in days since 1970. */
  day: number
  source: string
  outcomes: Record<string, number>
}

/** What became of every message received, newest day first. */
export async function trafficLedger(
  source: CountSource,
  fromDay: number,
  toDay: number,
  sources: readonly string[],
): Promise<LedgerDay[]> {
  const store = await upToDate(source)
  const { rows } = await store.pool.query<LedgerDay>(
    `SELECT day, source, jsonb_object_agg(outcome, count) AS outcomes FROM traffic_ledger
     WHERE day BETWEEN $1 AND $2 AND (cardinality($3::text[]) = 0 OR source = ANY ($3))
     GROUP BY day, source ORDER BY day DESC, source`,
    [fromDay, toDay, sources],
  )
  return rows
}

/** An unknown path that was asked for. */
interface ProbeView {
  apiCollectionId: number
  method: string
  path: string
  status: number
  count: number
  firstSeen: number
  lastSeen: number
  lastIp: string
}

/** One page of probes, the latest first, with the number of all. */
export async function listProbes(
  source: CountSource,
  visible: readonly number[] | null,
  skip: number,
  limit: number,
): Promise<{ probes: ProbeView[]; total: number }> {
  const store = await upToDate(source)
  const { rows } = await store.pool.query<ProbeView>(
    `SELECT collection_id AS "apiCollectionId", method, path, status, count, first_seen AS "firstSeen",
       last_seen AS "lastSeen", last_ip AS "lastIp"
     FROM probes WHERE $1::integer[] IS NULL OR collection_id = ANY ($1)
     ORDER BY last_seen DESC, path, method, status OFFSET $2 LIMIT $3`,
    [visible, skip, limit],
  )
  const counted = await store.pool.query<{ count: number }>(
    'SELECT count(*) AS count FROM probes WHERE $1::integer[] IS NULL OR collection_id = ANY ($1)',
    [visible],
  )
  return { probes: rows, total: counted.rows[0]!.count }
}
