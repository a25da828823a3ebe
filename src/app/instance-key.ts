import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createSealer,
  Failure,
  newInstanceKey,
  nowSeconds,
  type Sealer,
  type Settings,
  writeFileDurably,
} from '../kit/index.ts'
import type { Store } from '../store/index.ts'

/** File of the instance key in the data folder. */
export const instanceKeyFile = 'instance.key'

/** Rows of the table settings. */
export const keySettings = {
  /** The key itself, with a PostgreSQL server. */
  key: 'instance-key',
  /** A text sealed with the key that the store is used with. */
  check: 'instance-key-check',
} as const

const OWNER_ONLY = 0o600
const MIN_LENGTH = 32

/**
 * The instance key: the setting, else the one in the data folder (embedded store) or in the store (PostgreSQL,
 * where every process must find the same), made at the first start.
 *
 * @throws Failure INSTANCE_KEY_UNREADABLE, INSTANCE_KEY_LOST
 */
async function readInstanceKey(settings: Settings, store: Store): Promise<string> {
  if (settings.secretKey !== null) return settings.secretKey
  return store.kind === 'embedded' ? keyInFolder(settings.dataDir, store) : keyInStore(store)
}

/**
 * Refuses a key that does not open what the store was sealed with; the first key that a store sees is remembered.
 *
 * @throws Failure INSTANCE_KEY_WRONG
 */
export async function checkInstanceKey(store: Store, sealer: Sealer): Promise<void> {
  const row = await settingOf(store, keySettings.check)
  if (row === undefined) {
    await insertSetting(store, keySettings.check, sealer.seal(keySettings.check, keySettings.check))
    return
  }
  try {
    sealer.open(String(row.value), keySettings.check)
  } catch (error) {
    throw new Failure('INSTANCE_KEY_WRONG', {}, { cause: error })
  }
}

async function keyInFolder(folder: string, store: Store): Promise<string> {
  const path = join(folder, instanceKeyFile)
  if (!existsSync(path)) {
    if (await wasUsed(store)) throw new Failure('INSTANCE_KEY_LOST', { place: path })
    writeFileDurably(path, `${newInstanceKey()}\n`, OWNER_ONLY)
  }
  const key = readFileSync(path, 'utf8').trim()
  if (key.length < MIN_LENGTH) throw new Failure('INSTANCE_KEY_UNREADABLE', { place: path })
  return key
}

/** A store that was opened with a key before has its check, or, from older versions, an API key. */
async function wasUsed(store: Store): Promise<boolean> {
  const { rows } = await store.pool.query<{ used: boolean }>(
    'SELECT EXISTS (SELECT FROM settings WHERE name = $1) OR EXISTS (SELECT FROM api_keys) AS used',
    [keySettings.check],
  )
  return rows[0]!.used
}

async function keyInStore(store: Store): Promise<string> {
  const isUsed = await wasUsed(store)
  // Read behind that: another process makes the key before it uses the store.
  let found = await settingOf(store, keySettings.key)
  if (found === undefined) {
    if (isUsed) throw new Failure('INSTANCE_KEY_LOST', { place: 'in the table settings' })
    await insertSetting(store, keySettings.key, newInstanceKey())
    found = await settingOf(store, keySettings.key)
  }
  const key = found?.value
  if (typeof key !== 'string' || key.length < MIN_LENGTH) {
    throw new Failure('INSTANCE_KEY_UNREADABLE', { place: 'the table settings' })
  }
  return key
}

async function settingOf(store: Store, name: string): Promise<{ value: unknown } | undefined> {
  const { rows } = await store.pool.query<{ value: unknown }>('SELECT value FROM settings WHERE name = $1', [
    name,
  ])
  return rows[0]
}

/** Keeps a setting unless it is there. */
async function insertSetting(store: Store, name: string, value: string): Promise<void> {
  await store.pool.query(
    'INSERT INTO settings (name, value, updated_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
    [name, JSON.stringify(value), nowSeconds()],
  )
}

/** The sealer of the installation. @throws Failure INSTANCE_KEY_UNREADABLE */
export async function openSealer(settings: Settings, store: Store): Promise<Sealer> {
  return createSealer(await readInstanceKey(settings, store))
}
