import type { Exchange, RequestMessage } from '../../http/index.ts'
import {
  bodyFromText,
  cleanHeaderPart,
  cleanShortText,
  headerExcess,
  headerValue,
  MAX_HEADERS,
  readMethod,
  targetProblem,
} from '../../http/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import type {
  DeclaredBody,
  DeclaredOperation,
  DeclaredParameter,
  DeclaredSecurity,
} from '../declared-operation.ts'
import { importedBody } from '../import-entry.ts'
import type { ImportOptions } from '../importer.ts'
import { keysOfValue } from '../json-keys.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, cutText, own } from '../untrusted-value.ts'
import { readAuth } from './auth.ts'
import { readPostmanBody } from './body.ts'
import type { PostmanUrl } from './url.ts'
import { readPostmanUrl } from './url.ts'
import type { Variables } from './variables.ts'

/** Most saved responses of one request that become exchanges. */
const MAX_RESPONSES = 50

/** What an item inherits from the folders around it and from the collection. */
export interface ItemScope {
  readonly variables: Variables
  /** The nearest `auth` above the item. */
  readonly auth: OutsideObject | undefined
  readonly folders: readonly string[]
}

interface ItemRead {
  readonly declared: DeclaredOperation
  /** One per saved response. */
  readonly exchanges: readonly Exchange[]
}

interface BuiltRequest {
  readonly message: RequestMessage
  readonly url: PostmanUrl
  readonly security: readonly DeclaredSecurity[]
}

/** Reads one request item with its saved responses; the reason as text when it gives no request. */
export function readItem(
  item: OutsideObject,
  scope: ItemScope,
  place: { readonly index: number; readonly where: string },
  options: ImportOptions,
): ItemRead | string {
  const notes: string[] = []
  const missing = new Set<string>()
  const built = buildRequest(own(item, 'request'), scope, options, notes, missing)
  if (typeof built === 'string') return built
  const exchanges: Exchange[] = []
  const responses = asList(own(item, 'response'))
  // The copy of the request beside a saved response has no authentication in exports: it was sent with that of the item.
  const auth = asObject(own(asObject(own(item, 'request')), 'auth')) ?? scope.auth
  for (const node of responses.slice(0, MAX_RESPONSES)) {
    const response = asObject(node)
    if (response === undefined) {
      notes.push('a saved response is not an object')
      continue
    }
    const original = own(response, 'originalRequest')
    const sent =
      original === undefined ? built : buildRequest(original, { ...scope, auth }, options, [], missing)
    const exchange = exchangeOf(typeof sent === 'string' ? built : sent, response, options, notes)
    if (exchange !== undefined) exchanges.push(exchange)
  }
  if (responses.length > MAX_RESPONSES) notes.push(`only the first ${MAX_RESPONSES} saved responses are read`)
  if (exchanges.length === 0) notes.push('no saved response; kept as declared')
  for (const name of missing) notes.push(`the variable "${name.slice(0, 80)}" has no value`)
  return { declared: declarationOf(item, built, exchanges, scope, place, notes), exchanges }
}

