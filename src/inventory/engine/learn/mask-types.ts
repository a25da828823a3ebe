import { isNamedCredential, type Location, type TypeRules } from '../../../data-types/index.ts'
import type { Exchange, HeaderList } from '../../../http/index.ts'
import { type KeyedSegment, keyedSegment, suffixAt } from '../../../path-templates/index.ts'
import { typesOfValue } from './value-types.ts'

const MASK = '****'
const MAX_DEPTH = 64
/** A longer text is a document that holds such a value, and no value. */
const MAX_SENSITIVE = 200

/** Rules, and what decides on each sensitive value whether it is masked; without it, redacted types are. */
type MaskRules = TypeRules & { readonly hides?: (value: string) => boolean }

/** A copy of an exchange in which every value of a type that people want masked is masked; names and shape stay. */
export function maskTypes(exchange: Exchange, rules: TypeRules): Exchange {
  return rules.redacted === null ? exchange : maskExchange(exchange, rules)
}

/** The values of an exchange that are credentials by name, or whose data types are sensitive where they stand, each once. */
export function sensitiveValues(exchange: Exchange, rules: TypeRules): string[] {
  const found = new Set<string>()
  const hides = (value: string): boolean => {
    if (value.length <= MAX_SENSITIVE && !value.includes('\n')) found.add(value)
    return false
  }
  maskExchange(exchange, { ...rules, hides })
  return [...found]
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i
/** The password of an address, behind the name of the user. */
const USER_PASSWORD = /(?<=:\/\/[^:@]*:)[^@]+(?=@)/
const URL_IN_TEXT = /(?:\bhttps?:\/\/|(?<=\s)\/)[^\s"'<>]+/gi

/** A URL, or a path with its query, in which passwords, credentials by name and values of sensitive types are masked. */
export function maskUrl(url: string, rules: TypeRules): string {
  const hiding: MaskRules = { ...rules, hides: () => true }
  const at = url.indexOf('#')
  if (at < 0) return maskTarget(url, hiding)
  const fragment = url.slice(at + 1)
  // Applications keep routes behind the sign, and OAuth its answers (RFC 6749 section 4.2.2).
  const masked = /^!?\/|\?/.test(fragment)
    ? maskTarget(fragment, hiding)
    : maskPairs(fragment, '&', 'QUERY', hiding)
  return `${maskTarget(url.slice(0, at), hiding)}#${masked}`
}

/** A text with every URL and request target in it masked as {@link maskUrl} does. */
export function maskUrlsIn(text: string, rules: TypeRules): string {
  return text.replace(URL_IN_TEXT, (url) => maskUrl(url, rules))
}

function maskExchange(exchange: Exchange, rules: MaskRules): Exchange {
  const { request, response } = exchange
  return {
    ...exchange,
    request: {
      ...request,
      target: maskTarget(request.target, rules),
      headers: maskHeaders(request.headers, 'REQUEST_HEADER', rules),
      body: request.bodyIsBase64 ? request.body : maskBody(request.body, 'REQUEST_PAYLOAD', rules),
    },
    response: {
      ...response,
      headers: maskHeaders(response.headers, 'RESPONSE_HEADER', rules),
      body: response.bodyIsBase64 ? response.body : maskBody(response.body, 'RESPONSE_PAYLOAD', rules),
    },
  }
}

function isMasked(
  value: unknown,
  key: string,
  parentKey: string,
  location: Location,
  rules: MaskRules,
): boolean {
  const types = typesOfValue(value, { key, parentKey, location }, rules)
  if (rules.hides === undefined) return types.some((type) => rules.redacted!.has(type))
  const isHidden =
    isNamedCredential(key, value) || types.some((type) => rules.isSensitive(type, location, key))
  return isHidden && rules.hides(String(value))
}

function maskHeaders(headers: HeaderList, location: Location, rules: MaskRules): string[] {
  return headers.map((text, i) => {
    if (i % 2 === 0) return text
    const name = headers[i - 1]!.toLowerCase()
    if (name === 'cookie') return maskPairs(text, ';', 'COOKIE', rules)
    if (name === 'set-cookie') return maskFirstPair(text, rules)
    return isMasked(text, name, '', location, rules) ? MASK : text
  })
}

/** A Set-Cookie header: the first pair is the cookie, what follows are its attributes (RFC 6265 section 4.1). */
function maskFirstPair(text: string, rules: MaskRules): string {
  const end = text.indexOf(';')
  const pair = end < 0 ? text : text.slice(0, end)
  return maskPairs(pair, ';', 'RESPONSE_HEADER', rules) + (end < 0 ? '' : text.slice(end))
}

/** Pairs `name=value` with something between them; values are judged as sent and decoded. */
function maskPairs(text: string, separator: string, location: Location, rules: MaskRules): string {
  return text
    .split(separator)
    .map((pair) => {
      const equals = pair.indexOf('=')
      if (equals < 0) return pair
      const key = decoded(pair.slice(0, equals).trim())
      const value = decoded(pair.slice(equals + 1).trim())
      return isMasked(value, key, '', location, rules) ? `${pair.slice(0, equals)}=${MASK}` : pair
    })
    .join(separator)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text // a stray percent sign: it is no encoded text
  }
}

function maskTarget(target: string, rules: MaskRules): string {
  const { hides } = rules
  const origin = hides === undefined ? '' : (ORIGIN.exec(target)?.[0] ?? '')
  if (origin !== '') {
    const masked = origin.includes('@')
      ? origin.replace(USER_PASSWORD, (password) => (hides?.(decoded(password)) ? MASK : password))
      : origin
    return masked + maskTarget(target.slice(origin.length), rules)
  }
  const question = target.indexOf('?')
  const path = question < 0 ? target : target.slice(0, question)
  const masked = path
    .split('/')
    .map((segment, i) => maskSegment(segment, String(i - 1), rules))
    .join('/')
  return question < 0 ? masked : `${masked}?${maskPairs(target.slice(question + 1), '&', 'QUERY', rules)}`
}

/** A segment without its custom verb and ending, or the keys in it, and its matrix parameters apart from it. */
function maskSegment(text: string, index: string, rules: MaskRules): string {
  const semicolon = text.indexOf(';')
  const segment = semicolon < 0 ? text : text.slice(0, semicolon)
  const keyed = keyedSegment(segment)
  let masked = segment
  if (keyed !== null) masked = maskKeys(keyed, segment, rules)
  else {
    const suffix = suffixAt(segment)
    const value = suffix < 0 ? segment : segment.slice(0, suffix)
    if (isMasked(decoded(value), index, '', 'PATH', rules)) masked = MASK + segment.slice(value.length)
  }
  return semicolon < 0 ? masked : `${masked};${maskPairs(text.slice(semicolon + 1), ';', 'PATH', rules)}`
}

/** Keys that a segment has in parentheses. */
function maskKeys(keyed: KeyedSegment, segment: string, rules: MaskRules): string {
  let text = keyed.source
  for (const { name, value, at, end } of keyed.keys.toReversed()) {
    if (isMasked(decoded(value), name, '', 'PATH', rules))
      text = `${text.slice(0, at)}${MASK}${text.slice(end)}`
  }
  return text === keyed.source ? segment : text
}

function maskBody(body: string, location: Location, rules: MaskRules): string {
  if (body === '') return ''
  let tree: unknown
  try {
    tree = JSON.parse(body)
  } catch {
    // No JSON: pairs of a form, or one text that is judged as a whole.
    const pairs = body.includes('=') ? maskPairs(body, '&', location, rules) : body
    return isMasked(pairs, 'body', '', location, rules) ? MASK : pairs
  }
  const masked = maskTree(tree, { key: 'body', parentKey: '', location }, rules, 0)
  return masked === tree ? body : JSON.stringify(masked)
}

/** The same value when nothing in it was masked. */
function maskTree(
  value: unknown,
  context: { key: string; parentKey: string; location: Location },
  rules: MaskRules,
  depth: number,
): unknown {
  if (value === null || depth > MAX_DEPTH) return value
  if (typeof value !== 'object') {
    return isMasked(value, context.key, context.parentKey, context.location, rules) ? MASK : value
  }
  let copy: unknown[] | Record<string, unknown> | null = null
  const names = Object.keys(value)
  const fields = value as Record<string, unknown>
  for (const name of names) {
    const within = Array.isArray(value)
      ? context
      : { key: name, parentKey: context.key, location: context.location }
    const masked = maskTree(fields[name], within, rules, depth + 1)
    if (masked === fields[name]) continue
    copy ??= Array.isArray(value) ? [...value] : Object.assign(Object.create(null), value)
    ;(copy as Record<string, unknown>)[name] = masked
  }
  return copy ?? value
}
