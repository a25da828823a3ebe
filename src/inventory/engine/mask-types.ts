import type { Exchange, HeaderList } from '../../http/index.ts'
import type { Location, TypeRules } from '../data-types/index.ts'
import { type KeyedSegment, keyedSegment, verbAt } from '../path-templates/index.ts'
import { typesOfValue } from './value-types.ts'

const MASK = '****'
const MAX_DEPTH = 64

/** A copy of an exchange in which every value of a type that people want masked is masked; names and shape stay. */
export function maskTypes(exchange: Exchange, rules: TypeRules): Exchange {
  if (rules.redacted === null) return exchange
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
  rules: TypeRules,
): boolean {
  return typesOfValue(value, { key, parentKey, location }, rules).some((type) => rules.redacted!.has(type))
}

function maskHeaders(headers: HeaderList, location: Location, rules: TypeRules): string[] {
  return headers.map((text, i) => {
    if (i % 2 === 0) return text
    const name = headers[i - 1]!.toLowerCase()
    if (name === 'cookie') return maskPairs(text, ';', 'COOKIE', rules)
    if (name === 'set-cookie') return maskFirstPair(text, rules)
    return isMasked(text, name, '', location, rules) ? MASK : text
  })
}

/** A Set-Cookie header: the first pair is the cookie, what follows are its attributes (RFC 6265 section 4.1). */
function maskFirstPair(text: string, rules: TypeRules): string {
  const end = text.indexOf(';')
  const pair = end < 0 ? text : text.slice(0, end)
  return maskPairs(pair, ';', 'RESPONSE_HEADER', rules) + (end < 0 ? '' : text.slice(end))
}

/** Pairs `name=value` with something between them; values are judged as sent and decoded. */
function maskPairs(text: string, separator: string, location: Location, rules: TypeRules): string {
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

function maskTarget(target: string, rules: TypeRules): string {
  const question = target.indexOf('?')
  const path = question < 0 ? target : target.slice(0, question)
  const masked = path
    .split('/')
    .map((segment, i) => maskSegment(segment, String(i - 1), rules))
    .join('/')
  return question < 0 ? masked : `${masked}?${maskPairs(target.slice(question + 1), '&', 'QUERY', rules)}`
}

/** A segment without its custom verb, or the keys in it, and its matrix parameters apart from it. */
function maskSegment(text: string, index: string, rules: TypeRules): string {
  const semicolon = text.indexOf(';')
  const segment = semicolon < 0 ? text : text.slice(0, semicolon)
  const keyed = keyedSegment(segment)
  let masked = segment
  if (keyed !== null) masked = maskKeys(keyed, segment, rules)
  else {
    const verb = verbAt(segment)
    const value = verb < 0 ? segment : segment.slice(0, verb)
    if (isMasked(decoded(value), index, '', 'PATH', rules)) masked = MASK + segment.slice(value.length)
  }
  return semicolon < 0 ? masked : `${masked};${maskPairs(text.slice(semicolon + 1), ';', 'PATH', rules)}`
}

/** Keys that a segment has in parentheses. */
function maskKeys(keyed: KeyedSegment, segment: string, rules: TypeRules): string {
  let text = keyed.source
  for (const { name, value, at, end } of keyed.keys.toReversed()) {
    if (isMasked(decoded(value), name, '', 'PATH', rules))
      text = `${text.slice(0, at)}${MASK}${text.slice(end)}`
  }
  return text === keyed.source ? segment : text
}

function maskBody(body: string, location: Location, rules: TypeRules): string {
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
  rules: TypeRules,
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
