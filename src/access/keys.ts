import { createHash, randomInt } from 'node:crypto'
import type { KeyKind, Role } from '../contract/index.ts'
import { type EpochSeconds, Failure, nowSeconds, reportError } from '../kit/index.ts'
import type { Access } from './access.ts'
import type { Caller } from './caller.ts'
import { systemUserId } from './system-user.ts'
import { inTurn, newId } from './turn.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const KEY_LENGTH = 40
const KEY_TEXT = /^[A-Za-z0-9]{40}$/
const PREFIX_LENGTH = 4
const MAX_KEYS_PER_USER = 50
const USE_NOTED_EVERY_SECONDS = 300
const DAY_SECONDS = 86_400

/** An API key as it may be listed. */
export interface KeyRecord {
  id: number
  userId: number
  login: string
  kind: KeyKind
  name: string
  /** The first characters, then asterisks to full length. */
  maskedKey: string
  createdAt: EpochSeconds
  /** Last use, exact to five minutes; 0 for never. */
  usedAt: EpochSeconds
  /** Until when it works; 0 for keys that do not expire. */
  expiresAt: EpochSeconds
}

/** A key at its creation: the only time it is there in full. */
export interface NewKey extends KeyRecord {
  key: string
}

/**
 * Makes a key for a user, who is the one it acts as.
 *
 * @param lifeDays days until it stops working; null for a key that does not expire
 * @throws Failure TOO_MANY_KEYS, NO_SUCH_USER
 */
