import type { IssueSeverity, Store } from '../store/index.ts'

/** Numbers of OPEN issues by severity; severities without one are absent. */
type SeverityCounts = Partial<Record<IssueSeverity, number>>

interface CountRow<K> {
  key: K
  severity: IssueSeverity
  count: number
}

/** The severity of a rank `c.rank`. */
export const SEVERITY_OF_RANK = `(array['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[c.rank]`

/** Findings of the test editor are not issues of the inventory. */
const OPEN = `i.status = 'OPEN' AND i.source <> 'TEST_EDITOR'`

/** OPEN issues per collection and group, each cause once, of those asked for (null = all); what has none is absent. */
export async function openByCollection(
  store: Store,
  ids: readonly number[] | null,
): Promise<Map<number, SeverityCounts>> {
  const { rows } = await store.pool.query<CountRow<number>>(
    `SELECT c.id AS key, ${SEVERITY_OF_RANK} AS severity, count(*) AS count
     FROM (SELECT m.id, max(m.severity_rank) AS rank
           FROM (SELECT i.collection_id AS id, i.cause_key, i.severity_rank FROM issues i WHERE ${OPEN}
                 UNION ALL
                 SELECT g.group_id, i.cause_key, i.severity_rank
                 FROM issues i JOIN group_members g ON g.endpoint_id = i.endpoint_id WHERE ${OPEN}) m
           WHERE $1::integer[] IS NULL OR m.id = ANY ($1)
           GROUP BY m.id, m.cause_key) c
     GROUP BY c.id, c.rank ORDER BY c.id`,
    [ids],
  )
  return grouped(rows)
}

/** OPEN issues per endpoint, each cause once, of one collection or group, by `<collection id> <url> <METHOD>`. */
export async function openByEndpointOf(
  store: Store,
  collectionId: number,
): Promise<Map<string, SeverityCounts>> {
  const { rows } = await store.pool.query<CountRow<string>>(
    `SELECT c.key, ${SEVERITY_OF_RANK} AS severity, count(*) AS count
     FROM (SELECT i.collection_id || ' ' || i.url || ' ' || i.method AS key, max(i.severity_rank) AS rank
           FROM issues i
           WHERE ${OPEN} AND (i.collection_id = $1 OR i.endpoint_id IN (
             SELECT g.endpoint_id FROM group_members g WHERE g.group_id = $1))
           GROUP BY 1, i.cause_key) c
     GROUP BY c.key, c.rank ORDER BY c.key`,
    [collectionId],
  )
  return grouped(rows)
}

function grouped<K>(rows: readonly CountRow<K>[]): Map<K, SeverityCounts> {
  const counts = new Map<K, SeverityCounts>()
  for (const { key, severity, count } of rows) {
    const known = counts.get(key)
    if (known) known[severity] = count
    else counts.set(key, { [severity]: count })
  }
  return counts
}
