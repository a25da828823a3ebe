import type { Role } from '../contract/index.ts'
import { type EpochSeconds, Failure } from '../kit/index.ts'
import type { Queryable } from '../store/index.ts'
import type { Access } from './access.ts'
import { checkPassword, hashPassword } from './password.ts'
import { systemUserId } from './system-user.ts'
import { inTurn } from './turn.ts'

/** A person with an account. */
export interface User {
  id: number
  /** E-mail address in lower case. */
  login: string
  name: string
  role: Role
  /** Collections this user may see; null = all. Administrators always see all. */
  collectionIds: readonly number[] | null
  lastLoginAt: EpochSeconds
  createdAt: EpochSeconds
}

const MAX_LOGIN_LENGTH = 254
const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,190}$/u

/**
 * An e-mail address as it is kept: trimmed, in lower case.
 *
 * @throws Failure INVALID_EMAIL
 */
export function readLogin(email: string): string {
  const login = email.trim().toLowerCase()
  if (login.length > MAX_LOGIN_LENGTH || !EMAIL.test(login)) throw new Failure('INVALID_EMAIL')
  return login
}

/** A row of `users` with the columns of {@link userColumns}. */
export interface UserRow {
  id: number
  login: string
  name: string | null
  role: Role
  collection_ids: number[] | null
  last_login_at: number
  created_at: number
}

/** SQL of the columns that {@link userOf} reads. */
export const userColumns =
  'users.id, users.login, users.name, users.role, users.collection_ids, users.last_login_at, users.created_at'

/** A row as the rest of the product sees it. */
export function userOf(row: UserRow): User {
  return {
    id: row.id,
    login: row.login,
    name: row.name ?? row.login,
    role: row.role,
    collectionIds: row.role === 'ADMIN' ? null : row.collection_ids,
    lastLoginAt: row.last_login_at,
    createdAt: row.created_at,
  }
}

/** All people, oldest account first. */
export async function listUsers(access: Access): Promise<User[]> {
  const { rows } = await access.store.pool.query<UserRow>(
    `SELECT ${userColumns} FROM users WHERE id <> $1 ORDER BY id`,
    [systemUserId],
  )
  return rows.map(userOf)
}

/** The person with this address, or null. */
export async function findUser(access: Access, email: string): Promise<User | null> {
  const { rows } = await access.store.pool.query<UserRow>(
    `SELECT ${userColumns} FROM users WHERE login = $1 AND id <> $2`,
    [email.trim().toLowerCase(), systemUserId],
  )
  return rows[0] ? userOf(rows[0]) : null
}

/**
 * The user of an id, the system user included.
 *
 * @throws Failure NO_SUCH_USER
 */
export async function readUser(access: Access, userId: number): Promise<User> {
  const { rows } = await access.store.pool.query<UserRow>(`SELECT ${userColumns} FROM users WHERE id = $1`, [
    userId,
  ])
  if (!rows[0]) throw new Failure('NO_SUCH_USER')
  return userOf(rows[0])
}

/** Whether nobody has signed up yet. */
export async function needsFirstUser(client: Queryable): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM users WHERE id <> $1 LIMIT 1', [systemUserId])
  return rowCount === 0
}

/**
 * Gives a person another role. Takes effect with the next call.
 *
 * @throws Failure NO_SUCH_USER, LAST_ADMIN
 */
export async function changeRole(
  access: Access,
  userId: number,
  role: Role,
  byUserId: number,
): Promise<void> {
  await inTurn(access.store, async (client) => {
    await guardAdmins(client, userId, role === 'ADMIN')
    await client.query('UPDATE users SET role = $2 WHERE id = $1', [userId, role])
  })
  access.callers.clear()
  access.log.info('user.changed', { userId, byUserId, what: 'role' })
}

/**
 * Removes a person with sessions and keys.
 *
 * @throws Failure NO_SUCH_USER, OWN_ACCOUNT, LAST_ADMIN
 */