function buildRequest(
  node: unknown,
  scope: ItemScope,
  options: ImportOptions,
  notes: string[],
  missing: Set<string>,
): BuiltRequest | string {
  const request = typeof node === 'string' ? { url: node } : asObject(node)
  if (request === undefined) return 'it has no request'
  const method = readMethod(asText(own(request, 'method')) || 'GET')
  if (method === undefined) return 'the method is not an HTTP method'
  const fill = (text: string): string => scope.variables.fill(text, missing)
  const url = readPostmanUrl(own(request, 'url'), scope.variables, missing, options.baseUrl ?? '')
  if (typeof url === 'string') return url
  if (url.hostProblem !== undefined) notes.push(url.hostProblem)
  const headers = readHeaderList(own(request, 'header'), fill)
  const excess = headerExcess(headers)
  if (excess !== undefined) return `the request ${excess}`
  const body = readPostmanBody(own(request, 'body'), fill, notes)
  if (body.mediaType !== '' && headerValue(headers, 'content-type') === undefined) {
    headers.push('Content-Type', body.mediaType)
  }
  const credential = readAuth(asObject(own(request, 'auth')) ?? scope.auth, fill)
  if (credential.note !== undefined) notes.push(credential.note)
  if (credential.header !== undefined && headerValue(headers, credential.header[0]) === undefined) {
    headers.push(credential.header[0], credential.header[1])
  }
  if (url.origin !== '' && headerValue(headers, 'host') === undefined) {
    headers.unshift('Host', url.origin.replace(/^https?:\/\//, ''))
  }
  const added = credential.query === undefined ? [] : [credential.query.map(encodeURIComponent).join('=')]
  const query = [url.query, ...added].filter((part) => part !== '').join('&')
  const target = `${url.origin}${url.path}${query === '' ? '' : `?${query}`}`
  const problem = targetProblem(target)
  if (problem !== undefined) return `the URL ${problem}`
  const message = {
    method,
    target,
    version: 'HTTP/1.1',
    headers: headers.map(cleanHeaderPart),
    ...bodyFromText(body.text),
  }
  return { message, url, security: credential.security }
}

/** Headers as a list of `{key, value, disabled}` or, in old exports, as one text. */
function readHeaderList(node: unknown, fill: (text: string) => string): string[] {
  const headers: string[] = []
  if (typeof node === 'string') {
    for (const line of node.split('\n').slice(0, MAX_HEADERS + 1)) {
      const colon = line.indexOf(':')
      if (colon > 0) headers.push(line.slice(0, colon).trim(), fill(line.slice(colon + 1).trim()))
    }
    return headers
  }
  for (const item of asList(node).slice(0, MAX_HEADERS + 1)) {
    const fields = asObject(item)
    const name = fill(asText(own(fields, 'key'))).trim()
    if (name !== '' && own(fields, 'disabled') !== true)
      headers.push(name, fill(asText(own(fields, 'value'))))
  }
  return headers
}

function exchangeOf(
  sent: BuiltRequest,
  response: OutsideObject,
  options: ImportOptions,
  notes: string[],
): Exchange | undefined {
  const code = Number(asText(own(response, 'code')))
  const headers = readHeaderList(own(response, 'header'), (text) => text).map(cleanHeaderPart)
  const excess = headerExcess(headers)
  if (excess !== undefined) {
    notes.push(`a saved response ${excess} and is left out`)
    return undefined
  }
  const contentType = headerValue(headers, 'content-type')
  const body = importedBody(own(response, 'body'), undefined, contentType, 'response', notes)
  return {
    request: sent.message,
    response: {
      status: Number.isInteger(code) && code >= 0 && code <= 999 ? code : 0,
      reason: cleanShortText(asText(own(response, 'status'))),
      headers,
      ...body,
    },
    at: options.at ?? nowSeconds(),
    clientIp: '',
    serverIp: '',
    source: options.source ?? 'POSTMAN',
    direction: 1,
    vxlanId: 0,
    route: sent.url.route.includes('{') ? cleanShortText(sent.url.route) : undefined,
  }
}

function declarationOf(
  item: OutsideObject,
  built: BuiltRequest,
  exchanges: readonly Exchange[],
  scope: ItemScope,
  place: { readonly index: number; readonly where: string },
  notes: readonly string[],
): DeclaredOperation {
  const { message, url } = built
  return {
    index: place.index,
    where: place.where,
    method: message.method,
    path: url.route,
    origin: url.origin,
    servers: url.origin === '' ? [] : [url.origin],
    id: cutText(own(item, 'id'), 200),
    summary: cutText(own(item, 'name'), 500),
    tags: scope.folders,
    deprecated: false,
    parameters: [...url.parameters, ...headerParameters(message)],
    requests: message.body === '' ? [] : [describeBody(message)],
    responses: exchanges.map((one) => ({
      status: String(one.response.status),
      ...describeBody(one.response),
    })),
    security: built.security.length === 0 ? [] : [built.security],
    problems: [...new Set(notes)].map((note) => cutText(note, 300)),
  }
}

/** Headers that say something about the operation, not about the transport or the caller's identity. */
function headerParameters(message: RequestMessage): DeclaredParameter[] {
  const parameters: DeclaredParameter[] = []
  for (let i = 0; i + 1 < message.headers.length && parameters.length < 100; i += 2) {
    const name = message.headers[i]!
    if (/^(?:host|authorization|cookie|content-(?:type|length)|accept.*|user-agent|connection)$/i.test(name))
      continue
    parameters.push({ name, in: 'header', required: false, type: '', format: '', example: cutText(message.headers[i + 1], 2000) }) // biome-ignore format: one line reads better
  }
  return parameters
}

function describeBody(message: {
  headers: readonly string[]
  body: string
  bodyIsBase64?: boolean
}): DeclaredBody {
  const mediaType = headerValue(message.headers, 'content-type') ?? ''
  let keys: DeclaredBody['keys'] = []
  if (!message.bodyIsBase64 && /^\s*[[{]/.test(message.body) && message.body.length <= 1_048_576) {
    try {
      keys = keysOfValue(JSON.parse(message.body))
    } catch {
      // A body that only looks like JSON has no keys to declare.
    }
  }
  const example = message.bodyIsBase64 || message.body.length > 65_536 ? undefined : message.body
  return { mediaType: cutText(mediaType, 200), keys, example }
}
