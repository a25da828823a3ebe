import { createHash, randomBytes } from 'node:crypto'
import { Failure, newHexId, nowSeconds } from '../kit/index.ts'
import type { Access } from './access.ts'
import { readAccessToken, signAccessToken } from './access-token.ts'
import type { Caller } from './caller.ts'
import { knownDevice } from './known-device.ts'
import { noPassword, verifyPassword } from './password.ts'
import type { Attempt, WasNoFailure } from './sign-in-limits.ts'
import { setPassword, type User, userOf } from './users.ts'

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
export interface SignIn {
  login: string
  password: string
  ip: string
  userAgent: string | null
  /** Cookie that marks browsers in which people signed in before. */
  deviceCookie: string | null
}

/**
 * Signs a person in. Failures count as {@link SignInLimits} says; an unknown login takes as long as a wrong password.
 *
 * @throws Failure WRONG_CREDENTIALS, TOO_MANY_REQUESTS
 */
export async function signIn(access: Access, input: SignIn): Promise<Session> {
  const account = input.login.trim().toLowerCase()
  const device = knownDevice(access, input.deviceCookie, account)
  const wasNoFailure = await takeAttempt(access, { account, address: input.ip, device })
  const row = await access.store.db
    .selectFrom('users')
    .selectAll()
    .where('login', '=', account)
    .executeTakeFirst()
  if (!(await verifyPassword(input.password, row?.password_hash ?? noPassword)) || !row) {
    access.log.info('login.refused', { reason: 'credentials' })
    throw new Failure('WRONG_CREDENTIALS')
  }
  await wasNoFailure()
  access.log.info('login.succeeded', { userId: row.id })
  return startSession(access, userOf(row), input.userAgent)
}

/**
 * Changes the password of a person who knows the present one, and ends the person's other sessions. Guesses count by
 * session: anyone who has one cannot be kept from it by others.
 *
 * @returns API keys that were revoked; none unless asked for
 * @throws Failure WRONG_CREDENTIALS, WEAK_PASSWORD, TOO_MANY_REQUESTS
 */
export async function changePassword(
  access: Access,
  caller: Caller,
  ip: string,
  change: { current: string; next: string; revokesKeys: boolean },
): Promise<number> {
  const attempt = { account: `password of ${caller.userId}`, address: ip, device: caller.sessionId }
  const wasNoFailure = await takeAttempt(access, attempt)
  const row = await access.store.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', caller.userId)
    .executeTakeFirst()
  if (!(await verifyPassword(change.current, row?.password_hash ?? noPassword))) {
    throw new Failure('WRONG_CREDENTIALS')
  }
  await wasNoFailure()
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
  await access.store.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('sessions')
      .values({
        id,
        user_id: user.id,
        refresh_hash: hashToken(refreshToken),
        created_at: now,
        used_at: now,
        expires_at: now + refreshSeconds,
        user_agent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      })
      .execute()
    await trx
      .deleteFrom('sessions')
      .where('user_id', '=', user.id)
      .where('id', '<>', id)
      .where('id', 'not in', (query) =>
        query
          .selectFrom('sessions')
          .select('id')
          .where('user_id', '=', user.id)
          .where('id', '<>', id)
          .where('expires_at', '>', now)
          .orderBy('used_at', 'desc')
          .limit(SESSIONS_PER_USER - 1),
      )
      .execute()
    await trx.updateTable('users').set({ last_login_at: now }).where('id', '=', user.id).execute()
  })
  access.callers.clear()
  return { user, accessToken: await signAccessToken(access, id, user.login), refreshToken, refreshSeconds }
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
  const { session, user } = await findByRefreshToken(access, refreshToken)
  await access.store.db
    .updateTable('sessions')
    .set({ used_at: nowSeconds() })
    .where('id', '=', session.id)
    .execute()
  return { user, accessToken: await signAccessToken(access, session.id, user.login) }
}

/**
 * Who is behind a refresh cookie; good only for reading documents, since a cookie comes along unasked.
 *
 * @throws Failure SESSION_EXPIRED
 */
export async function callerOfRefreshToken(access: Access, refreshToken: string): Promise<Caller> {
  const { session, user } = await findByRefreshToken(access, refreshToken)
  return callerOf(user, session.id)
}

/** Ends a session; ending it twice does nothing more. */
export async function endSession(access: Access, sessionId: string): Promise<void> {
  await access.store.db.deleteFrom('sessions').where('id', '=', sessionId).execute()
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
    const row = await access.store.db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .selectAll('users')
      .where('sessions.id', '=', sessionId)
      .where('expires_at', '>', nowSeconds())
      .executeTakeFirst()
    return row ? callerOf(userOf(row), sessionId) : null
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
): Promise<{ session: { id: string }; user: User }> {
  const session = await access.store.db
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('refresh_hash', '=', hashToken(refreshToken))
    .where('expires_at', '>', nowSeconds())
    .executeTakeFirst()
  const row =
    session &&
    (await access.store.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', session.user_id)
      .executeTakeFirst())
  if (!row) throw new Failure('SESSION_EXPIRED')
  return { session, user: userOf(row) }
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
