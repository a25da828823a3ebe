import type { AuthEvidence, AuthKindDefinition, AuthKindName, AuthView } from './auth-kind.ts'
import { AUTH_KIND_NAMES } from './auth-kind.ts'
import { isAuthorizationHeader, isSent } from './credential-names.ts'
import { AUTH_KINDS } from './registry.generated.ts'

/** Requests with more cookies than this have the rest left out. */
const MAX_COOKIES = 100
const MAX_BODY_KEYS = 100
const MAX_REMEMBERED_NAMES = 5_000

type NamePredicate = (kind: AuthKindDefinition) => ((name: string) => boolean) | undefined

/** Remembers for each name which kinds want to look at the value; bounded, as names come from outside. */
class InterestByName {
  readonly #predicate: NamePredicate
  readonly #known = new Map<string, readonly AuthKindDefinition[]>()

  constructor(predicate: NamePredicate) {
    this.#predicate = predicate
  }

  of(name: string): readonly AuthKindDefinition[] {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const lower = name.toLowerCase()
    const interested = AUTH_KINDS.filter((kind) => this.#predicate(kind)?.(lower) === true)
    if (this.#known.size >= MAX_REMEMBERED_NAMES) this.#known.clear()
    this.#known.set(name, interested)
    return interested
  }
}

const byHeader = new InterestByName((kind) => kind.header)
const byCookie = new InterestByName((kind) => kind.cookie)
const byQueryKey = new InterestByName((kind) => kind.queryKey)
const byBodyKey = new InterestByName((kind) => kind.bodyKey)

/** Told of each credential. */
type Found = (
  kind: AuthKindDefinition,
  position: AuthEvidence['position'],
  name: string,
  detail: string,
) => void

const BIT_OF_NAME = Object.fromEntries(AUTH_KIND_NAMES.map((name, at) => [name, 1 << at])) as Record<
  AuthKindName,
  number
>
/** The few distinct sets that occur, by their bits, so that a request costs no sorting. */
const sortedSets = new Map<number, readonly string[]>([[0, Object.freeze([])]])

/** The kinds found in the request being looked at, as bits: nothing is made for the many that are the same. */
let bits = 0
const noteBit: Found = ({ wireName }) => {
  bits |= BIT_OF_NAME[wireName]
}

/**
 * Names of the authentication kinds of one request, sorted, each once; [] when there is no credential (the caller
 * calls that UNAUTHENTICATED). A JWT borne in the authorization header gives BEARER and JWT: the first is how it is
 * sent, the second what it is, and both questions are asked of an inventory.
 */
export function authKindsOf(view: AuthView): readonly string[] {
  bits = 0
  findCredentials(view, noteBit)
  const known = sortedSets.get(bits)
  if (known !== undefined) return known
  const names = Object.freeze(AUTH_KIND_NAMES.filter((name) => (bits & BIT_OF_NAME[name]) !== 0).sort())
  sortedSets.set(bits, names)
  return names
}

/** Every credential of one request with its position, the name it stands under, and its detail (scheme, algorithm). */
export function authEvidenceOf(view: AuthView): readonly AuthEvidence[] {
  const evidence: AuthEvidence[] = []
  findCredentials(view, ({ id, wireName }, position, name, detail) => {
    evidence.push({ id, wireName, position, name, detail })
  })
  return evidence
}

function findCredentials(view: AuthView, found: Found): void {
  const headers = view.credentialHeaders ?? view.requestHeaders
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]!
    if (isPlainlyOrdinary(name)) continue
    if (name === 'cookie') {
      fromCookies(headers[i + 1]!, found)
      continue
    }
    for (const kind of byHeader.of(name)) {
      const detail = kind.headerDetail?.(headers[i + 1]!, name)
      if (detail !== undefined) found(kind, 'header', name, detail)
    }
  }
  if (view.queryNamesNoCredential !== true) fromQuery(view.query, found)
  if (view.bodyNamesNoCredential !== true) fromBody(view.requestBody, found)
}

const KEY_KINDS: ReadonlySet<AuthKindName> = new Set(['API_KEY', 'API_TOKEN', 'SESSION_TOKEN'])

