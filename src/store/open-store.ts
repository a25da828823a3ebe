import { Failure } from '../kit/index.ts'
import { openEmbedded } from './engines/embedded.ts'
import { embeddedPool } from './engines/embedded-pool.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { answerMs, overPool, type Store, serverPool } from './store.ts'

const EMBEDDED_POOL_SIZE = 4
const STATEMENT_MS = 120_000

interface StoreOptions {
  /** Server to use; undefined selects the embedded engine. */
  databaseUrl: string | undefined
  /** Folder of the embedded engine; undefined keeps it in memory. */
  dataDir: string | undefined
  /** Whether commits of the embedded engine survive a power failure; true unless given. A server decides on its own. */
  isDurable?: boolean
  /** Called when an existing store is about to be migrated, with the migrations to come. */
  beforeMigrations?: (store: Store, pending: readonly string[]) => Promise<void>
  /** Longest time of one statement, in milliseconds; two minutes unless given. */
  statementMs?: number
  /** Called when the embedded engine died and no other can take its place. */
  onDeath?: (error: Error) => void
  /** Called when the embedded engine stopped and another one takes its place. */
  onError?: (error: Error) => void
}

/**
 * Opens the store and brings its schema to this version.
 *
 * @throws Failure DATA_FOLDER_IN_USE, DATABASE_CANNOT_OPEN, STORE_IS_NEWER
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const statementMs = options.statementMs ?? STATEMENT_MS
  if (options.databaseUrl !== undefined)
    return prepare(await openServer(options.databaseUrl, statementMs), options)
  const engine = await openEmbedded({
    dataDir: options.dataDir,
    isDurable: options.isDurable ?? true,
    statementMs,
    onDeath: options.onDeath ?? rethrow,
    onError: options.onError ?? (() => {}),
  })
  const pool = embeddedPool(engine.connect, EMBEDDED_POOL_SIZE, answerMs(statementMs))
  return engine.patiently(() => prepare(overPool(pool, engine, statementMs), options))
}

async function openServer(databaseUrl: string, statementMs: number): Promise<Store> {
  // Before the first connection is made, so that a later end of it is heard of.
  const store = overPool(serverPool(databaseUrl, statementMs), databaseUrl, statementMs)
  try {
    await store.ping()
  } catch (error) {
    await store.close()
    throw new Failure('DATABASE_CANNOT_OPEN', { reason: (error as Error).message }, { cause: error })
  }
  return store
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

function rethrow(error: Error): never {
  throw error
}
