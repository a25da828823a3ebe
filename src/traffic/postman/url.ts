import { hostProblem, MAX_TARGET } from '../../http/index.ts'
import type { DeclaredParameter } from '../declared-operation.ts'
import { asList, asObject, asText, cutText, own } from '../untrusted-value.ts'
import type { Variables } from './variables.ts'

/** A request URL of a collection with its variables in place. */
export interface PostmanUrl {
  /** Origin, for example `https://shop.test`; '' when the collection does not say. */
  readonly origin: string
  /** Path with `{name}` where the collection has `:name` or a variable without value. */
  readonly route: string
  /** Path with values in place of those names. */
  readonly path: string
  /** Without the question mark; '' when there is none. */
  readonly query: string
  readonly parameters: readonly DeclaredParameter[]
  /** Why its host is invalid; undefined when it is valid, or is a variable without value. */
  readonly hostProblem: string | undefined
}

/** This machine, or an address: live messages of such hosts are taken for http as well. */
const LOCAL_HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d+)?$/i
const UNRESOLVED = /^\{\{([^{}]{1,200})\}\}$/
const UNRESOLVED_WITHIN = /\{\{([^{}]{1,200})\}\}/g
const MAX_PARAMETERS = 500
const PATH_VARIABLE = /^:([A-Za-z_][\w.-]{0,200})$/
/** A custom verb (`/jobs/:id:cancel`) or the ending of a format (`/reports/:id.pdf`). */
const SUFFIX = /(?::[a-z][A-Za-z]{2,60}|\.(?:json|xml|csv|pdf))$/

/**
 * Reads a `url`: a text, or an object with `raw` or with its parts. A leading variable without value stands for an
 * unknown server. Returns the reason when it is not a http URL.
 */
export function readPostmanUrl(
  node: unknown,
  variables: Variables,
  missing: Set<string>,
  baseUrl: string,
): PostmanUrl | string {
  const raw = variables.fill(rawUrl(node), missing).trim()
  if (raw === '') return 'it has no URL'
  if (raw.length > MAX_TARGET) return `the URL is longer than ${MAX_TARGET} characters`
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]{0,30}):\/\//.exec(raw)?.[1]?.toLowerCase()
  if (scheme !== undefined && !/^(?:https?|wss?)$/.test(scheme)) return `the URL scheme is ${scheme}`
  // A scheme that is a variable without value says nothing; what follows is the host all the same.
  const rest =
    scheme === undefined ? raw.replace(/^\{\{[^{}]{1,200}\}\}:\/\//, '') : raw.slice(scheme.length + 3)
  const bare = rest.split('#', 1)[0]!
  const mark = bare.indexOf('?')
  const query = mark < 0 ? '' : bare.slice(mark + 1)
  const [authority, ...segments] = (mark < 0 ? bare : bare.slice(0, mark)).split('/')
  const host = (authority ?? '').slice((authority ?? '').lastIndexOf('@') + 1)
  const problem = host === '' || /[{}]/.test(host) ? undefined : hostProblem(host)
  const origin = originOf(scheme, problem === undefined ? host : '', baseUrl)
  const values = pathValues(node, variables, missing)
  const parameters: DeclaredParameter[] = []
  const read = segments.map((segment) => readSegment(segment, values, parameters))
  for (const [name, value] of new URLSearchParams(query)) {
    const example = value.startsWith('{{') ? undefined : cutText(value, 2000)
    if (name !== '' && parameters.length < MAX_PARAMETERS) {
      parameters.push({
        name: cutText(name, 1000),
        in: 'query',
        required: false,
        type: '',
        format: '',
        example,
      })
    }
  }
  return {
    origin,
    route: `/${read.map((one) => one.route).join('/')}`,
    path: `/${read.map((one) => one.value).join('/')}`,
    query: clean(query),
    parameters,
    hostProblem: problem,
  }
}

