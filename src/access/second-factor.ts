import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { Failure, nowMs, nowSeconds } from '../kit/index.ts'
import { type Queryable, usingTransaction } from '../store/index.ts'
import type { Access } from './access.ts'
import type { Caller } from './caller.ts'

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** Clocks of phones may be one step off. */
const STEPS_OFF = 1
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 8

interface FactorRow {
  readonly sealedSecret: string
  readonly confirmedAt: number
}

/** A secret that an authenticator app takes, as text and as the address of a QR code. */
interface NewSecondFactor {
  readonly secret: string
  readonly uri: string
}

function label(userId: number): string {
  return `second-factor:${userId}`
}

function totpOf(secret: string, login: string): TOTP {
  return new TOTP({
    issuer: 'Vigil',
    label: login,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  })
}

async function readFactor(db: Queryable, userId: number): Promise<FactorRow | null> {
  const { rows } = await db.query<FactorRow>(
    'SELECT sealed_secret AS "sealedSecret", confirmed_at AS "confirmedAt" FROM second_factors WHERE user_id = $1',
    [userId],
  )
  return rows[0] ?? null
}

/** Whether a person signs in with a second factor. */
export async function hasSecondFactor({ store }: Access, userId: number): Promise<boolean> {
  return ((await readFactor(store.pool, userId))?.confirmedAt ?? 0) > 0
}

/**
 * Makes a secret for a person, which is asked for at sign-in only after a code of it was entered.
 *
 * @throws Failure SECOND_FACTOR_ON
 */
export async function beginSecondFactor(access: Access, caller: Caller): Promise<NewSecondFactor> {
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
  const { rowCount } = await access.store.pool.query(
    `INSERT INTO second_factors AS f (user_id, sealed_secret, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
     WHERE f.confirmed_at = 0`,
    [caller.userId, access.sealer.seal(secret, label(caller.userId)), nowSeconds()],
  )
  if (rowCount === 0) throw new Failure('SECOND_FACTOR_ON')
  return { secret, uri: totpOf(secret, caller.login).toString() }
}

/**
 * Asks for the second factor from now on, and ends the person's other sessions, which began without it.
 *
 * @returns codes that work once each, for when the app is lost
 * @throws Failure SECOND_FACTOR_ON, SECOND_FACTOR_OFF, WRONG_CODE, TOO_MANY_REQUESTS
 */
export async function confirmSecondFactor(
  access: Access,
  caller: Caller,
  ip: string,
  code: string,
): Promise<string[]> {
  const factor = await readFactor(access.store.pool, caller.userId)
  if (factor === null) throw new Failure('SECOND_FACTOR_OFF')
  if (factor.confirmedAt > 0) throw new Failure('SECOND_FACTOR_ON')
  const wasNoFailure = await access.limits.take({
    account: `code of ${caller.userId}`,
    address: ip,
    device: caller.sessionId,
  })
  const step = stepOf(access, caller.userId, factor.sealedSecret, code)
  if (step === null) throw new Failure('WRONG_CODE')
  await wasNoFailure()
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(RECOVERY_BYTES).toString('hex'))
  await usingTransaction(access.store.pool, async (client) => {
    // Only while it is as it was read: else another call turned it on, or took another secret.
    const { rowCount } = await client.query(
      `UPDATE second_factors SET confirmed_at = $2, last_step = $3, recovery_hashes = $4
       WHERE user_id = $1 AND confirmed_at = 0 AND sealed_secret = $5`,
      [caller.userId, nowSeconds(), step, codes.map(hashOf), factor.sealedSecret],
    )
    if (rowCount !== 1) throw new Failure('SECOND_FACTOR_ON')
    await client.query('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [
      caller.userId,
      caller.sessionId ?? '',
    ])
  })
  access.callers.clear()
  return codes
}

/** Takes the second factor of a person away. @returns whether there was one */
export async function removeSecondFactor({ store }: Access, userId: number): Promise<boolean> {
  const { rowCount } = await store.pool.query('DELETE FROM second_factors WHERE user_id = $1', [userId])
  return (rowCount ?? 0) > 0
}

/**
 * Whether the second factor lets a person who knows the password in: there is none, or the code is right and was not
 * used before.
 *
 * @throws Failure CODE_REQUIRED, WRONG_CODE
 */
export async function requireSecondFactor(access: Access, userId: number, code: string): Promise<void> {
  const factor = await readFactor(access.store.pool, userId)
  if (factor === null || factor.confirmedAt === 0) return
  const given = code.replaceAll(/[\s-]/g, '').toLowerCase()
  if (given === '') throw new Failure('CODE_REQUIRED')
  const step = stepOf(access, userId, factor.sealedSecret, given)
  // One statement each, so that a code that two requests bring at once lets one of them in.
  const { rowCount } =
    step === null
      ? await access.store.pool.query(
          `UPDATE second_factors SET recovery_hashes = array_remove(recovery_hashes, $2)
           WHERE user_id = $1 AND $2 = ANY (recovery_hashes)`,
          [userId, hashOf(given)],
        )
      : await access.store.pool.query(
          'UPDATE second_factors SET last_step = $2 WHERE user_id = $1 AND last_step < $2',
          [userId, step],
        )
  if (rowCount !== 1) throw new Failure('WRONG_CODE')
}

/** Time step of a code; null when it is wrong. */
function stepOf(access: Access, userId: number, sealed: string, code: string): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const totp = totpOf(access.sealer.open(sealed, label(userId)), '')
  const at = nowMs()
  const off = totp.validate({ token: code, timestamp: at, window: STEPS_OFF })
  return off === null ? null : Math.floor(at / 1000 / PERIOD_SECONDS) + off
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/**
 * The same for a person who is signed in; guesses count by session.
 *
 * @throws Failure CODE_REQUIRED, WRONG_CODE, TOO_MANY_REQUESTS
 */
export async function checkSecondFactor(
  access: Access,
  caller: Caller,
  ip: string,
  code: string,
): Promise<void> {
  const wasNoFailure = await access.limits.take({
    account: `code of ${caller.userId}`,
    address: ip,
    device: caller.sessionId,
  })
  await requireSecondFactor(access, caller.userId, code)
  await wasNoFailure()
}
