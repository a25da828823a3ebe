import { createHash, randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Role } from '../contract/index.ts'
import { type EpochSeconds, Failure, nowSeconds } from '../kit/index.ts'
import type { Schema } from '../store/index.ts'
import type { Access } from './access.ts'
import { inTurn } from './turn.ts'
import { readLogin } from './users.ts'

const CODE_BYTES = 24
const HOUR_SECONDS = 3600

/** Someone who was invited and has not signed up yet. */
export interface Invitation {
  login: string
  role: Role
  invitedBy: string
  createdAt: EpochSeconds
  expiresAt: EpochSeconds
}

/** An invitation at its creation: the only time its code is there. */
export interface NewInvitation extends Invitation {
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
  await inTurn(access.store.db, async (trx) => {
    for (const invitation of invitations) await insertInvitation(trx, invitation)
  })
  for (const { role } of invitations) access.log.info('user.invited', { byUserId: by.userId, role })
  return invitations
}

async function insertInvitation(trx: Transaction<Schema>, invitation: NewInvitation): Promise<void> {
  const { login } = invitation
  const known = await trx.selectFrom('users').select('id').where('login', '=', login).executeTakeFirst()
  if (known) throw new Failure('USER_EXISTS')
  await trx.deleteFrom('invitations').where('login', '=', login).execute()
  await trx
    .insertInto('invitations')
    .values({
      code_hash: hashCode(invitation.code),
      login,
      role: invitation.role,
      invited_by: invitation.invitedBy,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
    .execute()
}

/** Invitations that can still be used, newest first. */
export async function listInvitations(access: Access): Promise<Invitation[]> {
  const rows = await access.store.db
    .selectFrom('invitations')
    .selectAll()
    .where('expires_at', '>', nowSeconds())
    .orderBy('created_at', 'desc')
    .orderBy('login')
    .execute()
  return rows.map((row) => ({
    login: row.login,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }))
}

/** Ends the invitation of an address; true when there was one. */
export async function withdrawInvitation(access: Access, email: string): Promise<boolean> {
  const { numDeletedRows } = await access.store.db
    .deleteFrom('invitations')
    .where('login', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Uses an invitation up.
 *
 * @returns the role it gives
 * @throws Failure INVALID_INVITATION when the code is wrong, expired or another address's
 */
export async function redeemInvitation(trx: Transaction<Schema>, login: string, code: string): Promise<Role> {
  const row = await trx
    .deleteFrom('invitations')
    .where('code_hash', '=', hashCode(code))
    .where('login', '=', login)
    .where('expires_at', '>', nowSeconds())
    .returning('role')
    .executeTakeFirst()
  if (!row) throw new Failure('INVALID_INVITATION')
  return row.role
}

function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