function rawUrl(node: unknown): string {
  const url = asObject(node)
  if (url === undefined) return asText(node)
  const raw = asText(own(url, 'raw'))
  if (raw !== '') return raw
  const parts = (value: unknown, joint: string) =>
    Array.isArray(value)
      ? value.map((one) => asText(one) || asText(own(asObject(one), 'value'))).join(joint)
      : asText(value)
  const host = parts(own(url, 'host'), '.')
  const port = asText(own(url, 'port'))
  const protocol = asText(own(url, 'protocol')).replace(/:?\/?\/?$/, '')
  const path = parts(own(url, 'path'), '/').replace(/^\//, '')
  const query = asList(own(url, 'query'))
    .map(asObject)
    .filter((pair) => own(pair, 'disabled') !== true)
    .map((pair) => `${asText(own(pair, 'key'))}=${asText(own(pair, 'value'))}`)
    .join('&')
  const origin = `${protocol === '' ? '' : `${protocol}://`}${host}${port === '' ? '' : `:${port}`}`
  return origin === '' && path === '' ? '' : `${origin}/${path}${query === '' ? '' : `?${query}`}`
}

function originOf(scheme: string | undefined, host: string, baseUrl: string): string {
  if (host === '' || /[{}]/.test(host)) return /^https?:\/\/[^/?#\s]+/i.exec(baseUrl)?.[0] ?? ''
  // Without a scheme Postman sends http; a collection usually leaves it out for brevity, so https is assumed of hosts
  // with a name.
  const isPlain = scheme === undefined ? LOCAL_HOST.test(host) : scheme === 'http' || scheme === 'ws'
  return `${isPlain ? 'http' : 'https'}://${clean(host)}`
}

/** Values of `:name` path variables by name. */
function pathValues(node: unknown, variables: Variables, missing: Set<string>): Map<string, string> {
  const values = new Map<string, string>()
  for (const item of asList(own(asObject(node), 'variable')).slice(0, 500)) {
    const fields = asObject(item)
    const name = asText(own(fields, 'key')) || asText(own(fields, 'id'))
    const value = variables.fill(asText(own(fields, 'value')), missing)
    if (name !== '' && value !== '' && !value.includes('{{')) values.set(name, cutText(value, 1000))
  }
  return values
}

/** A variable stands for a segment, for what is before its suffix (`{{id}}:cancel`, `{{id}}.pdf`), or within it (`Orders({{id}})`). */
function readSegment(
  segment: string,
  values: ReadonlyMap<string, string>,
  parameters: DeclaredParameter[],
): { route: string; value: string } {
  const isWhole = variableName(segment) !== undefined && !/\.(?:json|xml|csv|pdf)$/.test(segment)
  const suffix = isWhole ? '' : (SUFFIX.exec(segment)?.[0] ?? '')
  const name = variableName(segment.slice(0, segment.length - suffix.length))
  if (name === undefined) return readWithin(segment, parameters)
  const example = values.get(name)
  parameters.push({ name, in: 'path', required: true, type: '', format: '', example })
  return {
    route: `{${nameInRoute(name)}}${suffix}`,
    value: (example === undefined ? 'STRING' : encodeURIComponent(example)) + suffix,
  }
}

function readWithin(segment: string, parameters: DeclaredParameter[]): { route: string; value: string } {
  const route = segment.replace(UNRESOLVED_WITHIN, (_, raw: string) => {
    const name = nameInRoute(raw.trim())
    if (parameters.length < MAX_PARAMETERS)
      parameters.push({ name, in: 'path', required: true, type: '', format: '' })
    return `{${name}}`
  })
  return { route: clean(route), value: clean(route) }
}

function variableName(segment: string): string | undefined {
  return PATH_VARIABLE.exec(segment)?.[1] ?? UNRESOLVED.exec(segment)?.[1]?.trim()
}

function nameInRoute(name: string): string {
  return name.replace(/[{}/\s]/g, '_')
}

/** Blanks and control characters have no place in a target; everything else stays as written. */
function clean(text: string): string {
  return text.toWellFormed().replace(/[\0-\x20\x7f]/g, (one) => encodeURIComponent(one))
}
