import { createHmac, sign } from 'node:crypto'
import type { JsonTree } from '../attempts/json-tree.ts'
import { readTree, writeTree } from '../attempts/json-tree.ts'
import type { SigningKey } from './signing-keys.ts'

/** A JWT in compact form (RFC 7519) in its parts. */
export interface Jwt {
  readonly header: Map<string, JsonTree>
  readonly payload: Map<string, JsonTree>
  /** The three parts as they stand. */
  readonly parts: readonly [header: string, payload: string, signature: string]
}

const MAX_TOKEN_CHARS = 65_536
const SEGMENT = /^[A-Za-z0-9+/_-]+={0,2}$/

/** Reads a text as a JWT; both Base64 alphabets pass. Null when it is none. */
export function readJwt(text: string): Jwt | null {
  if (text.length > MAX_TOKEN_CHARS) return null
  const parts = text.split('.')
  if (parts.length !== 3) return null
  const [head, body, signature] = parts as [string, string, string]
  const header = readSegment(head)
  const payload = readSegment(body)
  if (header === null || payload === null || !header.has('alg')) return null
  return { header, payload, parts: [head, body, signature] }
}

function readSegment(segment: string): Map<string, JsonTree> | null {
  if (!SEGMENT.test(segment)) return null
  const tree = readTree(Buffer.from(segment, 'base64').toString('utf8'))
  return tree instanceof Map ? tree : null
}

/** A segment of a token: JSON in Base64url without padding. */
export function writeSegment(tree: Map<string, JsonTree>): string {
  return Buffer.from(writeTree(tree), 'utf8').toString('base64url')
}

/** A token signed with RS256 (RFC 7518 section 3.3). */
export function signRsa(
  header: Map<string, JsonTree>,
  payload: Map<string, JsonTree>,
  key: SigningKey,
): string {
  const signed = `${writeSegment(header)}.${writeSegment(payload)}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key.privateKey).toString('base64url')}`
}

/** Hash of each algorithm with a shared secret (RFC 7518 section 3.2). */
const HASHES: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }

/** The hash that a token says it is signed with; null when it is signed without a shared secret. */
export function hmacHashOf({ header }: Pick<Jwt, 'header'>): string | null {
  return HASHES[String(header.get('alg'))] ?? null
}

/** A token signed with a shared secret, as its header says, or with HS256. */
export function signHmac(
  header: Map<string, JsonTree>,
  payload: Map<string, JsonTree>,
  secret: string,
): string {
  const signed = `${writeSegment(header)}.${writeSegment(payload)}`
  const hash = hmacHashOf({ header }) ?? 'sha256'
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}

/** The text with each of its space-separated pieces that is a JWT replaced; null when none is, or none changed. */
export function editJwts(text: string, edit: (jwt: Jwt) => string | null): string | null {
  let isChanged = false
  const pieces = text.split(' ').map((piece) => {
    const jwt = readJwt(piece)
    const edited = jwt === null ? null : edit(jwt)
    if (edited === null || edited === piece) return piece
    isChanged = true
    return edited
  })
  return isChanged ? pieces.join(' ') : null
}
