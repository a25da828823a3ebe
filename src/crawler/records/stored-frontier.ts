import { nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { Frontier, FrontierCounts, LeasedItem, WorkItem, WorkKind } from '../explore/frontier.ts'
import { digestOf, storableText } from './storable-text.ts'

/** Somebody who takes a piece of work has to send a heartbeat within this time. */
const LEASE_SECONDS = 60
const MAX_FAILURES = 2
/** A piece of work over which this many lease owners died is given up: a page that ends its browser every time. */
const MAX_LAPSES = 6
const MAX_KEY = 2100
const MAX_PAYLOAD = 65_536
const MAX_REASON = 2000

interface WorkRow {
  id: number
  kind: WorkKind
  key: string
  location: string
  priority: number
  payload: string
  attempts: number
}

/**
 * What is left to do of one crawl, in the store, for one lease owner. Work is given to one lease owner at a time, however many
 * ask; what a dead lease owner had is free again when its lease has lapsed, or at once by {@link freeWork}.
 */
export class StoredFrontier implements Frontier {
  readonly #store: Store
  readonly #crawlId: string
  readonly #leaseOwner: string

  constructor(store: Store, crawlId: string, leaseOwner: string) {
    this.#store = store
    this.#crawlId = crawlId
    this.#leaseOwner = leaseOwner
  }

  async add(items: readonly WorkItem[]): Promise<number> {
    if (items.length === 0) return 0
    const rows = new Map(items.map((item) => [digestOf(item.key).toString('hex'), item]))
    // In the order given, which is the order of arrival; a crawl has few writers, so deadlocks are not a concern here.
    const kept = [...rows]
    const { rowCount } = await this.#store.pool.query(
      `INSERT INTO crawl_work (crawl_id, digest, key, kind, location, priority, payload)
       SELECT $1, d.digest, d.key, d.kind, d.location, d.priority, d.payload
       FROM unnest($2::bytea[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::text[]) WITH ORDINALITY
         AS d (digest, key, kind, location, priority, payload, place)
       ORDER BY d.place ON CONFLICT (crawl_id, digest) DO NOTHING`,
      [
        this.#crawlId,
        kept.map(([digest]) => Buffer.from(digest, 'hex')),
        kept.map(([, { key }]) => storableText(key, MAX_KEY)),
        kept.map(([, { kind }]) => kind),
        kept.map(([, { location }]) => storableText(location, MAX_KEY)),
        kept.map(([, { priority }]) => priority),
        kept.map(([, { payload }]) => storableText(payload, MAX_PAYLOAD)),
      ],
    )
    return rowCount ?? 0
  }

  async take(kind: WorkKind): Promise<LeasedItem | null> {
    for (;;) {
      const { rows } = await this.#store.pool.query<WorkRow & { lapses: number }>(
        `UPDATE crawl_work SET lease_owner = $3, lease_until = $4::integer + $5::integer, attempts = attempts + 1,
           lapses = lapses + (lease_owner IS NOT NULL)::integer
         WHERE id = (SELECT id FROM crawl_work
           WHERE crawl_id = $1 AND kind = $2 AND state = 'WAITING' AND lease_until <= $4
           ORDER BY priority DESC, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
         RETURNING id, kind, key, location, priority, payload, attempts - 1 AS attempts, lapses`,
        [this.#crawlId, kind, this.#leaseOwner, nowSeconds(), LEASE_SECONDS],
      )
      const [row] = rows
      if (row === undefined) return null
      const { id, lapses, ...item } = row
      if (lapses < MAX_LAPSES) return { ...item, id: String(id) }
      await this.#end(id, `its worker died ${lapses} times`)
    }
  }

  async renew(id: string): Promise<void> {
    await this.#store.pool.query(
      `UPDATE crawl_work SET lease_until = $4 WHERE id = $1 AND crawl_id = $2 AND lease_owner = $3 AND state = 'WAITING'`,
      [numberOf(id), this.#crawlId, this.#leaseOwner, nowSeconds() + LEASE_SECONDS],
    )
  }

  async done(id: string): Promise<void> {
    await this.#store.pool.query(
      `UPDATE crawl_work SET state = 'DONE', lease_owner = null, lease_until = 0, payload = ''
       WHERE id = $1 AND crawl_id = $2 AND state = 'WAITING'`,
      [numberOf(id), this.#crawlId],
    )
  }

  async putBack(id: string, change: { readonly priority: number; readonly payload: string }): Promise<void> {
    await this.#store.pool.query(
      `UPDATE crawl_work SET lease_owner = null, lease_until = 0, lapses = 0, priority = $4, payload = $5
       WHERE id = $1 AND crawl_id = $2 AND lease_owner = $3 AND state = 'WAITING'`,
      [
        numberOf(id),
        this.#crawlId,
        this.#leaseOwner,
        change.priority,
        storableText(change.payload, MAX_PAYLOAD),
      ],
    )
  }

  async fail(id: string, reason: string): Promise<boolean> {
    const { rows } = await this.#store.pool.query<{ state: string }>(
      `UPDATE crawl_work SET lease_owner = null, lease_until = 0, failures = failures + 1, reason = $4,
         state = CASE WHEN failures + 1 >= $5 THEN 'DEAD' ELSE state END
       WHERE id = $1 AND crawl_id = $2 AND lease_owner = $3 AND state = 'WAITING' RETURNING state`,
      [numberOf(id), this.#crawlId, this.#leaseOwner, storableText(reason, MAX_REASON), MAX_FAILURES],
    )
    return rows[0]?.state === 'WAITING'
  }

  async counts(): Promise<FrontierCounts> {
    // In one look: a helper that has nothing in work any more has said before whether it is idle.
    const { rows } = await this.#store.pool.query<{
      kind: WorkKind | 'helpers'
      waiting: number
      leased: number
    }>(
      `SELECT kind, count(*) FILTER (WHERE lease_until <= $2) AS waiting,
         count(*) FILTER (WHERE lease_until > $2) AS leased
       FROM crawl_work WHERE crawl_id = $1 AND state = 'WAITING' GROUP BY kind
       UNION ALL SELECT 'helpers', 0, count(*) FROM crawl_workers
       WHERE crawl_id = $1 AND worker <> $3 AND lease_until > $2 AND NOT is_idle`,
      [this.#crawlId, nowSeconds(), this.#leaseOwner],
    )
    const waiting = { load: 0, explore: 0, probe: 0 }
    let leased = 0
    let helpers = 0
    for (const row of rows) {
      if (row.kind === 'helpers') {
        helpers = row.leased
        continue
      }
      waiting[row.kind] = row.waiting
      leased += row.leased
    }
    return { waiting, leased, helpers }
  }

  async #end(id: number, reason: string): Promise<void> {
    await this.#store.pool.query(
      `UPDATE crawl_work SET state = 'DEAD', lease_owner = null, lease_until = 0, reason = $2 WHERE id = $1`,
      [id, reason],
    )
  }
}

/** Frees what a lease owner had that is known to be dead; every piece remembers that its lease owner died over it. */
export async function freeWork(store: Store, crawlId: string, leaseOwner: string): Promise<void> {
  await store.pool.query(
    `UPDATE crawl_work SET lease_until = 0 WHERE crawl_id = $1 AND lease_owner = $2 AND state = 'WAITING'`,
    [crawlId, leaseOwner],
  )
}

/** Pieces of work of a crawl that were given up, the latest first. */
export async function deadWork(
  store: Store,
  crawlId: string,
  most: number,
): Promise<{ key: string; reason: string }[]> {
  const { rows } = await store.pool.query<{ key: string; reason: string }>(
    `SELECT key, coalesce(reason, '') AS reason FROM crawl_work WHERE crawl_id = $1 AND state = 'DEAD'
     ORDER BY id DESC LIMIT $2`,
    [crawlId, most],
  )
  return rows
}

/** An id that a module sends back; what is none names nothing. */
function numberOf(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : 0
}
