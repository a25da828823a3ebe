import { createHash, randomBytes } from 'node:crypto'
import { Failure, newHexId, nowSeconds } from '../kit/index.ts'
import { type Queryable, usingTransaction } from '../store/index.ts'
import type { Access } from './access.ts'
import { readAccessToken, signAccessToken } from './access-token.ts'
import type { Caller } from './caller.ts'
import { knownDevice } from './known-device.ts'
import { noPassword, verifyPassword } from './password.ts'
import { requireSecondFactor } from './second-factor.ts'
import type { Attempt, WasNoFailure } from './sign-in-limits.ts'
import { setPassword, type User, type UserRow, userColumns, userOf } from './users.ts'

const SESSIONS_PER_USER = 10
const DAY_SECONDS = 86_400
const REFRESH_BYTES = 32
const MAX_USER_AGENT = 200
const MAX_TOKEN_LENGTH = 2048

/** A session as the browser gets it. */
export interface Session {
  user: User
  /** Sent in the header `access-token` with each call. */
  accessToken: string
  /** For the cookie; present only where the session starts. */
  refreshToken: string
  /** Life of the cookie. */
  refreshSeconds: number
}

/** Who a person says to be, and from where. */
interface SignIn {
  login: string
  password: string
  /** Of the second factor. */
  code?: string
  ip: string
  userAgent: string | null
  /** Cookie that marks browsers in which people signed in before. */
  deviceCookie: string | null
}

/**
 * Signs a person in. Failures count as {@link SignInLimits} says; an unknown login takes as long as a wrong password.
 *
 * @throws Failure WRONG_CREDENTIALS, CODE_REQUIRED, WRONG_CODE, TOO_MANY_REQUESTS
 */
export async function signIn(access: Access, input: SignIn): Promise<Session> {
  const account = input.login.trim().toLowerCase()
  const device = knownDevice(access, input.deviceCookie, account)
  const wasNoFailure = await takeAttempt(access, { account, address: input.ip, device })
  const { rows } = await access.store.pool.query<UserRow & { password_hash: string }>(
    `SELECT ${userColumns}, password_hash FROM users WHERE login = $1`,
    [account],
  )
  const row = rows[0]
  if (!(await verifyPassword(input.password, row?.password_hash ?? noPassword)) || !row) {
    access.log.info('login.refused', { reason: 'credentials' })
    throw new Failure('WRONG_CREDENTIALS')
  }
  try {
    await requireSecondFactor(access, row.id, input.code ?? '')
  } catch (error) {
    // The password was right: who has not entered a code yet has guessed nothing.
    if (error instanceof Failure && error.code === 'CODE_REQUIRED') await wasNoFailure()
    throw error
  }
  await wasNoFailure()
  access.log.info('login.succeeded', { userId: row.id })
  return startSession(access, userOf(row), input.userAgent)
}

/**
 * Asks a person who is signed in for the password. Guesses count by session: anyone who has one cannot be kept from it
 * by others.
 *
 * @throws Failure WRONG_CREDENTIALS, NO_PASSWORD, TOO_MANY_REQUESTS
 */
export async function requireCurrentPassword(
  access: Access,
  caller: Caller,
  ip: string,
  password: string,
): Promise<void> {
  const attempt = { account: `password of ${caller.userId}`, address: ip, device: caller.sessionId }
  const wasNoFailure = await takeAttempt(access, attempt)
  const { rows } = await access.store.pool.query<{ password_hash: string }>(
    'SELECT password_hash FROM users WHERE id = $1',
    [caller.userId],
  )
  const hash = rows[0]?.password_hash ?? noPassword
  if (hash !== noPassword && !(await verifyPassword(password, hash))) throw new Failure('WRONG_CREDENTIALS')
  await wasNoFailure()
  if (hash === noPassword) throw new Failure('NO_PASSWORD')
}

/** False for people who sign in with a provider only. */
export async function hasPassword({ store }: Access, userId: number): Promise<boolean> {
  const { rowCount } = await store.pool.query('SELECT FROM users WHERE id = $1 AND password_hash <> $2', [
    userId,
    noPassword,
  ])
  return rowCount === 1
}

/**
 * Changes the password of a person who knows the present one, and ends the person's other sessions.
 *
 * @returns API keys that were revoked; none unless asked for
 * @throws Failure WRONG_CREDENTIALS, NO_PASSWORD, WEAK_PASSWORD, TOO_MANY_REQUESTS
 */
export async function changePassword(
  access: Access,
  caller: Caller,
  ip: string,
  change: { current: string; next: string; revokesKeys: boolean },
): Promise<number> {
  await requireCurrentPassword(access, caller, ip, change.current)
  return setPassword(access, caller.userId, change.next, {
    keptSessionId: caller.sessionId,
    revokesKeys: change.revokesKeys,
  })
}

