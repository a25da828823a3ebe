import { mkdirSync } from 'node:fs'
import { type Access, ensureSystemUser, openAccess } from '../access/index.ts'
import { createSealer, type Log, type Sealer, type Settings } from '../kit/index.ts'
import { openStore, type Store } from '../store/index.ts'
import { readInstanceKey } from './instance-key.ts'
import { Snapshots } from './snapshots.ts'

const OWNER_ONLY = 0o700

/** What the server and the commands both stand on. Closing the store closes all of it. */
export interface Ground {
  readonly store: Store
  readonly sealer: Sealer
  readonly access: Access
}

/**
 * Opens store and access as the settings say. An existing embedded store is backed up before it is migrated.
 *
 * @param onDeath called when the thread of the embedded store died unasked
 * @throws Failure DATA_FOLDER_IN_USE, DATABASE_CANNOT_OPEN, STORE_IS_NEWER, INSTANCE_KEY_UNREADABLE
 */
export async function openGround(
  settings: Settings,
  log: Log,
  onDeath: (error: Error) => void,
): Promise<Ground> {
  const startedMs = performance.now()
  mkdirSync(settings.dataDir, { recursive: true, mode: OWNER_ONLY })
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
  try {
    const sealer = createSealer(await readInstanceKey(settings, store))
    const access = openAccess(store, sealer, settings, log)
    await ensureSystemUser(access)
    const durationMs = Math.round(performance.now() - startedMs)
    log.info('store.opened', { store: store.kind, durationMs, migrations })
    return { store, sealer, access }
  } catch (error) {
    await store.close()
    throw error
  }
}
