import type { Role } from '../../contract/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'
import type { Access } from '../access.ts'
import { noPassword } from '../password.ts'
import { systemUserId } from '../system-user.ts'
import { inTurn, newId } from '../turn.ts'
import { isLastAdmin, needsFirstUser, type User, type UserRow, userColumns, userOf } from '../users.ts'
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
  const { user, isNew } = await inTurn(access.store, async (client) => {
    const known = await knownAccount(access, client, issuer, claims)
    if (known !== null) return { user: await withRole(access, client, known, claims), isNew: false }
    return { user: await newAccount(access, client, issuer, claims), isNew: true }
  })
  access.callers.clear()
  if (isNew) access.log.info('user.created', { userId: user.id, role: user.role, isFirst: false })
  return user
}

async function knownAccount(
  access: Access,
  client: Queryable,
  issuer: string,
  claims: Claims,
): Promise<User | null> {
  const linked = await client.query<UserRow>(
    `SELECT ${userColumns} FROM user_identities i JOIN users ON users.id = i.user_id
     WHERE i.issuer = $1 AND i.subject = $2`,
    [issuer, claims.sub],
  )
  if (linked.rows[0]) return userOf(linked.rows[0])
  const login = emailOfClaims(claims, access.settings)
  const { rows } = await client.query<UserRow>(
    `SELECT ${userColumns} FROM users WHERE login = $1 AND id <> $2`,
    [login, systemUserId],
  )
  const named = rows[0]
  if (!named) return null
  const other = await client.query('SELECT FROM user_identities WHERE issuer = $1 AND user_id = $2', [
    issuer,
    named.id,
  ])
  // An address that another person has now must not open the account of the one who had it.
  if (other.rowCount) throw new Failure('OIDC_OTHER_IDENTITY')
  await insertIdentity(client, issuer, claims.sub, named.id)
  return userOf(named)
}

async function withRole({ settings }: Access, client: Queryable, user: User, claims: Claims): Promise<User> {
  if (settings.oidcRoles.length === 0) return user
  const role = roleOfClaims(claims, settings) ?? defaultRole(settings.oidcDefaultRole)
  if (role === null) throw new Failure('OIDC_NO_ROLE')
  if (role === user.role || (user.role === 'ADMIN' && (await isLastAdmin(client, user.id)))) return user
  const { rows } = await client.query<UserRow>(
    `UPDATE users SET role = $2 WHERE id = $1 RETURNING ${userColumns}`,
    [user.id, role],
  )
  return userOf(rows[0]!)
}

async function newAccount(access: Access, client: Queryable, issuer: string, claims: Claims): Promise<User> {
  const login = emailOfClaims(claims, access.settings)
  const role = await roleOfNew(access, client, login, claims)
  if (role === null) throw new Failure('OIDC_NO_ROLE')
  if (role !== 'ADMIN' && (await needsFirstUser(client))) throw new Failure('OIDC_NO_ADMIN')
  await client.query('DELETE FROM invitations WHERE login = $1', [login])
  const { rows } = await client.query<UserRow>(
    `INSERT INTO users (id, login, name, password_hash, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     RETURNING ${userColumns}`,
    [
      await newId(client, 'users'),
      login,
      nameOfClaims(claims) ?? login.slice(0, login.indexOf('@')),
      noPassword,
      role,
      nowSeconds(),
    ],
  )
  const user = userOf(rows[0]!)
  await insertIdentity(client, issuer, claims.sub, user.id)
  return user
}

async function roleOfNew(
  { settings }: Access,
  client: Queryable,
  login: string,
  claims: Claims,
): Promise<Role | null> {
  const mapped = roleOfClaims(claims, settings)
  if (mapped !== null || settings.oidcRoles.length > 0) return mapped ?? defaultRole(settings.oidcDefaultRole)
  const { rows } = await client.query<{ role: Role }>(
    'SELECT role FROM invitations WHERE login = $1 AND expires_at > $2',
    [login, nowSeconds()],
  )
  return rows[0]?.role ?? defaultRole(settings.oidcDefaultRole)
}

function defaultRole(setting: Role | 'none'): Role | null {
  return setting === 'none' ? null : setting
}

async function insertIdentity(
  client: Queryable,
  issuer: string,
  subject: string,
  userId: number,
): Promise<void> {
  await client.query(
    'INSERT INTO user_identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)',
    [issuer, subject, userId, nowSeconds()],
  )
}
