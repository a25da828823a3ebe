import { createHash, randomBytes } from 'node:crypto'
import { Failure, nowSeconds } from '../kit/index.ts'
import type { Access } from './access.ts'
import { findUser, readUser, setPassword, type User } from './users.ts'

const CODE_BYTES = 24
const LIFE_SECONDS = 3_600
/** Codes of one account that work at the same time; a further request makes none. */
const MAX_OPEN = 3

/**
 * Makes a code with which a person can choose a new password, within an hour.
 *
 * @returns null for an address without an account, and for one that has three codes already; callers answer alike
 * @throws Failure TOO_MANY_REQUESTS
 */
export async function requestReset(
  access: Access,
  { email, ip }: { email: string; ip: string },
): Promise<{ user: User; code: string } | null> {
  const login = email.trim().toLowerCase()
  // Never taken back: what slows down guessing slows down those who fill mailboxes, too.
  await access.limits.take({ account: `reset of ${login}`, address: ip, device: null })
  const user = await findUser(access, login)
  if (user === null) return null
  const now = nowSeconds()
  const { pool } = access.store
  await pool.query('DELETE FROM password_resets WHERE expires_at <= $1', [now])
  const open = await pool.query('SELECT FROM password_resets WHERE user_id = $1', [user.id])
  if (open.rows.length >= MAX_OPEN) return null
  const code = randomBytes(CODE_BYTES).toString('base64url')
  await pool.query('INSERT INTO password_resets (code_hash, user_id, expires_at) VALUES ($1, $2, $3)', [
    hashCode(code),
    user.id,
    now + LIFE_SECONDS,
  ])
  return { user, code }
}

/**
 * Sets the password of the person with this code, ends their sessions and all their codes, and revokes their API keys if
 * asked to. A password that is refused
 * leaves the code in force.
 *
 * @throws Failure INVALID_RESET_CODE, WEAK_PASSWORD
 */
export async function completeReset(
  access: Access,
  { code, password, revokesKeys }: { code: string; password: string; revokesKeys: boolean },
): Promise<User> {
  const { pool } = access.store
  const { rows } = await pool.query<{ user_id: number }>(
    'SELECT user_id FROM password_resets WHERE code_hash = $1 AND expires_at > $2',
    [hashCode(code.trim()), nowSeconds()],
  )
  const row = rows[0]
  if (!row) throw new Failure('INVALID_RESET_CODE')
  await setPassword(access, row.user_id, password, { keptSessionId: null, revokesKeys })
  await pool.query('DELETE FROM password_resets WHERE user_id = $1', [row.user_id])
  return readUser(access, row.user_id)
}

function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
