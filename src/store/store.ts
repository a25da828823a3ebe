import { randomBytes } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'
import pg from 'pg'
import { endsWithin, Failure, type News } from '../kit/index.ts'
import type { EmbeddedEngine } from './engines/embedded.ts'
import { connectThrough, embeddedPool } from './engines/embedded-pool.ts'
import { withoutLimit } from './engines/without-limit.ts'
import { NewsConnection, type NewsOptions } from './news/news-connection.ts'
import { ProcessNews } from './news/process-news.ts'

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
  | { kind: 'postgres'; databaseUrl: string; statementMs: number; newsName: string }
  | { kind: 'embedded'; gate: MessagePort; connections: number; statementMs: number; newsName: string }

/** The one store of a process or thread: the same PostgreSQL dialect over both engines. */
export interface Store {
  readonly kind: 'embedded' | 'postgres'
  readonly pool: pg.Pool
  /** Tells what other processes and threads changed; from a server once {@link Store.listen} was called. */
  readonly news: News
  /** Opens the connection on which a server tells what other processes changed. */
  listen(options: NewsOptions): void
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
  const { statementMs, newsName } = address
  if (address.kind === 'postgres') {
    const pool = serverPool(address.databaseUrl, statementMs)
    return overPool(pool, address.databaseUrl, statementMs, newsName)
  }
  const connect = connectThrough(address.gate)
  return overPool(
    embeddedPool(connect, address.connections, answerMs(statementMs)),
    null,
    statementMs,
    newsName,
  )
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

/** @param joined name of the news of the store that another thread opened; null in the thread that opens it */
export function overPool(
  pool: pg.Pool,
  origin: EmbeddedEngine | string | null,
  statementMs: number,
  joined: string | null = null,
): Store {
  // An idle connection that breaks is replaced at the next query, which reports the error to its caller.
  pool.on('error', () => {})
  // One that breaks between two statements of its holder says so at the next; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const news = new ProcessNews(joined === null)
  if (joined !== null) news.join(joined)
  const newsName = joined ?? `vigil-news-${randomBytes(8).toString('hex')}`
  let connection: NewsConnection | null = null
  // The embedded engine has one session; what it notifies is with the answer to the statement that committed.
  if (typeof origin !== 'string')
    pool.on('connect', (client) => client.on('notification', ({ payload }) => news.notified(payload ?? '')))
  const held = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => held.add(client))
  pool.on('release', (_error, client) => held.delete(client))
  const engine = typeof origin === 'object' ? origin : null
  const vacuum = engine ? setInterval(() => void vacuumQuietly(pool, engine), VACUUM_EVERY_MS).unref() : null
  return {
    kind: typeof origin === 'string' ? 'postgres' : 'embedded',
    pool,
    news,
    listen(options) {
      if (typeof origin !== 'string') return
      connection = new NewsConnection(origin, pool, news, options)
      connection.begin()
    },
    addressFor(connections) {
      news.join(newsName)
      if (typeof origin === 'string') return { kind: 'postgres', databaseUrl: origin, statementMs, newsName }
      if (!engine)
        throw new Failure('DATABASE_CANNOT_OPEN', { reason: 'this thread does not own the engine' })
      return { kind: 'embedded', gate: engine.gate(), connections, statementMs, newsName }
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
      await connection?.close()
      news.close()
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