/** Starts a session for a person who proved who they are; the oldest beyond ten ends. */
export async function startSession(access: Access, user: User, userAgent: string | null): Promise<Session> {
  const refreshToken = randomBytes(REFRESH_BYTES).toString('base64url')
  const now = nowSeconds()
  const refreshSeconds = access.settings.sessionDays * DAY_SECONDS
  const id = newHexId(now)
  await usingTransaction(access.store.pool, async (client) => {
    await client.query(
      `INSERT INTO sessions (id, user_id, refresh_hash, created_at, used_at, expires_at, user_agent)
       VALUES ($1, $2, $3, $4, $4, $5, $6)`,
      [
        id,
        user.id,
        hashToken(refreshToken),
        now,
        now + refreshSeconds,
        userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      ],
    )
    await endOldSessions(client, user.id, id, now)
    await client.query('UPDATE users SET last_login_at = $2 WHERE id = $1', [user.id, now])
  })
  access.callers.clear()
  return { user, accessToken: await signAccessToken(access, id, user.login), refreshToken, refreshSeconds }
}

/** Ends the sessions of a user that are over, and the oldest beyond the limit; the one that starts stays. */
async function endOldSessions(
  client: Queryable,
  userId: number,
  startingId: string,
  now: number,
): Promise<void> {
  await client.query(
    `DELETE FROM sessions WHERE user_id = $1 AND id <> $2 AND id NOT IN (
       SELECT id FROM sessions WHERE user_id = $1 AND id <> $2 AND expires_at > $3
       ORDER BY used_at DESC LIMIT $4)`,
    [userId, startingId, now, SESSIONS_PER_USER - 1],
  )
}

/**
 * A new access token for the session of a refresh cookie. The cookie's token stays the same: several tabs may renew
 * at once.
 *
 * @throws Failure SESSION_EXPIRED
 */
export async function renewSession(
  access: Access,
  refreshToken: string,
): Promise<{ user: User; accessToken: string }> {
  const { sessionId, user } = await findByRefreshToken(access, refreshToken)
  await access.store.pool.query('UPDATE sessions SET used_at = $2 WHERE id = $1', [sessionId, nowSeconds()])
  return { user, accessToken: await signAccessToken(access, sessionId, user.login) }
}

/**
 * Who is behind a refresh cookie; good only for reading documents, since a cookie comes along unasked.
 *
 * @throws Failure SESSION_EXPIRED
 */
export async function callerOfRefreshToken(access: Access, refreshToken: string): Promise<Caller> {
  const { sessionId, user } = await findByRefreshToken(access, refreshToken)
  return callerOf(user, sessionId)
}

/** Ends a session; ending it twice does nothing more. */
export async function endSession(access: Access, sessionId: string): Promise<void> {
  await access.store.pool.query('DELETE FROM sessions WHERE id = $1', [sessionId])
  access.callers.clear()
}

/** Who is behind an access token, with a fresh token once half of its life is over. Null when it is not good. */
export async function callerOfAccessToken(
  access: Access,
  token: string,
): Promise<{ caller: Caller; renewedToken: string | null } | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null
  const claims = await readAccessToken(access, token)
  if (!claims) return null
  const { sessionId, remainingSeconds } = claims
  const caller = await access.callers.find(`session:${sessionId}`, async () => {
    const { rows } = await access.store.pool.query<UserRow>(
      `SELECT ${userColumns} FROM sessions s JOIN users ON users.id = s.user_id
       WHERE s.id = $1 AND s.expires_at > $2`,
      [sessionId, nowSeconds()],
    )
    return rows[0] ? callerOf(userOf(rows[0]), sessionId) : null
  })
  if (!caller) return null
  const isHalfOver = remainingSeconds < access.settings.accessTokenMinutes * 30
  return { caller, renewedToken: isHalfOver ? await signAccessToken(access, sessionId, caller.login) : null }
}

async function takeAttempt(access: Access, attempt: Attempt): Promise<WasNoFailure> {
  try {
    return await access.limits.take(attempt)
  } catch (error) {
    access.log.warn('login.refused', { reason: 'limit' })
    throw error
  }
}

async function findByRefreshToken(
  access: Access,
  refreshToken: string,
): Promise<{ sessionId: string; user: User }> {
  const { rows } = await access.store.pool.query<UserRow & { session_id: string }>(
    `SELECT s.id AS session_id, ${userColumns} FROM sessions s JOIN users ON users.id = s.user_id
     WHERE s.refresh_hash = $1 AND s.expires_at > $2`,
    [hashToken(refreshToken), nowSeconds()],
  )
  const row = rows[0]
  if (!row) throw new Failure('SESSION_EXPIRED')
  return { sessionId: row.session_id, user: userOf(row) }
}

function callerOf(user: User, sessionId: string): Caller {
  return {
    userId: user.id,
    login: user.login,
    role: user.role,
    collectionIds: user.collectionIds,
    via: 'SESSION',
    keyId: null,
    sessionId,
    expiresAt: 0,
  }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
