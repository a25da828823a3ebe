import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, newInstanceKey, nowSeconds, type Settings } from '../kit/index.ts'
import type { Store } from '../store/index.ts'

/** File of the instance key in the data folder. */
export const instanceKeyFile = 'instance.key'

const SETTING_NAME = 'instance-key'
const OWNER_ONLY = 0o600
const MIN_LENGTH = 32

/**
 * The instance key: the setting, else the one in the data folder (embedded store) or in the store (PostgreSQL,
 * where every process must find the same), made at the first start.
 *
 * @throws Failure INSTANCE_KEY_UNREADABLE
 */
export async function readInstanceKey(settings: Settings, store: Store): Promise<string> {
  if (settings.secretKey !== null) return settings.secretKey
  return store.kind === 'embedded' ? keyInFolder(settings.dataDir) : keyInStore(store)
}

function keyInFolder(folder: string): string {
  const path = join(folder, instanceKeyFile)
  if (!existsSync(path)) {
    // Written beside and renamed, so that a kill in between never leaves half a key.
    const draft = `${path}.new`
    writeFileSync(draft, `${newInstanceKey()}\n`, { mode: OWNER_ONLY })
    chmodSync(draft, OWNER_ONLY)
    renameSync(draft, path)
  }
  const key = readFileSync(path, 'utf8').trim()
  if (key.length < MIN_LENGTH) throw new Failure('INSTANCE_KEY_UNREADABLE', { place: path })
  return key
}

async function keyInStore(store: Store): Promise<string> {
  await store.db
    .insertInto('settings')
    .values({ name: SETTING_NAME, value: JSON.stringify(newInstanceKey()), updated_at: nowSeconds() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await store.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', SETTING_NAME)
    .executeTakeFirstOrThrow()
  const key = row.value
  if (typeof key !== 'string' || key.length < MIN_LENGTH) {
    throw new Failure('INSTANCE_KEY_UNREADABLE', { place: 'the table settings' })
  }
  return key
}
