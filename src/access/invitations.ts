import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '../contract/index.ts'
import { type EpochSeconds, Failure, nowSeconds } from '../kit/index.ts'
import type { Queryable } from '../store/index.ts'
import type { Access } from './access.ts'
import { inTurn } from './turn.ts'
import { readLogin } from './users.ts'

const CODE_BYTES = 24
const HOUR_SECONDS = 3600

/** Someone who was invited and has not signed up yet. */
interface Invitation {
  login: string
  role: Role
  invitedBy: string
  createdAt: EpochSeconds
  expiresAt: EpochSeconds
}

/** An invitation at its creation: the only time its code is there. */
interface NewInvitation extends Invitation {
  code: string
}

/**
 * Invites people, all or none. An earlier invitation of the same address ends. Codes are mailed or
 * handed on by the caller.
 *
 * @throws Failure INVALID_EMAIL, USER_EXISTS
 */
export async function inviteUsers(
  access: Access,
  people: readonly { email: string; role: Role }[],
  by: { userId: number; login: string },
): Promise<NewInvitation[]> {
  const createdAt = nowSeconds()
  const expiresAt = createdAt + access.settings.invitationHours * HOUR_SECONDS
  const invitations = people.map(({ email, role }) => ({
    login: readLogin(email),
    role,
    invitedBy: by.login,
    createdAt,
    expiresAt,
    code: randomBytes(CODE_BYTES).toString('base64url'),
  }))
  await inTurn(access.store, async (client) => {
    for (const invitation of invitations) await insertInvitation(client, invitation)
  })
  for (const { role } of invitations) access.log.info('user.invited', { byUserId: by.userId, role })
  return invitations
}

async function insertInvitation(client: Queryable, invitation: NewInvitation): Promise<void> {
  const { login, role, invitedBy, createdAt, expiresAt } = invitation
  const known = await client.query('SELECT FROM users WHERE login = $1', [login])
  if (known.rowCount) throw new Failure('USER_EXISTS')
  await client.query('DELETE FROM invitations WHERE login = $1', [login])
  await client.query(
    `INSERT INTO invitations (code_hash, login, role, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [hashCode(invitation.code), login, role, invitedBy, createdAt, expiresAt],
  )
}

/** Invitations that can still be used, newest first. */
export async function listInvitations(access: Access): Promise<Invitation[]> {
  const { rows } = await access.store.pool.query<Invitation>(
    `SELECT login, role, invited_by AS "invitedBy", created_at AS "createdAt", expires_at AS "expiresAt"
     FROM invitations WHERE expires_at > $1 ORDER BY created_at DESC, login`,
    [nowSeconds()],
  )
  return rows
}

/** Ends the invitation of an address; true when there was one. */
export async function withdrawInvitation(access: Access, email: string): Promise<boolean> {
  const { rowCount } = await access.store.pool.query('DELETE FROM invitations WHERE login = $1', [
    email.trim().toLowerCase(),
  ])
  return rowCount !== 0
}

/**
 * Uses an invitation up.
 *
 * @returns the role it gives
 * @throws Failure INVALID_INVITATION when the code is wrong, expired or another address's
 */
export async function redeemInvitation(client: Queryable, login: string, code: string): Promise<Role> {
  const { rows } = await client.query<{ role: Role }>(
    'DELETE FROM invitations WHERE code_hash = $1 AND login = $2 AND expires_at > $3 RETURNING role',
    [hashCode(code), login, nowSeconds()],
  )
  if (!rows[0]) throw new Failure('INVALID_INVITATION')
  return rows[0].role
}

function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
