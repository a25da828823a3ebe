import type { Store } from '../../store/index.ts'

/**
 * The hosts that the tests of a run sent requests to, in alphabetical order. Without any in the log of requests, the
 * hosts of the collections that the run targets.
 */
export async function testedHosts(
  store: Store,
  runId: string,
  collectionIds: readonly number[],
): Promise<string[]> {
  const sent = await store.pool.query<{ host: string }>(
    `SELECT DISTINCT host FROM outgoing_requests
     WHERE purpose = 'test' AND summary_id IN (SELECT id FROM run_summaries WHERE run_id = $1) ORDER BY host`,
    [runId],
  )
  if (sent.rows.length > 0) return sent.rows.map(({ host }) => host)
  const targeted = await store.pool.query<{ host: string }>(
    `SELECT DISTINCT host_name AS host FROM collections
     WHERE id = ANY ($1::integer[]) AND host_name IS NOT NULL ORDER BY host`,
    [collectionIds],
  )
  return targeted.rows.map(({ host }) => host)
}
