import { createHash } from 'node:crypto'
import { type Exchange, headerValue } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import { carriedCredentials } from '../attempts/credentials.ts'
import type { JsonTree } from '../attempts/json-tree.ts'
import { readJwt } from '../tokens/jwt.ts'

/** What an exchange tells of a person: `secret` names a credential by its hash, the others are what people are called. */
export interface CallerTrait {
  readonly kind: 'secret' | 'subject' | 'email' | 'name' | 'id'
  /** The same text for the same person; issuers and hosts keep numbers of different systems apart. */
  readonly text: string
  /** As it is in the message; '' for secrets. */
  readonly value: string
}

const API_KEY = /^(?:x-)?api-?key$/
/** Cookies and headers that only protect a form against forged requests. */
const FORM_TOKEN = /csrf|xsrf/
const WRAPPERS = ['user', 'data', 'account', 'profile', 'me', 'viewer', 'result']
const EMAILS = ['email', 'mail', 'e_mail', 'emailaddress', 'upn']
const NAMES = ['username', 'user_name', 'login', 'preferred_username', 'handle']
const IDS = ['id', '_id', 'user_id', 'userid', 'uid', 'uuid', 'accountid', 'account_id', 'sub']
/** What a JWT begins with, and what names of other tokens hold. */
const MAY_CARRY = /eyJ|token/i
const MAX_VALUE = 200
/** Last segments of paths that answer who the caller is. */
const SELF =
  /\/(?:me|self|whoami|who-am-i|current|current[-_]?user|myself|profile|account|userinfo|session|user)\/?$/i

/** Hashes of the credentials of a request that tell people apart, and what their contents say. */
export function credentialTraits(exchange: Exchange, names: readonly string[]): CallerTrait[] {
  const { headers } = exchange.request
  const { cookies } = new MessageView(exchange)
  const all = names.flatMap((name) => {
    const value =
      headerValue(headers, name) ?? cookies.find((cookie) => cookie.name.toLowerCase() === name)?.value
    return value === undefined || value === '' || FORM_TOKEN.test(name) ? [] : [{ name, value }]
  })
  // A token in the query or body says who asks where nothing else does. Of several, one may be that of another, such as the
  // service that exchanges it.
  if (all.length === 0 && MAY_CARRY.test(`${exchange.request.target}${exchange.request.body}`)) {
    const carried = new Set(carriedCredentials(exchange))
    const [text] = carried
    return text === undefined || carried.size > 1 ? [] : [secretOf(text), ...claimTraits(text)]
  }
  // Beside the credential of a person, the key of an application or the password of a gateway is shared by all.
  const own = all.filter(({ name, value }) => !API_KEY.test(name) && !/^basic /i.test(value))
  return (own.length > 0 ? own : all).flatMap(({ value }) => [secretOf(value), ...claimTraits(value)])
}

/** The trait of a credential, without the scheme in front. */
function secretOf(value: string): CallerTrait {
  const secret = value.replace(/^[A-Za-z][\w-]{0,19} +/, '')
  const hash = createHash('sha256').update(secret).digest('base64')
  return { kind: 'secret', text: `secret ${hash}`, value: '' }
}

function claimTraits(value: string): CallerTrait[] {
  const coded = /^basic\s+([A-Za-z0-9+/=]{2,4096})$/i.exec(value.trim())?.[1]
  if (coded !== undefined) {
    const text = Buffer.from(coded, 'base64').toString('utf8')
    return named(text.slice(0, Math.max(text.indexOf(':'), 0)))
  }
  const token = value.slice(value.lastIndexOf(' ') + 1)
  const payload = readJwt(token)?.payload
  if (payload === undefined) return []
  const plain = plainOf(payload) as Record<string, unknown>
  return personTraits(plain, textOf(plain['iss']) ?? '')
}

function plainOf(tree: JsonTree): unknown {
  if (tree instanceof Map) return Object.fromEntries([...tree].map(([key, value]) => [key, plainOf(value)]))
  if (Array.isArray(tree)) return tree.map(plainOf)
  return typeof tree === 'object' && tree !== null ? String(tree) : tree
}

/** What an answer to "who am I" says of the caller; nothing for other exchanges. */
export function selfTraits(exchange: Exchange): CallerTrait[] {
  const { request, response } = exchange
  if (!isSelfRequest(exchange) || response.status < 200 || response.status > 299) return []
  const body = objectOf(response.body)
  return body === null ? [] : personTraits(body, hostOf(request))
}

/** Whether a request asks who the caller is: a read of an address that names nobody. */
export function isSelfRequest({ request }: Exchange): boolean {
  return request.method === 'GET' && SELF.test(pathOf(request.target))
}

