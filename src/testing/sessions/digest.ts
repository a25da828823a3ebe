import { createHash, randomBytes } from 'node:crypto'
import { type HeaderList, headerValues } from '../../http/index.ts'

/** Name and password of digest access authentication (RFC 7616). */
interface DigestUser {
  readonly user: string
  readonly password: string
}

/** What a server asks for in `WWW-Authenticate: Digest` (RFC 7616 section 3.3). */
export interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | null
  /** As the server wrote it; null when it named none, which means MD5. */
  readonly algorithm: string | null
  /** Null: the older form without (RFC 2069). */
  readonly qop: 'auth' | 'auth-int' | null
  readonly userhash: boolean
}

/** Strongest first (section 3.7). */
const HASHES: readonly (readonly [name: string, hash: string])[] = [
  ['SHA-512-256', 'sha512-256'],
  ['SHA-256', 'sha256'],
  ['MD5', 'md5'],
]
const PARAMETER = /([A-Za-z0-9_-]{1,40})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g
const MAX_CHALLENGE = 8192

/** The strongest challenge of an answer that can be met; null without one. */
export function digestChallenge(headers: HeaderList): DigestChallenge | null {
  const all = headerValues(headers, 'www-authenticate').flatMap(challengesIn)
  const ranked = all.flatMap((challenge) => {
    const rank = HASHES.findIndex(([name]) => name === hashName(challenge.algorithm))
    return rank < 0 ? [] : [{ rank, challenge }]
  })
  ranked.sort((a, b) => a.rank - b.rank)
  return ranked[0]?.challenge ?? null
}

/** One header may hold several challenges, of other schemes too; each Digest one goes to the next scheme. */
function challengesIn(value: string): DigestChallenge[] {
  return value
    .slice(0, MAX_CHALLENGE)
    .split(/(?:^|,)[ \t]*(?=[A-Za-z0-9_-]+[ \t]+[A-Za-z0-9_-]+[ \t]*=)/)
    .flatMap((part) => {
      const scheme = /^[ \t]*Digest[ \t]+/i.exec(part)
      if (scheme === null) return []
      const found = new Map<string, string>()
      for (const [, name = '', quoted, plain] of part.slice(scheme[0].length).matchAll(PARAMETER))
        found.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '')
      const nonce = found.get('nonce')
      const offered = found.get('qop')
      const qops = (offered ?? '').split(',').map((word) => word.trim().toLowerCase())
      const qop = qops.includes('auth') ? 'auth' : qops.includes('auth-int') ? 'auth-int' : null
      if (nonce === undefined || (offered !== undefined && qop === null)) return []
      return [
        {
          realm: found.get('realm') ?? '',
          nonce,
          opaque: found.get('opaque') ?? null,
          algorithm: found.get('algorithm') ?? null,
          qop,
          userhash: found.get('userhash')?.toLowerCase() === 'true',
        },
      ]
    })
}

function hashName(algorithm: string | null): string {
  return (algorithm ?? 'MD5').toUpperCase().replace(/-SESS$/, '')
}

/** The request that an answer to a challenge is for. */
interface DigestRequest {
  readonly method: string
  /** Path and query as in the request line. */
  readonly target: string
  readonly body: Uint8Array | null
}

/**
 * The value of `Authorization` that meets a challenge (RFC 7616 section 3.4).
 *
 * @param count how many requests used the nonce, this one included
 * @param cnonce a client nonce; a new one unless given
 */
export function digestAuthorization(
  { user, password }: DigestUser,
  challenge: DigestChallenge,
  request: DigestRequest,
  count: number,
  cnonce = randomBytes(16).toString('hex'),
): string {
  const { realm, nonce, qop, algorithm } = challenge
  const hash = HASHES.find(([name]) => name === hashName(algorithm))?.[1] ?? 'md5'
  const h = (text: string | Uint8Array): string => createHash(hash).update(text).digest('hex')
  const secret = h(`${user}:${realm}:${password}`)
  const a1 = /-sess$/i.test(algorithm ?? '') ? h(`${secret}:${nonce}:${cnonce}`) : secret
  const entity = qop === 'auth-int' ? `:${h(request.body ?? '')}` : ''
  const a2 = h(`${request.method}:${request.target}${entity}`)
  const nc = count.toString(16).padStart(8, '0')
  const response = h(qop === null ? `${a1}:${nonce}:${a2}` : `${a1}:${nonce}:${nc}:${cnonce}:${qop}:${a2}`)
  const parts = [
    `username=${quoted(challenge.userhash ? h(`${user}:${realm}`) : user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(request.target)}`,
    `response="${response}"`,
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    ...(qop === null ? [] : [`qop=${qop}`, `nc=${nc}`, `cnonce="${cnonce}"`]),
    ...(challenge.opaque === null ? [] : [`opaque=${quoted(challenge.opaque)}`]),
    ...(challenge.userhash ? ['userhash=true'] : []),
  ]
  return `Digest ${parts.join(', ')}`
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
