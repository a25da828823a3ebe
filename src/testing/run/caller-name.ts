import type { Exchange, HeaderList } from '../../http/index.ts'
import type { JsonTree } from '../attempts/json-tree.ts'
import { readJwt } from '../tokens/jwt.ts'

/** Claims that name a person, the ones that people read first (RFC 7519, OpenID Connect Core 5.1 and common use). */
const NAMES = ['email', 'preferred_username', 'username', 'user_name', 'login', 'upn', 'unique_name', 'name']
/** Claims that number one, where no name stands. */
const NUMBERS = ['sub', 'user_id', 'userId', 'uid', 'id']
/** Objects that some applications put the account into. */
const WRAPPERS = ['user', 'data', 'account']
/** Sign of a token: the start of a JSON object in Base64. */
const TOKEN = /eyJ[A-Za-z0-9+/_-]{4,}\.[A-Za-z0-9+/_-]{4,}\.[A-Za-z0-9+/_=-]*/g
const MAX_NAME = 80
const MAX_TOKENS = 5

/**
 * Who sent a request, as its credentials say: a claim of a token, or the name of Basic authentication (RFC 7617); null
 * when they name nobody.
 */
export function callerName(headers: HeaderList): string | null {
  for (const [index, value] of headers.entries()) {
    if (index % 2 === 0) continue
    const name = nameInBasic(value) ?? nameInTokens(value)
    if (name !== null) return name
  }
  return null
}

/**
 * The sentence that says whose request was repeated, and as whom it was sent; '' when the two are the same or nobody is
 * named.
 *
 * @param role the attacker or role whose credentials were put in, as people call it
 */
export function callersSentence(recorded: Exchange, sent: Exchange, role: string): string {
  const owner = callerName(recorded.request.headers)
  const other = callerName(sent.request.headers)
  if (owner === other) return ''
  const whose = owner === null ? '' : `The request is one of ${owner}. `
  return other === null ? whose : `${whose}It was sent as ${other}, ${role}. `
}

function nameInBasic(value: string): string | null {
  const coded = /^basic\s+([A-Za-z0-9+/=]{2,4096})$/i.exec(value.trim())?.[1]
  if (coded === undefined) return null
  const text = Buffer.from(coded, 'base64').toString('utf8')
  return shown(text.slice(0, Math.max(text.indexOf(':'), 0)))
}

function nameInTokens(value: string): string | null {
  for (const text of value.match(TOKEN)?.slice(0, MAX_TOKENS) ?? []) {
    const payload = readJwt(text)?.payload
    if (payload === undefined) continue
    const places = [payload, ...WRAPPERS.map((key) => payload.get(key)).filter((one) => one instanceof Map)]
    const name = claimIn(places, NAMES) ?? claimIn(places, NUMBERS)
    if (name !== null) return name
  }
  return null
}

function claimIn(places: readonly Map<string, JsonTree>[], claims: readonly string[]): string | null {
  for (const claim of claims) {
    for (const place of places) {
      const value = place.get(claim)
      const name = typeof value === 'string' || typeof value === 'number' ? shown(String(value)) : null
      if (name !== null) return NUMBERS.includes(claim) ? `user ${name}` : name
    }
  }
  return null
}

/** A name on one line; null for none. */
function shown(text: string): string | null {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim()
  return line === '' ? null : line.slice(0, MAX_NAME)
}
