import { sql, type Transaction } from 'kysely'
import type { Role } from '../../contract/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import type { Schema } from '../../store/index.ts'
import type { Access } from '../access.ts'
import { noPassword } from '../password.ts'
import { systemUserId } from '../system-user.ts'
import { inTurn, newId } from '../turn.ts'
import { isLastAdmin, type User, userOf } from '../users.ts'
import { emailOfClaims, nameOfClaims, roleOfClaims } from './claims.ts'
import type { Claims } from './provider.ts'

/**
 * The account of a person whom the provider vouches for. An identity belongs to one account: found by issuer and
 * subject, else by the verified e-mail address, else made new. Where the settings map claims to roles, the role follows
 * the claims at every sign-in; the last administrator stays one.
 *
 * @throws Failure OIDC_NO_EMAIL, OIDC_NO_ROLE, OIDC_NO_ADMIN, OIDC_OTHER_IDENTITY
 */
export async function accountOfClaims(access: Access, issuer: string, claims: Claims): Promise<User> {
  const { user, isNew } = await inTurn(access.store.db, async (trx) => {
    const known = await knownAccount(access, trx, issuer, claims)
    if (known !== null) return { user: await withRole(access, trx, known, claims), isNew: false }
    return { user: await newAccount(access, trx, issuer, claims), isNew: true }
  })
  access.callers.clear()
  if (isNew) access.log.info('user.created', { userId: user.id, role: user.role, isFirst: false })
  return user
}

async function knownAccount(
  access: Access,
  trx: Transaction<Schema>,
  issuer: string,
  claims: Claims,
): Promise<User | null> {
  const linked = await trx
    .selectFrom('user_identities')
    .innerJoin('users', 'users.id', 'user_identities.user_id')
    .selectAll('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', claims.sub)
    .executeTakeFirst()
  if (linked) return userOf(linked)
  const login = emailOfClaims(claims, access.settings)
  const named = await trx
    .selectFrom('users')
    .selectAll()
    .where('login', '=', login)
    .where('id', '<>', systemUserId)
    .executeTakeFirst()
  if (!named) return null
  const other = await trx
    .selectFrom('user_identities')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('user_id', '=', named.id)
    .executeTakeFirst()
  // An address that another person has now must not open the account of the one who had it.
  if (other) throw new Failure('OIDC_OTHER_IDENTITY')
  await insertIdentity(trx, issuer, claims.sub, named.id)
  return userOf(named)
}

async function withRole(
  { settings }: Access,
  trx: Transaction<Schema>,
  user: User,
  claims: Claims,
): Promise<User> {
  if (settings.oidcRoles.length === 0) return user
  const role = roleOfClaims(claims, settings) ?? defaultRole(settings.oidcDefaultRole)
  if (role === null) throw new Failure('OIDC_NO_ROLE')
  if (role === user.role || (user.role === 'ADMIN' && (await isLastAdmin(trx, user.id)))) return user
  const row = await trx
    .updateTable('users')
    .set({ role })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return userOf(row)
}

async function newAccount(
  access: Access,
  trx: Transaction<Schema>,
  issuer: string,
  claims: Claims,
): Promise<User> {
  const login = emailOfClaims(claims, access.settings)
  const role = await roleOfNew(access, trx, login, claims)
  if (role === null) throw new Failure('OIDC_NO_ROLE')
  const { count } = await trx
    .selectFrom('users')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('id', '<>', systemUserId)
    .executeTakeFirstOrThrow()
  if (count === 0 && role !== 'ADMIN') throw new Failure('OIDC_NO_ADMIN')
  await trx.deleteFrom('invitations').where('login', '=', login).execute()
  const row = await trx
    .insertInto('users')
    .values({
      id: await newId(trx, 'users'),
      login,
      name: nameOfClaims(claims) ?? login.slice(0, login.indexOf('@')),
      password_hash: noPassword,
      role,
      collection_ids: null,
      created_at: nowSeconds(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertIdentity(trx, issuer, claims.sub, row.id)
  return userOf(row)
}

async function roleOfNew(
  { settings }: Access,
  trx: Transaction<Schema>,
  login: string,
  claims: Claims,
): Promise<Role | null> {
  const mapped = roleOfClaims(claims, settings)
  if (mapped !== null || settings.oidcRoles.length > 0) return mapped ?? defaultRole(settings.oidcDefaultRole)
  const invitation = await trx
    .selectFrom('invitations')
    .select('role')
    .where('login', '=', login)
    .where('expires_at', '>', nowSeconds())
    .executeTakeFirst()
  return invitation?.role ?? defaultRole(settings.oidcDefaultRole)
}

function defaultRole(setting: Role | 'none'): Role | null {
  return setting === 'none' ? null : setting
}

async function insertIdentity(
  trx: Transaction<Schema>,
  issuer: string,
  subject: string,
  userId: number,
): Promise<void> {
  await trx
    .insertInto('user_identities')
    .values({ issuer, subject, user_id: userId, created_at: nowSeconds() })
    .execute()
}
