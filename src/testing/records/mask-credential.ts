import { Failure } from '../../kit/index.ts'
import type { NewAuthMechanism } from './auth-mechanism.ts'
import { maskText } from './mask-secrets.ts'

/** What of a mechanism can hold secrets. */
type Credential = Pick<NewAuthMechanism, 'parameters' | 'steps' | 'flow'>
/** Gets a secret and where it stands; what it returns takes its place. */
type Rewrite = (secret: unknown, path: string) => unknown

/** Says how a step is sent or read, not as whom. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'method',
  'name',
  'extract',
  'allowAllStatusCodes',
  'followRedirects',
  'apiCollectionId',
])
/** Headers that say how a request is sent, not as whom. */
export const PLAIN_HEADER = /^(?:accept.*|cache-control|content-type|host|origin|referer|user-agent)$/i
/** A key of what names an account rather than what proves it. */
const ACCOUNT_KEY = /^(?:.*user.*|.*mail.*|.*login.*|account|phone|grant_type|scope)$/i
const SECRET_KEY = /pass|pwd|secret|token|code|pin|key/i
const FORM = /^[^\s=&]+=[^&\s]*(?:&[^\s=&]+=[^&\s]*)*$/
/** One placeholder, with or without a scheme before it, as in `Bearer ${x1.response.body.token}`. */
const PLACEHOLDER = /^(?:[\w-]+ )?(?:\$\{[^${}]+\}|#\[[^#[\]]+\])$/
/** Stands for a dollar that JSON writes as an escape, so that it begins no placeholder; not a character of any text. */
const ESCAPED_DOLLAR = '\uFFFF'
const MASKED = /\*\*\*$/

/** The same credential with every secret masked; what is filled in at sending stays readable. */
export function maskCredential<T extends Credential>(credential: T): T {
  return rewritten(credential, (secret) => maskText(plain(secret)))
}

/** Every secret of a credential. */
export function secretsOfCredential(credential: Credential): string[] {
  const found: string[] = []
  rewritten(credential, (secret) => {
    found.push(plain(secret))
    return secret
  })
  return found
}

/**
 * The same credential with the stored secret behind every mask that was sent back: the one of the same place, else the
 * only one with this mask.
 *
 * @param stored the credential that is replaced; null: there is none, and nothing counts as a mask
 * @throws Failure AUTH_VALUE_MASKED for a mask without a stored secret
 */
export function unmaskCredential<T extends Credential>(sent: T, stored: Credential | null): T {
  if (stored === null) return sent
  const byPath = new Map<string, unknown>()
  const byMask = new Map<string, Set<unknown>>()
  rewritten(stored, (secret, path) => {
    const mask = maskText(plain(secret))
    byPath.set(path, secret)
    byMask.set(mask, (byMask.get(mask) ?? new Set()).add(secret))
    return secret
  })
  return rewritten(sent, (value, path) => {
    if (typeof value !== 'string' || !MASKED.test(value)) return value
    const here = byPath.get(path)
    if (here !== undefined && maskText(plain(here)) === plain(value)) return here
    const alike = [...(byMask.get(plain(value)) ?? [])]
    if (alike.length !== 1) throw new Failure('AUTH_VALUE_MASKED', {})
    return alike[0]
  })
}

function rewritten<T extends Credential>(credential: T, rewrite: Rewrite): T {
  const { parameters, steps, flow } = credential
  return {
    ...credential,
    parameters: parameters.map((one) => ({
      ...one,
      value: plain(parameterValue(one.key, one.value, rewrite)),
    })),
    steps: steps?.map((step, at) => stepOf(step, `step ${at}`, rewrite)) ?? null,
    flow: flow && {
      ...flow,
      content: jsonText(flow.content, (tree) => recording(tree, 'flow', rewrite)) ?? flow.content,
      tokenResult: flow.tokenResult === null ? null : String(leaf(flow.tokenResult, 'token', rewrite)),
    },
  }
}

/** Of `user:password`, as digest has it, the user stays. */
function parameterValue(key: string, value: string, rewrite: Rewrite): string {
  if (/^user(?:_?name)?$/i.test(key)) return value
  const pair = /^([^\s:]{1,200}):(?!\/\/)([^\s].*)$/s.exec(value)
  if (pair !== null && !value.startsWith('-')) return `${pair[1]}:${leaf(pair[2], 'password', rewrite)}`
  return String(leaf(value, key.toLowerCase(), rewrite))
}

function stepOf(step: Record<string, unknown>, path: string, rewrite: Rewrite): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(step).map(([name, value]) => {
      const at = `${path}.${name}`
      if (PLAIN_FIELDS.has(name)) return [name, value]
      if (name === 'totp') return [name, leaf(value, at, rewrite)]
      if (name === 'url')
        return [name, typeof value === 'string' ? plain(urlText(value, at, rewrite)) : value]
      if (name === 'headers') return [name, headers(value, at, rewrite)]
      return [name, typeof value === 'string' ? plain(text(value, at, rewrite)) : tree(value, at, rewrite)]
    }),
  )
}

