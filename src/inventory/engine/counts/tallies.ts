import { nowSeconds } from '../../../kit/index.ts'
import { lockTransaction, type StoreClient, type TallyTier } from '../../../store/index.ts'
import { MAX_ADDRESSES } from '../state/index.ts'
import { type DurationCount, foldDurations } from './fold-durations.ts'
import { packCounts, unpackCounts } from './packed-counts.ts'

/**
 * Counts on their way to the tables that lists read. A transaction that accepts messages writes its counts as one
 * compact row (so it is cheap and never waits for another writer); a fold adds many of them to the tables at once
 * and removes the rows in the same transaction. What a killed process left is folded by whoever finds it.
 */
interface TallyRow {
  /** [endpoint id, calls, last seen] */
  calls: [number, number, number][]
  /** [endpoint id, epoch minute, status class, calls] */
  minutes: [number, number, number, number][]
  /** [UTC day, source, outcome, count] */
  ledger: [number, string, string, number][]
  /** Fact id, count and last seen of each, packed; rows of older versions hold numbers, flat or in threes. */
  facts: string | number[] | [number, number, number][]
  /** [endpoint id, window start in epoch minutes, [address, calls, address, …]]; older: { address: calls } */
  addresses: [number, number, (string | number)[] | Record<string, number>][]
  /** [endpoint id, epoch hour, bucket, calls]; absent where no source told a duration, and in rows of older versions */
  durations?: [number, number, number, number][]
}

/** Numbers that make one entry of {@link Tally.facts}. */
const PER_FACT = 3

/** Counts of one transaction, or of all since the last fold, added up. */
export class Tally {
  readonly calls = new Map<number, { count: number; lastSeen: number }>()
  readonly minutes = new Map<
    string,
    { endpointId: number; minute: number; statusClass: number; count: number }
  >()
  readonly ledger = new Map<string, { day: number; source: string; outcome: string; count: number }>()
  /** fact id, count, last seen, fact id, …; an id may come several times */
  readonly facts: number[] = []
  /** Where each fact of stored rows stands in {@link facts}. */
  readonly #factAt = new Map<number, number>()
  readonly addresses = new Map<string, { endpointId: number; window: number; counts: Map<string, number> }>()
  readonly durations = new Map<string, DurationCount>()

  get isEmpty(): boolean {
    return (
      this.calls.size === 0 &&
      this.ledger.size === 0 &&
      this.facts.length === 0 &&
      this.addresses.size === 0 &&
      this.durations.size === 0
    )
  }

  addDuration(endpointId: number, hour: number, bucket: number, count: number): void {
    const key = `${endpointId} ${hour} ${bucket}`
    const known = this.durations.get(key)
    if (known === undefined) this.durations.set(key, { endpointId, hour, bucket, count })
    else known.count += count
  }

  addCall(endpointId: number, count: number, lastSeen: number): void {
    const known = this.calls.get(endpointId)
    if (known === undefined) this.calls.set(endpointId, { count, lastSeen })
    else {
      known.count += count
      if (lastSeen > known.lastSeen) known.lastSeen = lastSeen
    }
  }

  addMinute(endpointId: number, minute: number, statusClass: number, count: number): void {
    const key = `${endpointId} ${minute} ${statusClass}`
    const known = this.minutes.get(key)
    if (known === undefined) this.minutes.set(key, { endpointId, minute, statusClass, count })
    else known.count += count
  }

  addLedger(day: number, source: string, outcome: string, count: number): void {
    const key = `${day} ${source} ${outcome}`
    const known = this.ledger.get(key)
    if (known === undefined) this.ledger.set(key, { day, source, outcome, count })
    else known.count += count
  }

  addFact(factId: number, count: number, lastSeen: number): void {
    this.facts.push(factId, count, lastSeen)
  }

