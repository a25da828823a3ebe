import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

const SECRET = 'market-signing-secret-of-the-weak-target'
const LIFETIME_SECONDS = 86_400

/** What a token says of its bearer. */
interface Claims {
  readonly sub: number
  readonly role: string
  readonly jti: string
  readonly exp: number
}

/** How strictly a token is read. */
export interface TokenChecks {
  readonly acceptsUnsigned: boolean
  readonly checksSignature: boolean
}

/** Checks of a sound endpoint. */
export const SOUND_CHECKS: TokenChecks = { acceptsUnsigned: false, checksSignature: true }

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signatureOf(text: string): Buffer {
  return createHmac('sha256', SECRET).update(text).digest()
}

/** A signed token (RFC 7519, HS256). */
export function issueToken(sub: number, role: string): string {
  const exp = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub, role, jti: randomUUID(), exp })}`
  return `${text}.${signatureOf(text).toString('base64url')}`
}

function decoded(part: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null // no token at all: the caller answers 401
  }
}

/** The claims of a token, or null when it is not to be trusted. */
export function readToken(token: string, checks: TokenChecks): Claims | null {
  const parts = token.split('.')
  if (parts.length !== 3) return null
  const [header, claims] = [decoded(parts[0]), decoded(parts[1])]
  if (header === null || claims === null) return null
  if (typeof claims['sub'] !== 'number' || typeof claims['role'] !== 'string') return null
  if (typeof claims['exp'] !== 'number' || claims['exp'] < Date.now() / 1000) return null
  const isUnsigned = String(header['alg']).toLowerCase() === 'none'
  if (isUnsigned && !checks.acceptsUnsigned) return null
  if (!isUnsigned && header['alg'] !== 'HS256') return null
  if (!isUnsigned && checks.checksSignature) {
    const given = Buffer.from(parts[2]!, 'base64url')
    const wanted = signatureOf(`${parts[0]}.${parts[1]}`)
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
  }
  return claims as unknown as Claims
}
