import {
  detachPartition,
  listPartitions,
  lockingTables,
  type Partition,
  partitionedTables,
  type Queryable,
  type Store,
  type StoreClient,
  usingTransaction,
  withoutLimit,
} from '../../store/index.ts'
import { discountLeaving } from './note-attacks.ts'
import { takeTurn } from './store-events.ts'

const { events } = partitionedTables
/** Events whose figures one transaction takes back, so that events that come in do not wait long. */
const STEP = 5_000

/** How often a drop is tried, each waiting for other users of the tables for most of a second. */
const DROP_TRIES = 5

/** A partition that was taken out of the table of events. */
interface Leaving {
  readonly name: string
  /** Epoch seconds; events before are counted nowhere any more. */
  readonly uncountedTo: number
  /** Its archive does not have everything yet. */
  readonly isArchiving: boolean
}

/** Notes a partition that is taken out in the same transaction; one that waits for its archive stays until that has it. */
export type NoteDetached = (client: StoreClient, partition: Partition) => Promise<void>

/**
 * Takes partitions out whose every event is older, takes back what their events count, and drops them. What a killed
 * process had begun is continued. A table that is in use for too long is left for the next time, and one that waits for
 * its archive until it is archived.
 *
 * @returns number of events removed
 */
export async function dropEventPartitions(
  store: Store,
  before: number,
  mayGoOn: () => boolean,
  noteDetached: NoteDetached | null,
): Promise<number> {
  for (const partition of await listPartitions(store.pool, events)) {
    if (partition.to > before || !mayGoOn()) continue
    const follow = async (client: StoreClient, { name }: { name: string }): Promise<void> => {
      await client.query('INSERT INTO leaving_events (partition_name) VALUES ($1)', [name])
      await noteDetached?.(client, { ...partition, name })
    }
    if (!(await detachPartition(store, events, partition, { stays: null, follow }))) break
  }
  let count = 0
  for (const { name, isArchiving } of await listLeaving(store.pool)) {
    if (isArchiving) continue
    for (;;) {
      if (!mayGoOn()) return count
      const removed = await usingTransaction(store.pool, (client) => leave(client, name))
      if (removed === null) break
      count += removed
    }
    // Locks tables that its events refer to, so no writer of events may wait for it in turn.
    for (let tries = 0; tries < DROP_TRIES && mayGoOn(); tries++)
      if (await lockingTables(store, (client) => drop(client, name))) break
  }
  return count
}

/** Tables of events that are deleted row by row: without a partition of their times, or of before there were partitions. */
export async function unevenPartitions({ pool }: Store): Promise<string[]> {
  const partitions = await listPartitions(pool, events)
  const longer = partitions.filter(({ from, to }) => to - from > events.span)
  return [...longer.map(({ name }) => name), `${events.table}_other`]
}

/** Whether a partition that was taken out is still there: facets, actors and endpoints of its events cannot be deleted. */
export async function isLeaving({ pool }: Store): Promise<boolean> {
  return (await listLeaving(pool)).length > 0
}

/** Whether a partition that was taken out waits for its archive, which messages of its events go to as well. */
export async function isArchiving({ pool }: Store): Promise<boolean> {
  return (await listLeaving(pool)).some((leaving) => leaving.isArchiving)
}

/** Drops what was taken out; the caller removes every figure of all events. Nothing more is taken out until it is done. */
export async function dropLeaving(client: StoreClient): Promise<void> {
  await client.query(`LOCK TABLE ${events.table} IN ACCESS EXCLUSIVE MODE`)
  for (const { name } of await listLeaving(client)) {
    await drop(client, name)
    await client.query(`DELETE FROM archives WHERE partition_name = $1 AND state = 'DETACHED'`, [name])
  }
}

async function listLeaving(db: Queryable): Promise<Leaving[]> {
  const { rows } = await db.query<Leaving>(
    `SELECT partition_name AS name, uncounted_to AS "uncountedTo", EXISTS (SELECT FROM archives a
       WHERE a.partition_name = l.partition_name AND a.state = 'DETACHED') AS "isArchiving"
     FROM leaving_events l ORDER BY 1`,
  )
  return rows
}

async function drop(client: StoreClient, name: string): Promise<void> {
  const { rowCount } = await client.query('DELETE FROM leaving_events WHERE partition_name = $1', [name])
  // Another process may have dropped it.
  if (rowCount === 1) await client.query(withoutLimit(`DROP TABLE ${name}`))
}

/** Takes back the figures of the next events of a partition. @returns how many; null when none is left */
async function leave(client: StoreClient, name: string): Promise<number | null> {
  await takeTurn(client)
  // Shared: another process that drops the partition waits, or has dropped it.
  const { rows: leaving } = await client.query<{ from: number }>(
    'SELECT uncounted_to AS "from" FROM leaving_events WHERE partition_name = $1 FOR SHARE',
    [name],
  )
  if (leaving.length === 0) return null
  const { from } = leaving[0]!
  const { rows } = await client.query<{ at: number; count: number }>(
    `SELECT max(detected_at) AS at, count(*)::integer AS count FROM (
       SELECT detected_at FROM ${name} WHERE detected_at >= $1 ORDER BY detected_at LIMIT ${STEP}) s`,
    [from],
  )
  const { at, count } = rows[0]!
  if (count === 0) return null
  // Whole seconds, so that the next step begins behind them.
  await client.query(
    `CREATE TEMPORARY VIEW gone AS SELECT * FROM ${name} WHERE detected_at BETWEEN ${from} AND ${at}`,
  )
  await discountLeaving(client)
  await client.query('DELETE FROM endpoint_attack_events WHERE event_id IN (SELECT id FROM gone)')
  await client.query('SELECT threat_events_left()')
  await client.query(
    `DELETE FROM threat_messages m USING gone g
     WHERE m.ref_id = g.ref_id AND NOT EXISTS (SELECT FROM threat_events e WHERE e.ref_id = m.ref_id)`,
  )
  const { rows: whole } = await client.query<{ count: number }>('SELECT count(*)::integer AS count FROM gone')
  await client.query('DROP VIEW gone')
  await client.query('UPDATE leaving_events SET uncounted_to = $2 WHERE partition_name = $1', [name, at + 1])
  return whole[0]!.count
}
