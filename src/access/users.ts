import type { Selectable, Transaction } from 'kysely'
import type { Role } from '../contract/index.ts'
import { type EpochSeconds, Failure } from '../kit/index.ts'
import type { Queryable, Schema, UsersTable } from '../store/index.ts'
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

/** A row as the rest of the product sees it. */
export function userOf(row: Selectable<UsersTable>): User {
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
  const rows = await access.store.db
    .selectFrom('users')
    .selectAll()
    .where('id', '<>', systemUserId)
    .orderBy('id')
    .execute()
  return rows.map(userOf)
}

/** The person with this address, or null. */
export async function findUser(access: Access, email: string): Promise<User | null> {
  const row = await access.store.db
    .selectFrom('users')
    .selectAll()
    .where('login', '=', email.trim().toLowerCase())
    .where('id', '<>', systemUserId)
    .executeTakeFirst()
  return row ? userOf(row) : null
}

/**
 * The user of an id, the system user included.
 *
 * @throws Failure NO_SUCH_USER
 */
export async function readUser(access: Access, userId: number): Promise<User> {
  const row = await access.store.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new Failure('NO_SUCH_USER')
  return userOf(row)
}

/** Whether nobody has signed up yet. */
export async function needsFirstUser(access: Access): Promise<boolean> {
  const row = await access.store.db
    .selectFrom('users')
    .select('id')
    .where('id', '<>', systemUserId)
    .limit(1)
    .executeTakeFirst()
  return row === undefined
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
  await inTurn(access.store.db, async (trx) => {
    await guardAdmins(trx, userId, role === 'ADMIN')
    await trx.updateTable('users').set({ role }).where('id', '=', userId).execute()
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
  await inTurn(access.store.db, async (trx) => {
    await guardAdmins(trx, userId, false)
    await trx.deleteFrom('users').where('id', '=', userId).execute()
  })
  access.callers.clear()
  access.log.info('user.removed', { userId, byUserId })
}

/** Collections by user id; null = all. */
export type CollectionGrants = ReadonlyMap<number, readonly number[] | null>

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
  await inTurn(access.store.db, async (trx) => {
    for (const [userId, collectionIds] of grants) {
      const { numUpdatedRows } = await trx
        .updateTable('users')
        .set({
          collection_ids: collectionIds === null ? null : [...new Set(collectionIds)].sort((a, b) => a - b),
        })
        .where('id', '=', userId)
        .where('id', '<>', systemUserId)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Failure('NO_SUCH_USER')
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
  const revoked = await inTurn(access.store.db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('id', '=', userId)
      .where('id', '<>', systemUserId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Failure('NO_SUCH_USER')
    await trx
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('id', '<>', keptSessionId ?? '')
      .execute()
    if (!revokesKeys) return 0
    const { numDeletedRows } = await trx
      .deleteFrom('api_keys')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
  access.callers.clear()
  access.log.info('user.changed', { userId, byUserId: userId, what: 'password' })
  return revoked
}

/** Refuses a change after which nobody could manage users. */
async function guardAdmins(trx: Transaction<Schema>, userId: number, staysAdmin: boolean): Promise<void> {
  const target = await trx
    .selectFrom('users')
    .select(['id', 'role'])
    .where('id', '=', userId)
    .where('id', '<>', systemUserId)
    .executeTakeFirst()
  if (!target) throw new Failure('NO_SUCH_USER')
  if (target.role !== 'ADMIN' || staysAdmin) return
  if (await isLastAdmin(trx, userId)) throw new Failure('LAST_ADMIN')
}

/** Whether nobody but this person could manage users. */
export async function isLastAdmin(trx: Transaction<Schema>, userId: number): Promise<boolean> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('id', 'not in', [systemUserId, userId])
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}
