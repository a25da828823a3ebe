import { nowSeconds } from '../../kit/index.ts'
import { lockTransaction, type Store, usingTransaction } from '../../store/index.ts'

/** A process that works on an execution, or is about to. */
interface RunWorker {
  readonly summaryId: string
  readonly worker: string
  /** Whether it has opened the execution; until then it wants only one request at once. */
  readonly isOpen: boolean
  /** Requests at once that it counts on now, those under way included. */
  readonly held: number
}

/**
 * A heartbeat that gives a process its share of the requests at once of an execution: an equal part for each process that
 * works, and one request for each that is still opening. A process gets only what the others have given back, and gives
 * back what it no longer holds, so that all of them together never have more than the limit.
 *
 * @param limit requests at once of all processes together
 * @returns requests that the process may have under way from now on; 0 while the others hold all of them
 */
export async function shareRequests(
  store: Store,
  { summaryId, worker, isOpen, held }: RunWorker,
  { limit, silentSeconds }: { readonly limit: number; readonly silentSeconds: number },
  now = nowSeconds(),
): Promise<number> {
  return usingTransaction(store.pool, async (client) => {
    await lockTransaction(client, 'runWorkers', summaryId)
    const { rows } = await client.query<{ requests: number; isOpen: boolean }>(
      `SELECT requests, is_open AS "isOpen" FROM run_workers
       WHERE summary_id = $1 AND worker <> $2 AND seen_at >= $3`,
      [summaryId, worker, now - silentSeconds],
    )
    const working = 1 + rows.filter((other) => other.isOpen).length
    const opening = rows.length + 1 - working
    const wanted = isOpen ? Math.max(1, Math.floor((limit - opening) / working)) : 1
    const free = limit - rows.reduce((sum, { requests }) => sum + requests, 0)
    const granted = Math.max(0, Math.min(wanted, free))
    // An execution that was deleted meanwhile has nothing to share.
    await client.query(
      `INSERT INTO run_workers (summary_id, worker, requests, is_open, seen_at)
       SELECT id, $2, $3, $4, $5 FROM run_summaries WHERE id = $1
       ON CONFLICT (summary_id, worker)
       DO UPDATE SET requests = excluded.requests, is_open = excluded.is_open, seen_at = excluded.seen_at`,
      [summaryId, worker, Math.max(granted, held), isOpen, now],
    )
    return granted
  })
}

/** Gives the share of a process back, which sends nothing more; of every process where `worker` is null. */
export async function giveBackRequests(
  store: Store,
  worker: string | null,
  summaryId: string | null,
): Promise<void> {
  await store.pool.query(
    `DELETE FROM run_workers WHERE ($1::text IS NULL OR worker = $1) AND ($2::text IS NULL OR summary_id = $2)`,
    [worker, summaryId],
  )
}
