import pg from 'pg'
import { nowSeconds } from '../../src/kit/index.ts'
import type { Store } from '../../src/store/index.ts'
import { openListBench } from '../list-bench.ts'
import { SEED as LISTS, seedInventory } from '../lists/seed.ts'
import { seedOldResults, seedRuns } from '../lists/seed-runs.ts'
import { seedEvents, SEED as THREATS } from '../threat-lists/seed.ts'

/** Of one event in as many the message is kept, which no list reads. */
const MESSAGES_EVERY = 20

export interface Sizes {
  readonly events: number
  readonly endpoints: number
  readonly results: number
}

/** What lists are asked of: a database for each, so that one is filled again without the other. */
export type Part = 'threats' | 'lists'

/** Rows of a part, in words. */
const sizeOf = (part: Part, { events, endpoints, results }: Sizes): string =>
  part === 'threats' ? `${events} events` : `${endpoints} endpoints and ${results} results`

export const restrictedUserOf = (part: Part): number => (part === 'threats' ? THREATS : LISTS).restrictedUser

export function told(what: string): void {
  console.log(`${new Date().toISOString()} ${what}`)
}

/**
 * Fills the database of a part unless an earlier command did; one that was not finished is made anew, and one of another
 * size is refused.
 *
 * @returns the present of its events, in epoch seconds
 */
export async function fillPart(
  urlOf: (database: string) => string,
  part: Part,
  sizes: Sizes,
): Promise<number> {
  const admin = new pg.Client(urlOf('postgres'))
  await admin.connect()
  try {
    const filled = await filledBefore(admin, urlOf(part), part)
    if (filled !== null) {
      const size = filled.size ?? 'an unknown number of rows'
      if (size !== sizeOf(part, sizes))
        throw new Error(
          `${part} was filled with ${size}, not with ${sizeOf(part, sizes)}: ask for the same, or name another --folder`,
        )
      told(`${part}: filled before with ${size}`)
      return filled.present
    }
    await admin.query(`DROP DATABASE IF EXISTS ${part}`)
    await admin.query(`CREATE DATABASE ${part}`)
  } finally {
    await admin.end()
  }
  process.env['VIGIL_DATABASE_URL'] = urlOf(part)
  // Rows are made as they should be: no trigger and no reference looks at them.
  const filler = new pg.Pool({
    connectionString: urlOf(part),
    // Nothing of it is explained.
    options:
      '-c session_replication_role=replica -c session_preload_libraries= -c jit=off -c maintenance_work_mem=512MB',
    max: 1,
  })
  const now = nowSeconds()
  const bench = await openListBench('', restrictedUserOf(part), ({ store }) =>
    (part === 'threats' ? fillThreats : fillLists)({ store, filler, sizes, now }),
  )
  await bench.close()
  await filler.query('VACUUM ANALYZE')
  await tellSizes(filler)
  await filler.query('CREATE TABLE bench_filled (present integer NOT NULL, size text NOT NULL)')
  await filler.query('INSERT INTO bench_filled VALUES ($1, $2)', [now, sizeOf(part, sizes)])
  await filler.end()
  told(`${part}: filled`)
  return now
}

interface Filled {
  readonly present: number
  /** Null where an earlier version did not note it. */
  readonly size: string | null
}

async function filledBefore(admin: pg.Client, url: string, part: Part): Promise<Filled | null> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [part])
  if (rowCount === 0) return null
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ there: string | null }>(
      `SELECT to_regclass('bench_filled')::text AS there`,
    )
    if (rows[0]!.there === null) return null
    const { rows: filled } = await client.query<Filled>(
      `SELECT present, to_jsonb(f)->>'size' AS size FROM bench_filled f`,
    )
    return filled[0] ?? null
  } finally {
    await client.end()
  }
}

interface Filling {
  readonly store: Store
  readonly filler: pg.Pool
  readonly sizes: Sizes
  readonly now: number
}

/** The store, written without triggers. */
const fast = ({ store, filler }: Filling): Store =>
  ({ ...store, kind: store.kind, pool: filler }) as unknown as Store

async function fillThreats(filling: Filling): Promise<void> {
  const { filler, sizes, now } = filling
  await withoutIndexes(filler, 'threat_events', () =>
    seedEvents(fast(filling), sizes.events, now, MESSAGES_EVERY),
  )
}

async function fillLists(filling: Filling): Promise<void> {
  const { filler, sizes } = filling
  const collections = Math.ceil(sizes.endpoints / LISTS.perCollection)
  await seedInventory(fast(filling), collections, sizes.endpoints)
  told('endpoints are there')
  await seedRuns(fast(filling), collections)
  await withoutIndexes(filler, 'run_results', () => seedOldResults(fast(filling), sizes.results))
}

/** Fills a partitioned table and makes its indexes afterwards, in a fraction of the time. */
async function withoutIndexes(filler: pg.Pool, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await filler.query<{ name: string; text: string; constraint: string | null }>(
    `SELECT i.relname AS name, pg_get_indexdef(i.oid) AS text, pg_get_constraintdef(c.oid) AS constraint
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid LEFT JOIN pg_constraint c ON c.conindid = i.oid
     WHERE x.indrelid = $1::regclass`,
    [table],
  )
  for (const { name, constraint } of indexes)
    await filler.query(
      constraint === null ? `DROP INDEX ${name}` : `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
    )
  await fill()
  told(`${table} is there`)
  for (const { name, text, constraint } of indexes) {
    await filler.query(
      constraint === null
        ? text.replace(' ON ONLY ', ' ON ')
        : `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${constraint}`,
    )
    told(`${name} is there`)
  }
}

async function tellSizes(filler: pg.Pool): Promise<void> {
  const { rows } = await filler.query<{ name: string; size: string; rows: number }>(
    `SELECT regexp_replace(relname, '_(before|other|\\d+)$', '') AS name,
       pg_size_pretty(sum(pg_total_relation_size(oid))) AS size, sum(reltuples)::bigint AS rows
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     GROUP BY 1 ORDER BY sum(pg_total_relation_size(oid)) DESC LIMIT 10`,
  )
  for (const { name, size, rows: count } of rows) console.log(`${name}: ${count} rows, ${size}`)
}