/**
 * What a sign-in says: who signed in, and the credentials that were given out for it.
 *
 * @param isKnown whether it is known to be one; else a secret in the body must say so
 * @returns null for other exchanges
 */
export function signInTraits(
  exchange: Exchange,
  isKnown: boolean,
): { person: CallerTrait[]; secrets: CallerTrait[] } | null {
  const { request, response } = exchange
  if (request.method !== 'POST' || response.status < 200 || response.status > 399) return null
  const fields = new MessageView(exchange).requestBody.leaves
  const isSignIn =
    isKnown || fields.some(({ key }) => /^(?:pass(?:word|wd|code|phrase)?|pwd|pin|otp|code)$/i.test(key))
  if (!isSignIn) return null
  const given = fields.flatMap(({ key, value }) =>
    [...EMAILS, ...NAMES, 'user', 'name', 'phone'].includes(key.toLowerCase()) ? named(String(value)) : [],
  )
  const body = objectOf(response.body)
  const person = [...given, ...(body === null ? [] : personTraits(body, hostOf(request)))]
  return person.length === 0 ? null : { person, secrets: [...givenOut(exchange)].map(secretOf) }
}

/** Texts of an answer that can be credentials; most are not. */
function* givenOut({ response }: Exchange): Generator<string> {
  for (const [index, name] of response.headers.entries()) {
    if (index % 2 === 1) continue
    const value = response.headers[index + 1] ?? ''
    if (name.toLowerCase() === 'set-cookie') {
      const pair = value.split(';', 1)[0] ?? ''
      yield pair.slice(pair.indexOf('=') + 1).trim()
    } else if (name.toLowerCase() === 'authorization') yield value
  }
  const open: unknown[] = [objectOf(response.body)]
  for (let seen = 0; open.length > 0 && seen < 500; seen++) {
    const node = open.pop()
    if (typeof node === 'string' && node.length >= 8) yield node
    else if (typeof node === 'object' && node !== null) open.push(...Object.values(node))
  }
}

/** What an object says of a person, at its top and in what wraps it. */
function personTraits(body: Record<string, unknown>, system: string): CallerTrait[] {
  const places = [body]
  for (let depth = 0; depth < 2; depth++)
    for (const place of [...places])
      for (const key of WRAPPERS) {
        const inner = place[key]
        if (
          typeof inner === 'object' &&
          inner !== null &&
          !Array.isArray(inner) &&
          !places.includes(inner as never)
        )
          places.push(inner as Record<string, unknown>)
      }
  const traits: CallerTrait[] = []
  for (const place of places) {
    for (const [key, raw] of Object.entries(place)) {
      const value = textOf(raw)
      if (value === null) continue
      const name = key.toLowerCase()
      if (EMAILS.includes(name) || NAMES.includes(name)) traits.push(...named(value))
      else if (name === 'sub')
        traits.push(
          { kind: 'subject', text: `subject ${system} ${value}`, value },
          ...(value.includes('@') ? named(value) : []),
        )
      else if (IDS.includes(name)) traits.push({ kind: 'id', text: `id ${system} ${value}`, value })
    }
  }
  return traits.some(({ kind }) => kind === 'email' || kind === 'name') ? withoutSharedIds(traits) : traits
}

/** Beside a name, a number may be that of an organisation or a session, and a word what a token is for: they join nobody. */
function withoutSharedIds(traits: readonly CallerTrait[]): CallerTrait[] {
  const name = traits.find(({ kind }) => kind === 'email' || kind === 'name')!
  const isShared = ({ kind, value }: CallerTrait): boolean =>
    kind === 'id' || (kind === 'subject' && PURPOSE.test(value))
  return traits.map((trait) =>
    isShared(trait) ? { ...trait, text: `${trait.text} of ${name.text}` } : trait,
  )
}

/** Subjects such as `access` or `User details`: every token of an application may have the same. */
const PURPOSE = /^\p{L}[\p{L}\s_-]{0,30}$/u

function named(value: string): CallerTrait[] {
  const text = value.trim().toLowerCase()
  if (text === '' || text.length > MAX_VALUE) return []
  const kind = text.includes('@') ? 'email' : 'name'
  return [{ kind, text: `${kind} ${text}`, value: value.trim() }]
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' && value.length <= MAX_VALUE ? value : null
}

function objectOf(body: string): Record<string, unknown> | null {
  if (!body.trimStart().startsWith('{') || body.length > 1_000_000) return null
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    return null // cut or malformed: it names nobody
  }
}

function hostOf({ target, headers }: Exchange['request']): string {
  return (/^[a-z]+:\/\/([^/]*)/i.exec(target)?.[1] ?? headerValue(headers, 'host') ?? '').toLowerCase()
}

function pathOf(target: string): string {
  return (target.split(/[?#]/, 1)[0] ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
}