export async function createKey(
  access: Access,
  userId: number,
  kind: KeyKind,
  name: string,
  lifeDays: number | null = null,
): Promise<NewKey> {
  const key = Array.from({ length: KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  const made = await inTurn(access.store, async (client) => {
    const { rows } = await client.query<{ login: string; held: number }>(
      `SELECT login, (SELECT count(*) FROM api_keys k WHERE k.user_id = u.id) AS held FROM users u WHERE u.id = $1`,
      [userId],
    )
    const user = rows[0]
    if (!user) throw new Failure('NO_SUCH_USER')
    if (user.held >= MAX_KEYS_PER_USER) throw new Failure('TOO_MANY_KEYS', { limit: MAX_KEYS_PER_USER })
    const id = await newId(client, 'api_keys')
    const createdAt = nowSeconds()
    const expiresAt = lifeDays === null ? 0 : createdAt + lifeDays * DAY_SECONDS
    await client.query(
      `INSERT INTO api_keys (id, user_id, utility, name, key_hash, key_prefix, sealed_key, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        userId,
        kind,
        name,
        hashKey(key),
        key.slice(0, PREFIX_LENGTH),
        kind === 'BURP' ? access.sealer.seal(key, sealPurpose(id)) : null,
        createdAt,
        expiresAt,
      ],
    )
    const { login } = user
    return { id, userId, login, kind, name, maskedKey: maskKey(key), createdAt, usedAt: 0, expiresAt, key }
  })
  access.log.info('key.created', { keyId: made.id, userId, kind })
  return made
}

/** Makes sure that a given key of kind EXTERNAL_API exists, owned by the system user; twice does nothing more. */
export async function ensureKey(access: Access, key: string, name: string): Promise<void> {
  await inTurn(access.store, async (client) => {
    await client.query(
      `INSERT INTO api_keys (id, user_id, utility, name, key_hash, key_prefix, created_at)
       VALUES ($1, $2, 'EXTERNAL_API', $3, $4, $5, $6) ON CONFLICT (key_hash) DO NOTHING`,
      [
        await newId(client, 'api_keys'),
        systemUserId,
        name,
        hashKey(key),
        key.slice(0, PREFIX_LENGTH),
        nowSeconds(),
      ],
    )
  })
  access.callers.clear()
}

/** Keys of these users, oldest first; null for all users. */
export async function listKeys(access: Access, userIds: readonly number[] | null): Promise<KeyRecord[]> {
  const { rows } = await access.store.pool.query<Omit<KeyRecord, 'maskedKey'> & { prefix: string }>(
    `SELECT k.id, k.user_id AS "userId", u.login, k.utility AS kind, coalesce(k.name, '') AS name,
       k.key_prefix AS prefix, k.created_at AS "createdAt", k.used_at AS "usedAt", k.expires_at AS "expiresAt"
     FROM api_keys k JOIN users u ON u.id = k.user_id
     WHERE $1::bigint[] IS NULL OR k.user_id = ANY ($1) ORDER BY k.id`,
    [userIds],
  )
  return rows.map(({ prefix, ...record }) => ({ ...record, maskedKey: maskKey(prefix) }))
}

/** Whether any key exists. */
export async function hasAnyKey(access: Access): Promise<boolean> {
  return (await access.store.pool.query('SELECT FROM api_keys LIMIT 1')).rowCount !== 0
}

/**
 * Takes a key back, at once in this process and within seconds in others. An administrator may take any, others
 * their own.
 *
 * @throws Failure NO_SUCH_KEY
 */
export async function removeKey(
  access: Access,
  keyId: number,
  by: { userId: number; role: Role },
): Promise<void> {
  const { rowCount } = await access.store.pool.query(
    'DELETE FROM api_keys WHERE id = $1 AND ($2::boolean OR user_id = $3)',
    [keyId, by.role === 'ADMIN', by.userId],
  )
  if (rowCount === 0) throw new Failure('NO_SUCH_KEY')
  access.callers.clear()
  access.log.info('key.removed', { keyId, byUserId: by.userId })
}

/**
 * The BURP key of a user in full, made when there is none. A key that cannot be opened any more (the instance key
 * was replaced) is replaced too.
 */
export async function burpKey(access: Access, userId: number): Promise<NewKey> {
  const own = await listKeys(access, [userId])
  for (const record of own.filter(({ kind }) => kind === 'BURP')) {
    const { rows } = await access.store.pool.query<{ sealed_key: string | null }>(
      'SELECT sealed_key FROM api_keys WHERE id = $1',
      [record.id],
    )
    const sealed = rows[0]?.sealed_key
    const key = sealed ? openSealed(access, sealed, record.id) : null
    if (key !== null) return { ...record, key }
    await removeKey(access, record.id, { userId, role: 'MEMBER' })
  }
  return createKey(access, userId, 'BURP', 'burp')
}

interface KeyCallerRow {
  id: number
  user_id: number
  login: string
  role: Role
  collection_ids: number[] | null
  utility: KeyKind
  used_at: number
  expires_at: number
}

/**
 * Who is behind a key as it was sent, or null. Costs no query while the key is in use.
 *
 * @throws Failure KEY_EXPIRED
 */
export async function callerOfKey(access: Access, key: string): Promise<Caller | null> {
  if (!KEY_TEXT.test(key)) return null
  const hash = hashKey(key)
  const caller = await access.callers.find(`key:${hash}`, async () => {
    const { rows } = await access.store.pool.query<KeyCallerRow>(
      `SELECT k.id, k.user_id, u.login, u.role, u.collection_ids, k.utility, k.used_at, k.expires_at
       FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_hash = $1`,
      [hash],
    )
    const row = rows[0]
    if (!row) return null
    const isExpired = row.expires_at !== 0 && row.expires_at <= nowSeconds()
    if (!isExpired && nowSeconds() - row.used_at > USE_NOTED_EVERY_SECONDS) noteUse(access, row.id)
    return {
      userId: row.user_id,
      login: row.login,
      role: row.role,
      collectionIds: row.role === 'ADMIN' ? null : row.collection_ids,
      via: row.utility,
      keyId: row.id,
      sessionId: null,
      expiresAt: row.expires_at,
    }
  })
  if (caller && caller.expiresAt !== 0 && caller.expiresAt <= nowSeconds()) throw new Failure('KEY_EXPIRED')
  return caller
}

/** In the background: anyone who calls need not wait for it, and a lost note is made at the next use. */
function noteUse(access: Access, keyId: number): void {
  access.store.pool
    .query('UPDATE api_keys SET used_at = $2 WHERE id = $1', [keyId, nowSeconds()])
    .catch((error: unknown) => access.log.warn('part.failed', { part: 'access', error: reportError(error) }))
}

function openSealed(access: Access, sealed: string, keyId: number): string | null {
  try {
    return access.sealer.open(sealed, sealPurpose(keyId))
  } catch (error) {
    if (error instanceof Failure && error.code === 'SEAL_BROKEN') return null
    throw error
  }
}

function sealPurpose(keyId: number): string {
  return `api-key:${keyId}`
}

/** Keys have 238 bits of chance, so a plain hash needs neither salt nor slowness. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function maskKey(key: string): string {
  return key.slice(0, PREFIX_LENGTH).padEnd(KEY_LENGTH, '*')
}
