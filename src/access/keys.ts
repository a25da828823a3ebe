import { createHash, randomInt } from 'node:crypto'
import { type KeyKind, keyKinds, type Role } from '../contract/index.ts'
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
  const made = await inTurn(access.store.db, async (trx) => {
    const user = await trx.selectFrom('users').select('login').where('id', '=', userId).executeTakeFirst()
    if (!user) throw new Failure('NO_SUCH_USER')
    const { held } = await trx
      .selectFrom('api_keys')
      .select(({ fn }) => fn.countAll<string>().as('held'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    if (Number(held) >= MAX_KEYS_PER_USER) throw new Failure('TOO_MANY_KEYS', { limit: MAX_KEYS_PER_USER })
    const id = await newId(trx, 'api_keys')
    const createdAt = nowSeconds()
    const expiresAt = lifeDays === null ? 0 : createdAt + lifeDays * DAY_SECONDS
    await trx
      .insertInto('api_keys')
      .values({
        id,
        user_id: userId,
        utility: kind,
        name,
        key_hash: hashKey(key),
        key_prefix: key.slice(0, PREFIX_LENGTH),
        sealed_key: kind === 'BURP' ? access.sealer.seal(key, sealPurpose(id)) : null,
        created_at: createdAt,
        expires_at: expiresAt,
      })
      .execute()
    const { login } = user
    return { id, userId, login, kind, name, maskedKey: maskKey(key), createdAt, usedAt: 0, expiresAt, key }
  })
  access.log.info('key.created', { keyId: made.id, userId, kind })
  return made
}

/** Makes sure that a given key of kind EXTERNAL_API exists, owned by the system user; twice does nothing more. */
export async function ensureKey(access: Access, key: string, name: string): Promise<void> {
  await inTurn(access.store.db, async (trx) => {
    await trx
      .insertInto('api_keys')
      .values({
        id: await newId(trx, 'api_keys'),
        user_id: systemUserId,
        utility: 'EXTERNAL_API',
        name,
        key_hash: hashKey(key),
        key_prefix: key.slice(0, PREFIX_LENGTH),
        sealed_key: null,
        created_at: nowSeconds(),
      })
      .onConflict((conflict) => conflict.column('key_hash').doNothing())
      .execute()
  })
  access.callers.clear()
}

/** Keys of these users, oldest first; null for all users. */
export async function listKeys(access: Access, userIds: readonly number[] | null): Promise<KeyRecord[]> {
  let query = access.store.db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select([
      'api_keys.id',
      'user_id',
      'login',
      'utility',
      'api_keys.name',
      'key_prefix',
      'api_keys.created_at',
      'used_at',
      'expires_at',
    ])
    .orderBy('api_keys.id')
  if (userIds !== null) query = query.where('user_id', 'in', [...userIds])
  return (await query.execute()).map((row) => ({
    id: row.id,
    userId: row.user_id,
    login: row.login,
    kind: row.utility,
    name: row.name ?? '',
    maskedKey: maskKey(row.key_prefix),
    createdAt: row.created_at,
    usedAt: row.used_at,
    expiresAt: row.expires_at,
  }))
}

/** Whether any key exists. */
export async function hasAnyKey(access: Access): Promise<boolean> {
  return (await access.store.db.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined
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
  let query = access.store.db.deleteFrom('api_keys').where('id', '=', keyId)
  if (by.role !== 'ADMIN') query = query.where('user_id', '=', by.userId)
  const { numDeletedRows } = await query.executeTakeFirst()
  if (numDeletedRows === 0n) throw new Failure('NO_SUCH_KEY')
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
    const row = await access.store.db
      .selectFrom('api_keys')
      .select('sealed_key')
      .where('id', '=', record.id)
      .executeTakeFirst()
    const key = row?.sealed_key ? openSealed(access, row.sealed_key, record.id) : null
    if (key !== null) return { ...record, key }
    await removeKey(access, record.id, { userId, role: 'MEMBER' })
  }
  return createKey(access, userId, 'BURP', 'burp')
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
    const row = await access.store.db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .select([
        'api_keys.id',
        'user_id',
        'login',
        'role',
        'collection_ids',
        'utility',
        'used_at',
        'expires_at',
      ])
      .where('key_hash', '=', hash)
      .executeTakeFirst()
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

/** True for the name of a kind of key. */
export function isKeyKind(text: string): text is KeyKind {
  return (keyKinds as readonly string[]).includes(text)
}

/** In the background: anyone who calls need not wait for it, and a lost note is made at the next use. */
function noteUse(access: Access, keyId: number): void {
  access.store.db
    .updateTable('api_keys')
    .set({ used_at: nowSeconds() })
    .where('id', '=', keyId)
    .execute()
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