  /** {@link addFact} for many rows with the same facts. */
  #mergeFact(factId: number, count: number, lastSeen: number): void {
    const at = this.#factAt.get(factId)
    if (at === undefined) {
      this.#factAt.set(factId, this.facts.length)
      this.addFact(factId, count, lastSeen)
      return
    }
    this.facts[at + 1]! += count
    if (lastSeen > this.facts[at + 2]!) this.facts[at + 2] = lastSeen
  }

  /** Adds the calls of one endpoint and window by address; the map is given away. */
  addAddresses(endpointId: number, window: number, counts: Map<string, number>): void {
    const key = `${endpointId} ${window}`
    if (counts.size <= MAX_ADDRESSES && !this.addresses.has(key)) {
      this.addresses.set(key, { endpointId, window, counts })
      return
    }
    counts.forEach((count, address) => {
      this.addAddress(endpointId, window, address, count)
    })
  }

  addAddress(endpointId: number, window: number, address: string, count: number): void {
    const key = `${endpointId} ${window}`
    let known = this.addresses.get(key)
    if (known === undefined) {
      known = { endpointId, window, counts: new Map() }
      this.addresses.set(key, known)
    }
    const name = known.counts.size < MAX_ADDRESSES || known.counts.has(address) ? address : '*'
    known.counts.set(name, (known.counts.get(name) ?? 0) + count)
  }

  /** Adds another tally to this one, but for its facts: see {@link UnflushedFacts}. The other one is given away. */
  add(other: Tally): void {
    // Walking a map with its own method makes no object for each entry, and this is done for every transaction.
    other.calls.forEach((e, id) => {
      this.addCall(id, e.count, e.lastSeen)
    })
    other.minutes.forEach((e) => {
      this.addMinute(e.endpointId, e.minute, e.statusClass, e.count)
    })
    other.ledger.forEach((e) => {
      this.addLedger(e.day, e.source, e.outcome, e.count)
    })
    other.addresses.forEach((e) => {
      this.addAddresses(e.endpointId, e.window, e.counts)
    })
    other.durations.forEach((e) => {
      this.addDuration(e.endpointId, e.hour, e.bucket, e.count)
    })
  }

  /** The form that is stored. */
  toRow(): TallyRow {
    const calls: TallyRow['calls'] = []
    this.calls.forEach((e, id) => {
      calls.push([id, e.count, e.lastSeen])
    })
    const minutes: TallyRow['minutes'] = []
    this.minutes.forEach((e) => {
      minutes.push([e.endpointId, e.minute, e.statusClass, e.count])
    })
    const ledger: TallyRow['ledger'] = []
    this.ledger.forEach((e) => {
      ledger.push([e.day, e.source, e.outcome, e.count])
    })
    const addresses: TallyRow['addresses'] = []
    this.addresses.forEach((e) => {
      addresses.push([e.endpointId, e.window, flatCounts(e.counts)])
    })
    const row: TallyRow = { calls, minutes, ledger, facts: packCounts(this.facts), addresses }
    if (this.durations.size > 0)
      row.durations = Array.from(this.durations.values(), (e) => [e.endpointId, e.hour, e.bucket, e.count])
    return row
  }

  /** Adds a stored row. */
  addRow(row: TallyRow): void {
    for (const [id, count, lastSeen] of row.calls) this.addCall(id, count, lastSeen)
    for (const [id, minute, statusClass, count] of row.minutes) this.addMinute(id, minute, statusClass, count)
    for (const [day, source, outcome, count] of row.ledger) this.addLedger(day, source, outcome, count)
    for (const [id, hour, bucket, count] of row.durations ?? []) this.addDuration(id, hour, bucket, count)
    const facts = typeof row.facts === 'string' ? unpackCounts(row.facts) : row.facts.flat()
    for (let i = 0; i < facts.length; i += PER_FACT) this.#mergeFact(facts[i]!, facts[i + 1]!, facts[i + 2]!)
    for (const [id, window, counts] of row.addresses) {
      const list = Array.isArray(counts) ? counts : Object.entries(counts).flat()
      for (let i = 0; i < list.length; i += 2) {
        this.addAddress(id, window, list[i] as string, list[i + 1] as number)
      }
    }
  }
}

/** [key, count, key, …] */
function flatCounts(counts: ReadonlyMap<string, number>): (string | number)[] {
  const flat: (string | number)[] = []
  counts.forEach((count, key) => {
    flat.push(key, count)
  })
  return flat
}

/** Writes a transaction's counts, one row a tier. */
export async function writeTallies(
  client: StoreClient,
  writer: string,
  tallies: Record<TallyTier, Tally>,
): Promise<void> {
  for (const tier of ['COUNTS', 'DETAILS'] as const) {
    if (tallies[tier].isEmpty) continue
    await client.query(
      'INSERT INTO pending_tallies (writer, tier, written_at, payload) VALUES ($1, $2, $3, $4)',
      [writer, tier, nowSeconds(), JSON.stringify(tallies[tier].toRow())],
    )
  }
}

/**
 * Adds a tally to the tables and removes the pending rows it stands for, in the caller's transaction. Counts of
 * endpoints that were deleted meanwhile fall away with them; counts of a merged endpoint reach its template.
 *
 * @returns false when the rows were gone: another process adopted them, taking this one for dead
 */
export async function foldTally(
  client: StoreClient,
  tally: Tally,
  covered: { writer: string; tier: TallyTier; rows: number },
): Promise<boolean> {
  await takeTurn(client)
  const removed = await client.query('DELETE FROM pending_tallies WHERE writer = $1 AND tier = $2', [
    covered.writer,
    covered.tier,
  ])
  if (removed.rowCount !== covered.rows) return false
  await addToTables(client, tally)
  return true
}

/**
 * Adds the pending rows of a writer to the tables, in the caller's transaction. What is added is what was removed: a
 * last transaction of a dead writer may still end meanwhile, and its row waits for the next who looks.
 */
export async function foldStored(client: StoreClient, writer: string, tier: TallyTier): Promise<void> {
  await takeTurn(client)
  const { rows } = await client.query<{ payload: string }>(
    'DELETE FROM pending_tallies WHERE writer = $1 AND tier = $2 RETURNING payload',
    [writer, tier],
  )
  if (rows.length === 0) return
  const tally = new Tally()
  for (const row of rows) tally.addRow(JSON.parse(row.payload) as TallyRow)
  await addToTables(client, tally)
}

