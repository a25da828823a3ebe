import { crawlerModuleSilence } from '../contract/index.ts'
import { Failure, nowSeconds } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import type { Call, Caller } from './handler.ts'

/** A module as others know it: its process, and the name that a crawl or run asks for. */
interface ModuleName {
  readonly id: string
  readonly kind: string
  readonly name: string
}

interface OwnerRow {
  readonly ownerId: number | null
  readonly keyId: number | null
  readonly seenAt: number
}

const COLUMNS = 'owner_id AS "ownerId", key_id AS "keyId", seen_at AS "seenAt"'

/**
 * Checks that a heartbeat comes from the key that the module has. The first heartbeat gives a name to a key; another key
 * of the same person may continue with it once that key was taken back or fell silent, anybody else once the module was
 * deleted.
 *
 * @throws Failure MODULE_OF_ANOTHER
 */
export async function requireOwnModule(
  { app, caller }: Pick<Call, 'app' | 'caller'>,
  { id, kind, name }: ModuleName,
): Promise<void> {
  const { rows } = await app.store.pool.query<OwnerRow>(
    `SELECT ${COLUMNS} FROM modules WHERE id = $1 OR kind = $2 AND name = $3`,
    [id, kind, name],
  )
  if (!rows.every((row) => isOwn(row, caller))) throw new Failure('MODULE_OF_ANOTHER', {})
}

function isOwn({ ownerId, keyId, seenAt }: OwnerRow, caller: Caller): boolean {
  if (ownerId === null) return true
  const isFree = keyId === null || seenAt < nowSeconds() - crawlerModuleSilence
  return ownerId === caller.userId && (isFree || keyId === caller.keyId)
}

/** Notes whose a module is, after its heartbeat was kept. */
export async function noteModuleOwner(store: Store, id: string, caller: Caller): Promise<void> {
  await store.pool.query(
    `UPDATE modules SET owner_id = $2, key_id = $3
     WHERE id = $1 AND (owner_id IS DISTINCT FROM $2 OR key_id IS DISTINCT FROM $3)`,
    [id, caller.userId, caller.keyId],
  )
}

/**
 * Checks that a caller who asks for the work of a module, with its credentials, calls with the module's own key.
 *
 * @returns false while no module of this name was heard
 * @throws Failure MODULE_OF_ANOTHER
 */
export async function hasModuleKey(
  { app, caller }: Pick<Call, 'app' | 'caller'>,
  kind: string,
  name: string,
): Promise<boolean> {
  const { rows } = await app.store.pool.query<OwnerRow>(
    `SELECT ${COLUMNS} FROM modules WHERE kind = $1 AND name = $2`,
    [kind, name],
  )
  if (rows.length === 0) return false
  const isKey = rows.some((row) => row.keyId !== null && row.keyId === caller.keyId)
  if (!isKey) throw new Failure('MODULE_OF_ANOTHER', {})
  return true
}

/**
 * Checks that a caller may delete or restart modules: administrators any, others their own. Ids of none are let through.
 *
 * @throws Failure MODULE_OF_ANOTHER
 */
export async function requireModuleRights(
  { app, caller }: Pick<Call, 'app' | 'caller'>,
  ids: readonly string[],
): Promise<void> {
  if (caller.role === 'ADMIN') return
  const { rows } = await app.store.pool.query(
    'SELECT FROM modules WHERE id = ANY ($1) AND owner_id IS DISTINCT FROM $2',
    [ids, caller.userId],
  )
  if (rows.length > 0) throw new Failure('MODULE_OF_ANOTHER', {})
}
