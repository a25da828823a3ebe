import { createHash } from 'node:crypto'
import { type HeaderList, headerValue, type LiveExchange } from '../../../http/index.ts'
import { carriesKey, isFormToken, isSessionCookie } from '../../auth-kinds/index.ts'

/** Headers and cookies that tell callers apart. */
const CALLER_HEADERS = ['authorization', 'x-api-key', 'x-auth-token', 'x-access-token', 'x-session-token']
/** Parameters of queries and forms, and fields of JSON, that carry a credential. */
const CARRIED =
  /(?:^|[?&"])(?:(?:access|auth|session)[-_]?(?:token|key)|api[-_]?key|jwt)(?:=|"\s*:\s*")([^&#"\s]{8,4096})/i
/** Most characters of a target or a body that are searched for one. */
const MAX_SEARCHED = 16_384
const MAX_REMEMBERED = 2_000

/** Claims that say what a person is called (RFC 7519, OpenID Connect Core 5.1 and common use). */
const NAME_CLAIMS = ['sub', 'preferred_username', 'username', 'user_name', 'login', 'name', 'handle', 'user']
const BASIC = /^authorization=basic\s+([A-Za-z0-9+/=]{2,4096})$/im
/** Begins where a word does, or after a percent code: each character is looked at a few times at most. */
const TOKEN = /(?:(?<![\w-])|(?<=%[\dA-Fa-f]{2}))eyJ[\w-]{1,4096}\.(eyJ[\w-]{1,16384})\.[\w-]*/
const NO_NAMES: readonly string[] = []

interface Caller {
  readonly mark: string
  /** What the credential says that its owner is called. */
  readonly names: readonly string[]
}

const NOBODY: Caller = { mark: '', names: NO_NAMES }
const callers = new Map<string, Caller>()

/**
 * A short text that is the same for requests of the same caller, for keeping a sample of each; '' for a request without a
 * credential. Of a JWT its subject counts (RFC 7519 section 4.1.2), for the token changes with each sign-in.
 */
export function callerMark({ request }: LiveExchange): string {
  const text = credentialsIn(request.headers) || carriedIn(request.target.slice(0, MAX_SEARCHED))
  return callerOf(text || carriedIn(request.body.slice(0, MAX_SEARCHED))).mark
}

/**
 * What the caller is called by the credential of the request: claims of a JWT, or the name of Basic authentication. Bodies
 * are not searched, because every request is asked.
 */
export function callerNames({ request }: LiveExchange): readonly string[] {
  return callerOf(credentialsIn(request.headers) || carriedIn(request.target.slice(0, MAX_SEARCHED))).names
}

/** A credential in a target or a body; '' without one. Who sends one in a header may name that of somebody else. */
function carriedIn(text: string): string {
  return CARRIED.exec(text)?.[1] ?? TOKEN.exec(text)?.[0] ?? ''
}

/** @param text credentials of a request */
function callerOf(text: string): Caller {
  if (text === '') return NOBODY
  const known = callers.get(text)
  if (known !== undefined) return known
  const claims = claimsIn(text)
  const mark = createHash('sha256')
    .update((claims === null ? null : subjectOf(claims)) ?? text)
    .digest('base64url')
    .slice(0, 12)
  const caller = { mark, names: claims === null ? basicName(text) : namesIn(claims) }
  if (callers.size >= MAX_REMEMBERED) callers.clear()
  callers.set(text, caller)
  return caller
}

function credentialsIn(headers: HeaderList): string {
  let text = ''
  for (const name of CALLER_HEADERS) {
    const value = headerValue(headers, name)
    if (value !== undefined) text += `${name}=${value}\n`
  }
  const cookies = headerValue(headers, 'cookie')
  if (cookies !== undefined)
    for (const pair of cookies.split(';')) {
      const name = pair.slice(0, Math.max(pair.indexOf('='), 0))
      if (isSessionCookie(name, pair.slice(name.length + 1)) || (TOKEN.test(pair) && !isFormToken(name)))
        text += `${pair.trim()}\n`
    }
  return text === '' ? keysIn(headers) : text
}

/** Other keys and tokens: beside the credentials of a user they are often those of an application. */
function keysIn(headers: HeaderList): string {
  let text = ''
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (carriesKey(headers[i]!, headers[i + 1]!)) text += `${headers[i]!.toLowerCase()}=${headers[i + 1]}\n`
  return text
}

function claimsIn(text: string): Readonly<Record<string, unknown>> | null {
  const payload = TOKEN.exec(text)?.[1]
  if (payload === undefined) return null
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>
  } catch {
    return null // not a token after all
  }
}

function subjectOf({ iss, sub }: Readonly<Record<string, unknown>>): string | null {
  return typeof sub === 'string' || typeof sub === 'number' ? `${String(iss)} ${sub}` : null
}

function namesIn(claims: Readonly<Record<string, unknown>>): readonly string[] {
  return NAME_CLAIMS.map((claim) => claims[claim]).filter((value) => typeof value === 'string')
}

function basicName(text: string): readonly string[] {
  const coded = BASIC.exec(text)?.[1]
  if (coded === undefined) return NO_NAMES
  const pair = Buffer.from(coded, 'base64').toString('utf8')
  const end = pair.indexOf(':')
  return end > 0 ? [pair.slice(0, end)] : NO_NAMES
}
