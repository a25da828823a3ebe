import { type Access, ensureSystemUser, openAccess } from '../access/index.ts'
import { type Log, reportError, type Sealer, type Settings } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import { openStore } from '../store/owner.ts'
import { prepareDataFolder } from './data-folder.ts'
import { checkInstanceKey, openSealer } from './instance-key.ts'
import { finishRotation } from './rotate-instance-key.ts'
import { Snapshots } from './snapshots.ts'

/** What the server and the commands both stand on. Closing the store closes all of it. */
export interface AppContext {
  readonly store: Store
  readonly sealer: Sealer
  readonly access: Access
}

/**
 * Opens store and access as the settings say. An existing embedded store is backed up before it is migrated.
 *
 * @param onDeath called when the thread of the embedded store died unasked
 * @throws Failure DATA_FOLDER_UNUSABLE, DATA_FOLDER_FOREIGN, DATA_FOLDER_OPEN, DATA_FOLDER_IN_USE, DATABASE_CANNOT_OPEN,
 *   STORE_IS_NEWER, INSTANCE_KEY_UNREADABLE, INSTANCE_KEY_LOST, INSTANCE_KEY_WRONG
 */
export async function openAppContext(
  settings: Settings,
  log: Log,
  onDeath: (error: Error) => void,
): Promise<AppContext> {
  const startedMs = performance.now()
  prepareDataFolder(settings.dataDir)
  let migrations: readonly string[] = []
  const store = await openStore({
    databaseUrl: settings.databaseUrl ?? undefined,
    dataDir: settings.dataDir,
    isDurable: settings.embeddedDurability,
    statementMs: settings.statementSeconds * 1000,
    async beforeMigrations(unchanged, pending) {
      migrations = pending
      if (unchanged.kind === 'embedded') await new Snapshots(unchanged, settings, log).take()
    },
    onDeath,
    onError: (error) => log.error('part.failed', { part: 'store', error: reportError(error) }),
  })
  try {
    if (store.kind === 'embedded') await finishRotation(settings, store)
    const sealer = await openSealer(settings, store)
    await checkInstanceKey(store, sealer)
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
