import { mkdirSync } from 'node:fs'
import {
  createKey,
  ensureKey,
  ensureSystemUser,
  hasAnyKey,
  openAccess,
  systemUserId,
} from '../access/index.ts'
import { createSealer, type Log, reportError, type Settings } from '../kit/index.ts'
import { openStore } from '../store/index.ts'
import type { App } from './handler.ts'
import { readInstanceKey } from './instance-key.ts'

const OWNER_ONLY = 0o700

/** The running product. */
export interface Running {
  readonly app: App
  /** A key of kind EXTERNAL_API made by this start because there was none; shown once. */
  readonly firstKey: string | null
  /** Brings what is under way to its end and closes everything, the store last. */
  close(): Promise<void>
}

/** Opens everything in order: store, access, inventory engine, imports. What was opened is closed on failure. */
export async function boot(
  settings: Settings,
  log: Log,
  onStoreDeath: (error: Error) => void,
): Promise<Running> {
  mkdirSync(settings.dataDir, { recursive: true, mode: OWNER_ONLY })
  const startedMs = performance.now()
  const store = await openStore({
    databaseUrl: settings.databaseUrl ?? undefined,
    dataDir: settings.dataDir,
    onDeath(error) {
      log.error('store.died', { error: reportError(error) })
      onStoreDeath(error)
    },
  })
  log.info('store.opened', {
    store: store.kind,
    durationMs: Math.round(performance.now() - startedMs),
    migrations: [],
  })
  const sealer = createSealer(await readInstanceKey(settings, store))
  const access = openAccess(store, sealer, settings, log)
  await ensureSystemUser(access)
  if (settings.apiKey !== null) await ensureKey(access, settings.apiKey, 'VIGIL_API_KEY')
  const firstKey =
    settings.apiKey === null && !(await hasAnyKey(access))
      ? (await createKey(access, systemUserId, 'EXTERNAL_API', 'first key')).key
      : null
  const app = { settings, log, store, sealer, access } as unknown as App // inventory and imports follow with their rooms
  return { app, firstKey, close: () => store.close() }
}
