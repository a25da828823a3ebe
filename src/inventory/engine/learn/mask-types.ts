import { isNamedCredential, type Location, type TypeRules } from '../../../data-types/index.ts'
import {
  BODY_LIMITS,
  type BodyLimits,
  type Exchange,
  type HeaderList,
  headerValue,
  parseBody,
} from '../../../http/index.ts'
import { formDecoded } from '../../../kit/index.ts'
import { type KeyedSegment, keyedSegment, suffixAt } from '../../../path-templates/index.ts'
import { findCards, findInText, holdsSensitive, isDialled, MIN_TEXT, typesOfValue } from '../values/index.ts'

const MASK = '****'
const MAX_DEPTH = 64
/** {@link MaskRules} that mask nothing and note what they see. */
interface Looking extends MaskRules {
  readonly within: (text: string, location: Location) => void
  readonly note: (value: string) => void
}

/** A longer text with blanks is a document that holds such a value. */
const MAX_SENSITIVE = 200
const MAX_TOKEN = 8192

/** Rules, and what decides on each sensitive value whether it is masked; without it, redacted types are. */
interface MaskRules extends TypeRules {
  readonly hides?: (value: string) => boolean
  /** Is shown every text, for what stands inside it. */
  readonly within?: (text: string, location: Location) => void
  /** Whether a value of a redacted type stands inside a text. */
  readonly holds?: (text: string, location: Location) => boolean
}

/** A copy of an exchange in which every value of a type that people want masked is masked; names and shape stay. */
export function maskTypes(exchange: Exchange, rules: TypeRules): Exchange {
  const { redacted } = rules
  if (redacted === null) return exchange
  const concerns: TypeRules = { ...rules, isSensitive: (type) => redacted.has(type) }
  const holds = (text: string, location: Location) => holdsSensitive(text, location, concerns)
  return maskExchange(exchange, { ...rules, holds })
}

/**
 * The values of an exchange that are credentials by name, or whose data types are sensitive where they stand, each once:
 * whole values, and those inside longer texts.
 */
export function sensitiveValues(exchange: Exchange, rules: TypeRules): string[] {
  const found = new Set<string>()
  const note = (value: string): void => {
    if (isOneValue(value)) found.add(value)
  }
  const looking: Looking = {
    ...rules,
    note,
    hides(value) {
      note(value)
      return false
    },
    within: (text, location) => findInText(text, location, rules, note),
  }
  const { request, response } = exchange
  maskTarget(request.target, looking)
  maskHeaders(request.headers, 'REQUEST_HEADER', looking)
  maskHeaders(response.headers, 'RESPONSE_HEADER', looking)
  findInBody(request, 'REQUEST_PAYLOAD', looking)
  findInBody(response, 'RESPONSE_PAYLOAD', looking)
  return [...found]
}

/** False for a document that holds such a value. */
function isOneValue(text: string): boolean {
  return text.length <= MAX_SENSITIVE ? !text.includes('\n') : text.length <= MAX_TOKEN && !/\s/.test(text)
}

/** Bodies are looked through whole, where those that are learned from are sampled. */
const WHOLE_BODY: BodyLimits = { ...BODY_LIMITS, maxElements: 20_000, maxValues: 200_000 }

/** Looks through a body of any form, value by value where it can be read, and as a text for what cannot. */
function findInBody(
  { headers, body, bodyIsBase64: isBase64 = false }: Exchange['request' | 'response'],
  location: Location,
  looking: Looking,
): void {
  if (body === '') return
  const contentType = headerValue(headers, 'content-type') ?? ''
  const contentEncoding = headerValue(headers, 'content-encoding') ?? ''
  const parsed = parseBody({ body, contentType, contentEncoding, isBase64 }, WHOLE_BODY)
  const text = isBase64 ? Buffer.from(body, 'base64').toString('latin1') : body
  if (parsed.kind === 'tree') maskTree(parsed.value, { key: 'body', parentKey: '', location }, looking, 0)
  else if (text.includes('=')) maskPairs(text, '&', location, looking)
  if (parsed.kind === 'tree' && !parsed.isTruncated && parsed.format === 'json')
    findCards(text, location, looking, looking.note) // numbers of 19 digits are exact only there
  else looking.within(text, location)
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
  const isText = typeof value === 'string' && value.length >= MIN_TEXT
  if (rules.hides === undefined) {
    const types = typesOfValue(value, { key, parentKey, location }, rules)
    return (
      types.some((type) => rules.redacted!.has(type)) || (isText && rules.holds?.(value, location) === true)
    )
  }
  if (isText) rules.within?.(value, location)
  const isHidden =
    isNamedCredential(key, value) ||
    (typeof value === 'string' && isDialled(value, location, rules)) ||
    typesOfValue(value, { key, parentKey, location }, rules).some((type) =>
      rules.isSensitive(type, location, key),
    )
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
      const key = formDecoded(pair.slice(0, equals).trim())
      const value = formDecoded(pair.slice(equals + 1).trim())
      return isMasked(value, key, '', location, rules) ? `${pair.slice(0, equals)}=${MASK}` : pair
    })
    .join(separator)
}

function maskTarget(target: string, rules: MaskRules): string {
  const { hides } = rules
  const origin = hides === undefined ? '' : (ORIGIN.exec(target)?.[0] ?? '')
  if (origin !== '') {
    const masked = origin.includes('@')
      ? origin.replace(USER_PASSWORD, (password) => (hides?.(formDecoded(password)) ? MASK : password))
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
    if (isMasked(formDecoded(value), index, '', 'PATH', rules)) masked = MASK + segment.slice(value.length)
  }
  return semicolon < 0 ? masked : `${masked};${maskPairs(text.slice(semicolon + 1), ';', 'PATH', rules)}`
}

/** Keys that a segment has in parentheses. */
function maskKeys(keyed: KeyedSegment, segment: string, rules: MaskRules): string {
  let text = keyed.source
  for (const { name, value, at, end } of keyed.keys.toReversed()) {
    if (isMasked(formDecoded(value), name, '', 'PATH', rules))
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
