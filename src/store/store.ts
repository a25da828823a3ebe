import type { MessagePort } from 'node:worker_threads'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { endsWithin, Failure } from '../kit/index.ts'
import { type EmbeddedEngine, embeddedPool, openEmbedded } from './engines/embedded.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import type { Schema } from './schema.ts'

/** PostgreSQL object ids of types that the driver would return as text (pg_type.oid). */
const INT8 = 20
pg.types.setTypeParser(INT8, Number)

const SERVER_POOL_SIZE = 10
const EMBEDDED_POOL_SIZE = 4
const VACUUM_EVERY_MS = 5 * 60_000
const CONNECT_TIMEOUT_MS = 10_000
const END_PATIENCE_MS = 3_000

/** What another thread needs to open the same store. The port is transferred with the message that carries it. */
export type StoreAddress =
  | { kind: 'postgres'; databaseUrl: string }
  | { kind: 'embedded'; ports: readonly MessagePort[] }

/** The one store of a process or thread: the same PostgreSQL dialect over both engines. */
export interface Store {
  readonly kind: 'embedded' | 'postgres'
  /** For the few hot statements written by hand. */
  readonly pool: pg.Pool
  /** For everything else. */
  readonly db: Kysely<Schema>
  /** Address for another thread, with `connections` connections of its own. */
  addressFor(connections: number): StoreAddress
  /** Resolves when a statement was answered; rejects with the driver's error. */
  ping(): Promise<void>
  /**
   * Copies the database folder of the embedded engine, consistent and whole, to a folder that does not exist yet.
   *
   * @throws Failure NO_EMBEDDED_STORE, SNAPSHOT_FAILED
   */
  copyTo(folder: string): Promise<void>
  /** Waits a moment for statements under way, then cuts their connections. */
  close(): Promise<void>
}

export interface StoreOptions {
  /** Server to use; undefined selects the embedded engine. */
  databaseUrl: string | undefined
  /** Folder of the embedded engine; undefined keeps it in memory. */
  dataDir: string | undefined
  /** Called when an existing store is about to be migrated, with the migrations to come. */
  beforeMigrations?: (store: Store, pending: readonly string[]) => Promise<void>
  /** Called when the embedded engine's thread dies unasked. */
  onDeath?: (error: Error) => void
}

/**
 * Opens the store and brings its schema to this version.
 *
 * @throws Failure DATA_FOLDER_IN_USE, DATABASE_CANNOT_OPEN, STORE_IS_NEWER
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.databaseUrl !== undefined) return prepare(await openServer(options.databaseUrl), options)
  const engine = await openEmbedded(options.dataDir, options.onDeath ?? rethrow)
  return prepare(overPool(embeddedPool(engine.connect, EMBEDDED_POOL_SIZE), engine), options)
}

/** Opens the store of another thread by its address; the schema is current already. */
export function joinStore(address: StoreAddress): Store {
  if (address.kind === 'postgres') return overPool(serverPool(address.databaseUrl), address.databaseUrl)
  const ports = [...address.ports]
  const connect = (): MessagePort => {
    const port = ports.pop()
    if (!port) throw new Failure('DATABASE_CANNOT_OPEN', { reason: 'no connection port is left' })
    return port
  }
  return overPool(embeddedPool(connect, address.ports.length), null)
}

async function openServer(databaseUrl: string): Promise<Store> {
  const pool = serverPool(databaseUrl)
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    throw new Failure('DATABASE_CANNOT_OPEN', { reason: (error as Error).message }, { cause: error })
  }
  return overPool(pool, databaseUrl)
}

/** Brings the schema to this version; a store that cannot be brought there is closed again. */
async function prepare(store: Store, { beforeMigrations }: StoreOptions): Promise<Store> {
  try {
    const pending = await pendingMigrations(store.pool)
    if (pending.length > 0) await beforeMigrations?.(store, pending)
    await migrate(store.pool)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

function serverPool(databaseUrl: string): pg.Pool {
  return new pg.Pool({
    connectionString: databaseUrl,
    max: SERVER_POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'vigil',
    // Statements of lists are short, but look dear to the planner: making machine code for one takes longer than running
    // it. A pooler between may refuse start-up options, so it is said by a statement.
    onConnect: async (client) => {
      await client.query('SET jit = off')
    },
  })
}

function rethrow(error: Error): never {
  throw error
}

function overPool(pool: pg.Pool, origin: EmbeddedEngine | string | null): Store {
  // An idle connection that breaks is replaced at the next query, which reports the trouble to its caller.
  pool.on('error', () => {})
  // One that breaks between two statements of its holder says so at the next; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const held = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => held.add(client))
  pool.on('release', (_error, client) => held.delete(client))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const engine = typeof origin === 'object' ? origin : null
  const vacuum = engine ? setInterval(() => void vacuumQuietly(pool), VACUUM_EVERY_MS).unref() : null
  return {
    kind: typeof origin === 'string' ? 'postgres' : 'embedded',
    pool,
    db,
    addressFor(connections) {
      if (typeof origin === 'string') return { kind: 'postgres', databaseUrl: origin }
      if (!engine)
        throw new Failure('DATABASE_CANNOT_OPEN', { reason: 'this thread does not own the engine' })
      return { kind: 'embedded', ports: Array.from({ length: connections }, () => engine.connect()) }
    },
    async ping() {
      await pool.query('SELECT 1')
    },
    async copyTo(folder) {
      if (!engine) throw new Failure('NO_EMBEDDED_STORE')
      await engine.copyTo(folder)
    },
    async close() {
      if (vacuum) clearInterval(vacuum)
      if (!(await endsWithin(END_PATIENCE_MS, endPool(pool, db)))) cutAll(held)
      await engine?.close()
    },
  }
}

async function endPool(pool: pg.Pool, db: Kysely<Schema>): Promise<void> {
  await db.destroy()
  // The query builder ends the pool only when it was used itself.
  if (!pool.ending) await pool.end()
}

/** Ends connections whose statement is not answered; the server rolls back what they have not committed. */
function cutAll(clients: ReadonlySet<pg.PoolClient>): void {
  for (const client of clients) (client as unknown as pg.Client).end(() => {})
}

/**
 * The embedded engine has no autovacuum, which also keeps the planner's statistics. A failed pass is repeated by the
 * next one, and loses nothing.
 */
async function vacuumQuietly(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('VACUUM (ANALYZE)')
  } catch {
    // closing, or a statement is in the way: the next pass comes in five minutes
  }
}
