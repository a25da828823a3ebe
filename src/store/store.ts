import type { MessagePort } from 'node:worker_threads'
import pg from 'pg'
import { endsWithin, Failure } from '../kit/index.ts'
import type { EmbeddedEngine } from './engines/embedded.ts'
import { connectThrough, embeddedPool } from './engines/embedded-pool.ts'
import { withoutLimit } from './engines/without-limit.ts'

/** PostgreSQL object ids of types that the driver would return as text (pg_type.oid). */
const INT8 = 20
pg.types.setTypeParser(INT8, Number)

const SERVER_POOL_SIZE = 10
const VACUUM_EVERY_MS = 5 * 60_000
const CONNECT_TIMEOUT_MS = 10_000
const END_PATIENCE_MS = 3_000
/** A statement that was cancelled at its limit is answered within this time, or its connection is given up. */
const ANSWER_SLACK_MS = 10_000

/** What another thread needs to open the same store. The gate is transferred with the message that carries it. */
export type StoreAddress =
  | { kind: 'postgres'; databaseUrl: string; statementMs: number }
  | { kind: 'embedded'; gate: MessagePort; connections: number; statementMs: number }

/** The one store of a process or thread: the same PostgreSQL dialect over both engines. */
export interface Store {
  readonly kind: 'embedded' | 'postgres'
  readonly pool: pg.Pool
  /** Address for another thread, with `connections` separate connections. */
  addressFor(connections: number): StoreAddress
  /** Whether writes are refused because the disk has no room; only the embedded engine knows. */
  isFull(): boolean
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

/** Opens the store of another thread by its address; the schema is current already. */
export function joinStore(address: StoreAddress): Store {
  const { statementMs } = address
  if (address.kind === 'postgres')
    return overPool(serverPool(address.databaseUrl, statementMs), address.databaseUrl, statementMs)
  const connect = connectThrough(address.gate)
  return overPool(embeddedPool(connect, address.connections, answerMs(statementMs)), null, statementMs)
}

export function serverPool(databaseUrl: string, statementMs: number): pg.Pool {
  return new pg.Pool({
    connectionString: databaseUrl,
    max: SERVER_POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'vigil',
    query_timeout: answerMs(statementMs),
    // Statements of lists are short, but look dear to the planner: making machine code for one takes longer than running
    // it. A pooler between may refuse start-up options, so it is said by a statement.
    onConnect: async (client) => {
      await client.query(`SET jit = off; SET statement_timeout = ${statementMs}`)
    },
  })
}

/** How long the driver waits for the answer to a statement; those of other connections may come before it. */
export function answerMs(statementMs: number): number {
  return statementMs + ANSWER_SLACK_MS
}

export function overPool(pool: pg.Pool, origin: EmbeddedEngine | string | null, statementMs: number): Store {
  // An idle connection that breaks is replaced at the next query, which reports the error to its caller.
  pool.on('error', () => {})
  // One that breaks between two statements of its holder says so at the next; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const held = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => held.add(client))
  pool.on('release', (_error, client) => held.delete(client))
  const engine = typeof origin === 'object' ? origin : null
  const vacuum = engine ? setInterval(() => void vacuumQuietly(pool, engine), VACUUM_EVERY_MS).unref() : null
  return {
    kind: typeof origin === 'string' ? 'postgres' : 'embedded',
    pool,
    addressFor(connections) {
      if (typeof origin === 'string') return { kind: 'postgres', databaseUrl: origin, statementMs }
      if (!engine)
        throw new Failure('DATABASE_CANNOT_OPEN', { reason: 'this thread does not own the engine' })
      return { kind: 'embedded', gate: engine.gate(), connections, statementMs }
    },
    isFull: () => engine?.isFull() ?? false,
    async ping() {
      await pool.query('SELECT 1')
    },
    async copyTo(folder) {
      if (!engine) throw new Failure('NO_EMBEDDED_STORE')
      await engine.copyTo(folder)
    },
    async close() {
      if (vacuum) clearInterval(vacuum)
      // Closing twice is allowed, ending a pool twice is not.
      if (!pool.ending && !(await endsWithin(END_PATIENCE_MS, pool.end()))) cutAll(held)
      await engine?.close()
    },
  }
}

/** Ends connections whose statement is not answered; the server rolls back what they have not committed. */
function cutAll(clients: ReadonlySet<pg.PoolClient>): void {
  for (const client of clients) (client as unknown as pg.Client).end(() => {})
}

/**
 * The embedded engine has no autovacuum, which also keeps the planner's statistics. A failed pass is repeated by the
 * next one, and loses nothing.
 */
async function vacuumQuietly(pool: pg.Pool, engine: EmbeddedEngine): Promise<void> {
  // It writes what the log may have no room for.
  if (engine.isFull()) return
  try {
    await engine.patiently(() => pool.query(withoutLimit('VACUUM (ANALYZE)')))
  } catch {
    // closing, or a statement is in the way: the next pass comes in five minutes
  }
}
