import { errors, jwtVerify, SignJWT } from 'jose'
import { nowMs, nowSeconds } from '../kit/index.ts'
import type { Access } from './access.ts'

const ISSUER = 'vigil'
const ALGORITHM = 'HS256'
const MINUTE_SECONDS = 60

/** What an access token says. */
interface TokenClaims {
  sessionId: string
  /** Seconds left. */
  remainingSeconds: number
}

/** A signed token (JWT, RFC 7519) for one session; the rights of its user are looked up at each call. */
export async function signAccessToken(access: Access, sessionId: string, login: string): Promise<string> {
  const now = nowSeconds()
  return new SignJWT({ sid: sessionId, username: login, signedUp: 'true' })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(ISSUER)
    .setIssuedAt(now)
    .setExpirationTime(now + access.settings.accessTokenMinutes * MINUTE_SECONDS)
    .sign(access.tokenKey)
}

/** The claims of a token that is whole, ours and not expired, else null. */
export async function readAccessToken(access: Access, token: string): Promise<TokenClaims | null> {
  try {
    const { payload } = await jwtVerify(token, access.tokenKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      requiredClaims: ['exp', 'sid'],
      currentDate: new Date(nowMs()),
    })
    const sessionId = payload['sid']
    if (typeof sessionId !== 'string' || payload.exp === undefined) return null
    return { sessionId, remainingSeconds: payload.exp - nowSeconds() }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
