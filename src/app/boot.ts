import { mkdirSync } from 'node:fs'
import {
  createKey,
  ensureKey,
  ensureSystemUser,
  hasAnyKey,
  openAccess,
  systemUserId,
} from '../access/index.ts'
import { openInventory } from '../inventory/index.ts'
import { createSealer, type Log, reportError, type Settings } from '../kit/index.ts'
import { openStore, type Store } from '../store/index.ts'
import type { App } from './handler.ts'
import { Imports } from './imports.ts'
import { readInstanceKey } from './instance-key.ts'
import { Snapshots } from './snapshots.ts'

const OWNER_ONLY = 0o700

/** The running product. */
export interface Running {
  readonly app: App
  /** A key of kind EXTERNAL_API made by this start because there was none; shown once. */
  readonly firstKey: string | null
  /** Null with a PostgreSQL server, which has backups of its own. */
  readonly snapshots: Snapshots | null
  /** Brings what is under way to its end and closes everything, the store last. */
  close(): Promise<void>
}

/**
 * Opens everything in order: store, access, inventory engine, imports. What was opened is closed on failure.
 *
 * @param onDeath called when a part died unasked and the process cannot go on
 * @throws Failure of the start group of the error table
 */
export async function boot(settings: Settings, log: Log, onDeath: () => void): Promise<Running> {
  mkdirSync(settings.dataDir, { recursive: true, mode: OWNER_ONLY })
  const die = (part: string, error: Error): void => {
    log.error('part.died', { part, error: reportError(error) })
    onDeath()
  }
  const store = await openStoreOf(settings, log, (error) => die('store', error))
  const closers: (() => Promise<unknown>)[] = [() => store.close()]
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const sealer = createSealer(await readInstanceKey(settings, store))
    const access = openAccess(store, sealer, settings, log)
    await ensureSystemUser(access)
    const inventory = await openInventory(store, {
      onTrouble: (error) => log.warn('part.failed', { part: 'inventory', error: reportError(error) }),
      onDeath: (error) => die('inventory', error),
    })
    closers.push(() => inventory.close())
    const imports = new Imports(store, inventory)
    closers.push(() => imports.close())
    await imports.begin()
    const app: App = { settings, log, store, sealer, access, inventory, imports }
    const snapshots = store.kind === 'embedded' ? new Snapshots(store, settings, log) : null
    if (snapshots) closers.push(() => snapshots.close())
    snapshots?.schedule()
    return { app, firstKey: await prepareKeys(app), snapshots, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens the store alone, as the settings say: for the server and for commands. */
export async function openStoreOf(
  settings: Settings,
  log: Log,
  onDeath: (error: Error) => void,
): Promise<Store> {
  const startedMs = performance.now()
  let migrations: readonly string[] = []
  const store = await openStore({
    databaseUrl: settings.databaseUrl ?? undefined,
    dataDir: settings.dataDir,
    async beforeMigrations(unchanged, pending) {
      migrations = pending
      if (unchanged.kind === 'embedded') await new Snapshots(unchanged, settings, log).take()
    },
    onDeath,
  })
  log.info('store.opened', {
    store: store.kind,
    durationMs: Math.round(performance.now() - startedMs),
    migrations,
  })
  return store
}

/** The key of the settings, or a first one when nobody has any. */
async function prepareKeys({ settings, access }: App): Promise<string | null> {
  if (settings.apiKey !== null) {
    await ensureKey(access, settings.apiKey, 'VIGIL_API_KEY')
    return null
  }
  if (await hasAnyKey(access)) return null
  return (await createKey(access, systemUserId, 'EXTERNAL_API', 'first key')).key
}