/** Waits until no other process folds; to the end of the caller's transaction. */
async function takeTurn(client: StoreClient): Promise<void> {
  await lockTransaction(client, 'countFlushes')
}

async function addToTables(client: StoreClient, tally: Tally): Promise<void> {
  await foldCalls(client, tally)
  await foldMinutes(client, tally)
  await foldLedger(client, tally)
  await foldFacts(client, tally)
  await foldAddresses(client, tally)
  await foldDurations(client, tally.durations)
}

async function foldCalls(client: StoreClient, tally: Tally): Promise<void> {
  if (tally.calls.size === 0) return
  const rows = columns(tally.calls, ([id, e]) => [id, e.count, e.lastSeen])
  await client.query(
    `UPDATE endpoints e SET call_count = e.call_count + d.count, last_seen = greatest(e.last_seen, d.seen)
     FROM (SELECT o.root_id, sum(t.count)::bigint AS count, max(t.seen) AS seen
           FROM unnest($1::bigint[], $2::bigint[], $3::integer[]) AS t (id, count, seen)
           JOIN endpoints o ON o.id = t.id GROUP BY o.root_id) d
     WHERE e.id = d.root_id`,
    rows,
  )
  await client.query(
    `UPDATE collections c SET last_traffic_at = d.seen
     FROM (SELECT o.collection_id, max(t.seen) AS seen
           FROM unnest($1::bigint[], $2::bigint[], $3::integer[]) AS t (id, count, seen)
           JOIN endpoints o ON o.id = t.id GROUP BY o.collection_id) d
     WHERE c.id = d.collection_id AND c.last_traffic_at < d.seen`,
    rows,
  )
}

async function foldMinutes(client: StoreClient, tally: Tally): Promise<void> {
  if (tally.minutes.size === 0) return
  await client.query(
    `INSERT INTO call_minutes (endpoint_id, minute, status_class, count)
     SELECT t.id, t.minute, t.class, t.count
     FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::bigint[]) AS t (id, minute, class, count)
     WHERE EXISTS (SELECT FROM endpoints e WHERE e.id = t.id)
     ON CONFLICT (endpoint_id, minute, status_class) DO UPDATE SET count = call_minutes.count + excluded.count`,
    columns(tally.minutes.values(), (e) => [e.endpointId, e.minute, e.statusClass, e.count]),
  )
}

async function foldLedger(client: StoreClient, tally: Tally): Promise<void> {
  if (tally.ledger.size === 0) return
  await client.query(
    `INSERT INTO traffic_ledger (day, source, outcome, count)
     SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::bigint[])
     ON CONFLICT (day, source, outcome) DO UPDATE SET count = traffic_ledger.count + excluded.count`,
    columns(tally.ledger.values(), (e) => [e.day, e.source, e.outcome, e.count]),
  )
}

async function foldFacts(client: StoreClient, tally: Tally): Promise<void> {
  const { facts } = tally
  if (facts.length === 0) return
  await client.query(
    `UPDATE endpoint_facts f SET count = f.count + t.count, last_seen = greatest(f.last_seen, t.seen)
     FROM (SELECT id, sum(count)::bigint AS count, max(seen) AS seen
           FROM unnest($1::bigint[], $2::bigint[], $3::integer[]) AS u (id, count, seen) GROUP BY id) t
     WHERE f.id = t.id`,
    [0, 1, 2].map((part) => numbersOf(facts, part)),
  )
}

async function foldAddresses(client: StoreClient, tally: Tally): Promise<void> {
  if (tally.addresses.size === 0) return
  await client.query(
    `INSERT INTO ip_windows (endpoint_id, window_start, writer, counts)
     SELECT t.id, t.start, '', t.counts
     FROM jsonb_to_recordset($1::jsonb) AS t (id bigint, start integer, counts jsonb)
     WHERE EXISTS (SELECT FROM endpoints e WHERE e.id = t.id)
     ON CONFLICT (endpoint_id, window_start, writer)
     DO UPDATE SET counts = add_counts(ip_windows.counts, excluded.counts)`,
    [
      JSON.stringify(
        Array.from(tally.addresses.values(), ({ endpointId, window, counts }) => ({
          id: endpointId,
          start: window,
          counts: Object.fromEntries(counts),
        })),
      ),
    ],
  )
}

/** One of the {@link PER_FACT} numbers of each entry, as the text of an array: the driver would ask every number what it is. */
function numbersOf(facts: readonly number[], part: number): string {
  const numbers: number[] = []
  for (let i = part; i < facts.length; i += PER_FACT) numbers.push(facts[i]!)
  return `{${numbers.join(',')}}`
}

/** Turns rows into one array per column, as `unnest` takes them. */
function columns<T>(rows: Iterable<T>, cells: (row: T) => (number | string)[]): (number | string)[][] {
  const result: (number | string)[][] = []
  for (const row of rows) {
    const values = cells(row)
    for (let i = 0; i < values.length; i++) {
      result[i] ??= []
      result[i]!.push(values[i]!)
    }
  }
  return result
}