function urlText(url: string, path: string, rewrite: Rewrite): string {
  const withUser = url.replace(/(?<=^https?:\/\/[^/?#:@]*:)[^/?#@]+(?=@)/i, (password) =>
    String(leaf(password, `${path}.password`, rewrite)),
  )
  const mark = withUser.indexOf('?')
  if (mark < 0) return withUser
  return withUser.slice(0, mark + 1) + text(withUser.slice(mark + 1), `${path}.query`, rewrite)
}

function headers(value: unknown, path: string, rewrite: Rewrite): unknown {
  const one = (name: string, given: unknown): unknown =>
    PLAIN_HEADER.test(name.trim()) ? given : leaf(given, `${path}.${name.trim().toLowerCase()}`, rewrite)
  const ofObject = (object: object): object =>
    Object.fromEntries(Object.entries(object).map(([name, given]) => [name, one(name, given)]))
  if (Array.isArray(value))
    return value.map((pair: Record<string, unknown> | null) =>
      pair === null
        ? pair
        : { ...pair, value: one(String(pair['key'] ?? pair['name'] ?? ''), pair['value']) },
    )
  if (typeof value === 'object' && value !== null) return ofObject(value)
  if (typeof value !== 'string') return value
  return (
    jsonText(value, (parsed) => (Array.isArray(parsed) ? parsed : ofObject(parsed as object))) ??
    value.replaceAll(/^([^\s:]+)(:[\t ]*)(.*)$/gm, (_line, name: string, colon: string, given: string) =>
      [name, colon, one(name, given)].join(''),
    )
  )
}

/** A body or query: JSON, a form, or one secret as a whole. */
function text(value: string, path: string, rewrite: Rewrite): string {
  const json = jsonText(value, (parsed) => tree(parsed, path, rewrite))
  if (json !== null) return json
  if (!FORM.test(value)) return String(leaf(value, path, rewrite))
  const fields = value.split('&').map((field) => {
    const [name = '', ...rest] = field.split('=')
    const given = rest.join('=')
    return `${name}=${isAccount(name) ? given : leaf(given, `${path}.${name}`, rewrite)}`
  })
  return fields.join('&')
}

function tree(value: unknown, path: string, rewrite: Rewrite, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item, at) => tree(item, `${path}.${at}`, rewrite, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, tree(inner, `${path}.${name}`, rewrite, name)]),
    )
  return isAccount(key) ? value : leaf(value, path, rewrite)
}

/** What a recording types, and the secret of its one-time codes. */
function recording(value: unknown, path: string, rewrite: Rewrite): unknown {
  if (Array.isArray(value)) return value.map((item, at) => recording(item, `${path}.${at}`, rewrite))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const at = `${path}.${name}`
      const isTyped = typeof inner === 'string' && (name === 'value' || name === 'totp')
      return [name, isTyped ? leaf(inner, at, rewrite) : recording(inner, at, rewrite)]
    }),
  )
}

function isAccount(key: string): boolean {
  return ACCOUNT_KEY.test(key) && !SECRET_KEY.test(key)
}

function leaf(value: unknown, path: string, rewrite: Rewrite): unknown {
  const isSecret = (typeof value === 'string' && value !== '') || typeof value === 'number'
  return isSecret && !PLACEHOLDER.test(String(value)) ? rewrite(value, path) : value
}

function plain(secret: unknown): string {
  return String(secret).replaceAll(ESCAPED_DOLLAR, '$')
}

/** A text of JSON with its tree changed; null when it is not the text of an object or a list. */
function jsonText(value: string, change: (parsed: unknown) => unknown): string | null {
  if (!/^\s*[[{]/.test(value)) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(
      value.replaceAll(/\\(?:u0024|.)/gs, (sign) => (sign === '\\u0024' ? ESCAPED_DOLLAR : sign)),
    )
  } catch (error) {
    if (error instanceof SyntaxError) return null // a text that only begins like JSON
    throw error
  }
  const changed = change(parsed)
  if (JSON.stringify(changed) === JSON.stringify(parsed)) return value
  const text = JSON.stringify(changed, null, /\n/.test(value) ? 2 : undefined)
  return text.replaceAll(ESCAPED_DOLLAR, String.raw`\u0024`)
}