/** Whether a header is named as one that carries a key or token, and has one: the same in every request of its caller. */
export function carriesKey(name: string, value: string): boolean {
  const lower = name.toLowerCase()
  return byHeader
    .of(lower)
    .some((kind) => KEY_KINDS.has(kind.wireName) && kind.headerDetail?.(value, lower) !== undefined)
}

/** How the values of a header are looked at: not at all, for tokens only, or whatever they are. */
type HeaderInterest = 'NONE' | 'TOKENS' | 'ALL'

/** Interest in a request header by its name in lower case. */
export function headerInterest(name: string): HeaderInterest {
  if (name === 'cookie') return 'ALL'
  const kinds = isPlainlyOrdinary(name) ? [] : byHeader.of(name)
  if (kinds.length === 0) return 'NONE'
  return !isAuthorizationHeader(name) && kinds.every(({ seeksToken }) => seeksToken) ? 'TOKENS' : 'ALL'
}

/** True for the bytes of a header value in which kinds that seek tokens may find one. */
export function mayBeToken(bytes: Uint8Array, start: number, end: number): boolean {
  if ((bytes[start]! | SMALL) === LETTER_B) return true
  let word = start
  while (word + 1 < end) {
    if (bytes[word] === LETTER_E && bytes[word + 1] === LETTER_Y) return true
    while (word < end && bytes[word] !== BLANK) word++
    word++
  }
  return false
}

/** True when a key at the top of a body is one that a credential stands under. */
export function mayNameCredential(bodyKey: string): boolean {
  return byBodyKey.of(bodyKey).length > 0
}

/** True when a query parameter's name is one that a credential stands under. */
export function mayCarryCredential(queryKey: string): boolean {
  return byQueryKey.of(queryKey).length > 0
}

/** `accept…`, `content-…`, `sec-…`, `if-…`: half of a browser's headers, dismissed before their name is looked up. */
function isPlainlyOrdinary(name: string): boolean {
  const second = name.charCodeAt(1)
  switch (name.charCodeAt(0)) {
    case LETTER_A:
      return second === LETTER_C && name.startsWith('accept')
    case LETTER_C:
      return second === LETTER_O && name.charCodeAt(2) === LETTER_N
    case LETTER_I:
      return second === LETTER_F && name.charCodeAt(2) === DASH
    case LETTER_S:
      return second === LETTER_E && name.charCodeAt(2) === LETTER_C && name.charCodeAt(3) === DASH
    default:
      return false
  }
}

const BLANK = 32
/** `|` with this makes an ASCII letter a small one. */
const SMALL = 32
const DASH = 45
const LETTER_A = 97
const LETTER_B = 98
const LETTER_C = 99
const LETTER_F = 102
const LETTER_I = 105
const LETTER_N = 110
const LETTER_O = 111
const LETTER_E = 101
const LETTER_S = 115
const LETTER_Y = 121

function fromCookies(header: string, found: Found): void {
  let start = 0
  for (let count = 0; start < header.length && count < MAX_COOKIES; count++) {
    let end = header.indexOf(';', start)
    if (end < 0) end = header.length
    const equals = header.indexOf('=', start)
    if (equals > 0 && equals < end) {
      fromCookie(header.slice(start, equals).trim(), header.slice(equals + 1, end).trim(), found)
    }
    start = end + 1
  }
}

function fromCookie(name: string, value: string, found: Found): void {
  for (const kind of byCookie.of(name)) {
    const detail = kind.cookieDetail?.(value, name)
    if (detail !== undefined) found(kind, 'cookie', name, detail)
  }
}

function fromQuery(query: Readonly<Record<string, unknown>>, found: Found): void {
  for (const name in query) {
    for (const kind of byQueryKey.of(name)) {
      const detail = kind.queryDetail === undefined ? sentDetail(query[name]) : kind.queryDetail(query)
      if (detail !== undefined) found(kind, 'query', name, detail)
    }
  }
}

function sentDetail(value: unknown): string | undefined {
  return isSent(value) ? 'query' : undefined
}

/** Credentials stand at the top of a body or nowhere; only the first keys are looked at. */
function fromBody(body: unknown, found: Found): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  let count = 0
  for (const name in body) {
    if (++count > MAX_BODY_KEYS) break
    const kinds = byBodyKey.of(name)
    if (kinds.length === 0 || !isSent((body as Readonly<Record<string, unknown>>)[name])) continue
    for (const kind of kinds) found(kind, 'body', name, 'body')
  }
}
