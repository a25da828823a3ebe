import type { Exchange } from '../../http/index.ts'
import { cleanHeaderPart, cleanShortText } from '../../http/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import type { DeclaredOperation, DeclaredParameter, DeclaredSecurity } from '../declared-operation.ts'
import type { ImportOptions } from '../importer.ts'
import { UUID_EXAMPLE } from './scalar-value.ts'

const MAX_QUERY = 8000

/**
 * The exchange that a declared operation describes, from its examples, defaults and types: first server, first
 * security alternative, first success response. It shows shapes only; nobody has observed it.
 */
export function exchangeOf(operation: DeclaredOperation, options: ImportOptions): Exchange {
  const headers: string[] = []
  const query: string[] = []
  const cookies: string[] = []
  if (operation.origin !== '') headers.push('Host', operation.origin.replace(/^https?:\/\//i, ''))
  for (const parameter of operation.parameters) {
    const value = parameter.example ?? (parameter.required ? placeholder(parameter) : undefined)
    if (value === undefined) continue
    if (parameter.in === 'query') addQuery(query, parameter.name, value)
    else if (parameter.in === 'cookie') cookies.push(`${parameter.name}=${value}`)
    else if (parameter.in === 'header') headers.push(parameter.name, cleanHeaderPart(value))
  }
  for (const scheme of operation.security[0] ?? []) addCredential(scheme, headers, query, cookies)
  if (cookies.length > 0) headers.push('Cookie', cleanHeaderPart(cookies.join('; ')))
  const request = operation.requests.find((body) => body.example !== undefined) ?? operation.requests[0]
  if (request !== undefined && request.mediaType !== '')
    headers.push('Content-Type', cleanHeaderPart(request.mediaType))
  const response = successOf(operation)
  const path = fillPath(operation.target === undefined ? operation : { ...operation, path: operation.target })
  return {
    request: {
      method: operation.method,
      target: `${operation.origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      version: 'HTTP/1.1',
      headers: headers.map((text) => cleanHeaderPart(text)),
      body: clean(request?.example),
    },
    response: {
      status: response.status,
      reason: '',
      headers: response.mediaType === '' ? [] : ['Content-Type', cleanHeaderPart(response.mediaType)],
      body: clean(response.example),
    },
    at: options.at ?? nowSeconds(),
    clientIp: '',
    serverIp: '',
    source: options.source ?? 'OPEN_API',
    direction: 1,
    vxlanId: 0,
    route: cleanShortText(operation.path),
  }
}

function clean(body: string | undefined): string {
  return (body ?? '').replaceAll('\0', '').toWellFormed()
}

/**
 * The request that a declared operation describes, ready to be sent: examples, then defaults, then values made by the
 * schema. `values` replaces those of parameters, by `<place> <name>`.
 */
export function requestOf(
  operation: DeclaredOperation,
  values: ReadonlyMap<string, string>,
): Exchange['request'] {
  const parameters = operation.parameters.flatMap((one) => {
    const known = values.get(`${one.in} ${one.name}`)
    const isSent = one.in === 'path' || one.required || one.example !== undefined
    if (known === undefined && isSent && one.pairs !== undefined)
      return one.pairs.map(([name, example]) => ({ ...one, name, example }))
    const example = known ?? one.example ?? (isSent ? sendable(one) : undefined)
    return [{ ...one, ...(example === undefined ? {} : { example }) }]
  })
  return exchangeOf({ ...operation, parameters }, {}).request
}

/** Placeholders that only name a type are not values. */
function sendable(parameter: DeclaredParameter): string {
  if (parameter.generated !== undefined) return parameter.generated
  const shown = placeholder(parameter)
  return shown === 'INTEGER' ? '1' : shown === 'STRING' ? 'string' : shown
}

/** What stands for a path value without example: a token that names its type, or a UUID. */
function placeholder(parameter: DeclaredParameter): string {
  if (parameter.format === 'uuid') return UUID_EXAMPLE
  if (parameter.type === 'integer' || parameter.type === 'number')
    return parameter.in === 'path' ? 'INTEGER' : '1'
  if (parameter.type === 'boolean') return 'true'
  return parameter.in === 'path' ? 'STRING' : 'string'
}

function fillPath(operation: DeclaredOperation): string {
  const byName = new Map(
    operation.parameters.filter((one) => one.in === 'path').map((one) => [one.name, one]),
  )
  const filled = operation.path.replace(/\{([^{}/]{1,200})\}/g, (whole, name: string) => {
    const parameter = byName.get(name)
    return parameter === undefined ? whole : encodeURIComponent(parameter.example ?? placeholder(parameter))
  })
  return filled.toWellFormed().replace(/[\0-\x20\x7f]/g, (blank) => encodeURIComponent(blank))
}

/** Adds a pair while the query stays of a length that servers take. */
function addQuery(query: string[], name: string, value: string): void {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  if (query.join('&').length + pair.length <= MAX_QUERY) query.push(pair)
}

function addCredential(
  scheme: DeclaredSecurity,
  headers: string[],
  query: string[],
  cookies: string[],
): void {
  if (scheme.kind === 'oauth2' || scheme.kind === 'openIdConnect') {
    headers.push('Authorization', 'Bearer sample-auth-token')
  } else if (scheme.kind === 'http') {
    const name = scheme.scheme ?? ''
    headers.push('Authorization', `${name.charAt(0).toUpperCase()}${name.slice(1)} sample-auth-token`)
  } else if (scheme.kind === 'apiKey' && scheme.parameter !== undefined) {
    if (scheme.in === 'query') addQuery(query, scheme.parameter, 'security-key')
    else if (scheme.in === 'cookie') cookies.push(`${scheme.parameter}=security-key`)
    else headers.push(scheme.parameter, 'security-key')
  }
}

/** The first 2xx or 302 response, else the default one, else an empty 200. */
function successOf(operation: DeclaredOperation): { status: number; mediaType: string; example?: string } {
  const found =
    operation.responses.find((one) => /^2|^302$/.test(one.status) && one.example !== undefined) ??
    operation.responses.find((one) => /^2|^302$/.test(one.status)) ??
    operation.responses.find((one) => one.status === 'default')
  if (found === undefined) return { status: 200, mediaType: '' }
  const status = /^\d{3}$/.test(found.status) ? Number(found.status) : 200
  return { status, mediaType: found.mediaType, example: found.example }
}