export async function removeUser(access: Access, userId: number, byUserId: number): Promise<void> {
  if (userId === byUserId) throw new Failure('OWN_ACCOUNT')
  await inTurn(access.store, async (client) => {
    await guardAdmins(client, userId, false)
    await client.query('DELETE FROM users WHERE id = $1', [userId])
  })
  access.callers.clear()
  access.log.info('user.removed', { userId, byUserId })
}

/** Collections by user id; null = all. */
type CollectionGrants = ReadonlyMap<number, readonly number[] | null>

/**
 * Sets which collections people may see: all or nothing, in one transaction.
 *
 * @throws Failure NO_SUCH_USER
 */
export async function setUserCollections(
  access: Access,
  grants: CollectionGrants,
  byUserId: number,
): Promise<void> {
  await inTurn(access.store, async (client) => {
    for (const [userId, collectionIds] of grants) {
      const { rowCount } = await client.query(
        'UPDATE users SET collection_ids = $3 WHERE id = $1 AND id <> $2',
        [userId, systemUserId, collectionIds && [...new Set(collectionIds)].sort((a, b) => a - b)],
      )
      if (rowCount === 0) throw new Failure('NO_SUCH_USER')
    }
  })
  access.callers.clear()
  for (const userId of grants.keys())
    access.log.info('user.changed', { userId, byUserId, what: 'collections' })
}

/**
 * Adds a collection to those a restricted person may see, in the caller's transaction; nothing changes for people who
 * may see all. Clear {@link Access.callers} once it is committed.
 */
export async function grantCollection(
  client: Queryable,
  userId: number,
  collectionId: number,
): Promise<void> {
  await client.query(
    `UPDATE users SET collection_ids = array(SELECT DISTINCT x FROM unnest(collection_ids || $2::integer) AS x ORDER BY x)
     WHERE id = $1 AND collection_ids IS NOT NULL`,
    [userId, collectionId],
  )
}

/**
 * Sets a new password and ends the sessions of the person, except one (null: none). API keys go on working unless they
 * are to be revoked.
 *
 * @returns API keys that were revoked
 * @throws Failure NO_SUCH_USER, WEAK_PASSWORD
 */
export async function setPassword(
  access: Access,
  userId: number,
  password: string,
  { keptSessionId, revokesKeys }: { keptSessionId: string | null; revokesKeys: boolean },
): Promise<number> {
  await checkPassword(password, (await readUser(access, userId)).login)
  const passwordHash = await hashPassword(password)
  const revoked = await inTurn(access.store, async (client) => {
    const updated = await client.query('UPDATE users SET password_hash = $3 WHERE id = $1 AND id <> $2', [
      userId,
      systemUserId,
      passwordHash,
    ])
    if (updated.rowCount === 0) throw new Failure('NO_SUCH_USER')
    await client.query('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [userId, keptSessionId ?? ''])
    if (!revokesKeys) return 0
    const { rowCount } = await client.query('DELETE FROM api_keys WHERE user_id = $1', [userId])
    return rowCount ?? 0
  })
  access.callers.clear()
  access.log.info('user.changed', { userId, byUserId: userId, what: 'password' })
  return revoked
}

/** Refuses a change after which nobody could manage users. */
async function guardAdmins(client: Queryable, userId: number, staysAdmin: boolean): Promise<void> {
  const { rows } = await client.query<{ role: Role }>('SELECT role FROM users WHERE id = $1 AND id <> $2', [
    userId,
    systemUserId,
  ])
  const target = rows[0]
  if (!target) throw new Failure('NO_SUCH_USER')
  if (target.role !== 'ADMIN' || staysAdmin) return
  if (await isLastAdmin(client, userId)) throw new Failure('LAST_ADMIN')
}

/** Whether nobody but this person could manage users. */
export async function isLastAdmin(client: Queryable, userId: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM users WHERE role = 'ADMIN' AND id NOT IN ($1, $2) LIMIT 1`,
    [systemUserId, userId],
  )
  return rowCount === 0
}
