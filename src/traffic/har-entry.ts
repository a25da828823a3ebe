import type { Exchange, RequestMessage, ResponseMessage } from '../http/index.ts'
import {
  cleanHeaderPart,
  cleanShortText,
  durationOf,
  headerExcess,
  headerValue,
  MAX_HEADERS,
  MAX_TARGET,
  multipartBody,
  readHeaders,
  readMethod,
  targetProblem,
} from '../http/index.ts'
import { importedAddress, importedBody, importedTime } from './import-entry.ts'
import type { ImportOptions } from './importer.ts'
import type { OutsideObject } from './untrusted-value.ts'
import { asObject, asText, cutText } from './untrusted-value.ts'

/** The exchanges of one entry: one, or more when WebSocket messages were recorded with it. */
interface HarEntryRead {
  readonly exchanges: readonly Exchange[]
  readonly notes: readonly string[]
}

/** Most WebSocket messages of one entry that become exchanges. */
const MAX_SOCKET_MESSAGES = 100

/** Reads one parsed HAR entry (HAR 1.2, section "entries"); the reason as text when it gives no exchange. */
export function readHarEntry(entry: unknown, options: ImportOptions): HarEntryRead | string {
  const fields = asObject(entry)
  if (fields === undefined) return 'the entry is not an object'
  const notes: string[] = []
  const request = readRequest(asObject(fields['request']), notes)
  if (typeof request === 'string') return request
  const response = readResponse(asObject(fields['response']), notes)
  if (typeof response === 'string') return response
  const exchange: Exchange = {
    request,
    response,
    at: importedTime(fields['startedDateTime'], options, notes),
    clientIp: importedAddress(fields['clientIPAddress']),
    serverIp: importedAddress(fields['serverIPAddress']),
    source: options.source ?? 'HAR',
    direction: 1,
    vxlanId: 0,
    // -1 where the recorder does not know it.
    durationMs: durationOf(fields['time']),
  }
  const messages = fields['_webSocketMessages']
  const socket = Array.isArray(messages) ? socketExchanges(exchange, messages, notes) : []
  return { exchanges: [exchange, ...socket], notes }
}

function readRequest(request: OutsideObject | undefined, notes: string[]): RequestMessage | string {
  if (request === undefined) return 'it has no request'
  const method = typeof request['method'] === 'string' ? readMethod(request['method']) : undefined
  if (method === undefined) return 'the method is missing or no HTTP method'
  const target = readTarget(request)
  if (target.problem !== undefined) return target.problem
  const headers = readHeaders(request['headers'])
  if (headers === undefined) return 'the request headers are not a list of names and values'
  const excess = headerExcess(headers)
  if (excess !== undefined) return `the request ${excess}`
  addCookies(headers, request['cookies'])
  const postData = asObject(request['postData'])
  addContentType(headers, postData?.['mimeType'])
  const version = typeof request['httpVersion'] === 'string' ? request['httpVersion'] : ''
  const body = readPostData(postData, headerValue(headers, 'content-type') ?? '', notes)
  return { method, target: target.url, version: readVersion(version), headers, ...body }
}

/** Browsers write `http/2.0`, `h2`, `h3` or nothing for the protocol. */
function readVersion(text: string): string {
  const version = /^(?:http\/|h)(\d(?:\.\d)?)$/i.exec(text.trim())?.[1]
  if (version === undefined) return 'HTTP/1.1'
  return `HTTP/${version === '2.0' || version === '3.0' ? version[0] : version}`
}

function readTarget(request: OutsideObject): { url: string; problem?: string } {
  const given = request['url']
  if (typeof given !== 'string' || given === '') return { url: '', problem: 'the URL is missing' }
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]{0,30}):/.exec(given)?.[1]?.toLowerCase() ?? ''
  if (!['http', 'https', 'ws', 'wss'].includes(scheme)) {
    return { url: '', problem: scheme === '' ? 'the URL is not absolute' : `the URL scheme is ${scheme}` }
  }
  const problem = targetProblem(given)
  if (problem !== undefined) return { url: '', problem: `the URL ${problem}` }
  const url = given.toWellFormed()
  const query = url.includes('?') ? undefined : readHeaders(request['queryString'])
  return { url: query === undefined || query.length === 0 ? url : withQuery(url, query) }
}

function withQuery(url: string, pairs: readonly string[]): string {
  const query = new URLSearchParams()
  for (let i = 0; i + 1 < pairs.length; i += 2) query.append(pairs[i]!, pairs[i + 1]!)
  const [base] = url.split('#')
  const full = `${base}?${query}`
  return full.length <= MAX_TARGET ? full : url
}

/** Some recorders list cookies only beside the headers; they were sent as one Cookie header. */
function addCookies(headers: string[], cookies: unknown): void {
  if (headerValue(headers, 'cookie') !== undefined) return
  const pairs = readHeaders(cookies) ?? []
  if (pairs.length === 0 || pairs.length > 2 * MAX_HEADERS) return
  const parts: string[] = []
  for (let i = 0; i + 1 < pairs.length; i += 2) parts.push(`${pairs[i]}=${pairs[i + 1]}`)
  headers.push('Cookie', parts.join('; '))
}

function addContentType(headers: string[], mimeType: unknown): void {
  if (typeof mimeType !== 'string' || !/^[\w.+-]+\/[\w.+*-]/.test(mimeType) || mimeType === 'x-unknown')
    return
  if (headerValue(headers, 'content-type') === undefined) {
    headers.push('Content-Type', cleanHeaderPart(mimeType.slice(0, 1024)))
  }
}

function readPostData(postData: OutsideObject | undefined, contentType: string, notes: string[]) {
  if (postData === undefined) return { body: '' }
  const text = postData['text']
  const params = postData['params']
  if ((text === undefined || text === null || text === '') && Array.isArray(params) && params.length > 0) {
    return importedBody(formBody(params, contentType), undefined, contentType, 'request', notes)
  }
  return importedBody(text, postData['encoding'], contentType, 'request', notes)
}

/** The body that `params` describe: multipart when the content type says so, else form-urlencoded. */
function formBody(params: readonly unknown[], contentType: string): string {
  const fields = params.slice(0, MAX_HEADERS * 10).map((param) => asObject(param) ?? {})
  const textOf = (value: unknown) =>
    value === undefined || value === null ? '' : String(value).toWellFormed()
  if (/^multipart\//i.test(contentType)) {
    const boundary = /boundary="?([^";,\s]{1,100})/i.exec(contentType)?.[1]
    const parts = fields.map((field) => ({
      name: textOf(field['name']),
      value: textOf(field['value']),
      fileName: typeof field['fileName'] === 'string' ? field['fileName'] : undefined,
      mediaType: typeof field['contentType'] === 'string' ? field['contentType'] : undefined,
    }))
    return multipartBody(parts, boundary).text
  }
  const form = new URLSearchParams()
  for (const field of fields) form.append(textOf(field['name']), textOf(field['value']))
  return form.toString()
}

function readResponse(response: OutsideObject | undefined, notes: string[]): ResponseMessage | string {
  if (response === undefined) return 'it has no response'
  const status = Number(response['status'])
  if (!Number.isInteger(status) || status < 0 || status > 999)
    return 'the response status is not an HTTP status'
  if (status === 0)
    return `it got no response (status 0${cutText(response['_error'], 80).replace(/^(?=.)/, ', ')})`
  const headers = readHeaders(response['headers'])
  if (headers === undefined) return 'the response headers are not a list of names and values'
  const excess = headerExcess(headers)
  if (excess !== undefined) return `the response ${excess}`
  const content = asObject(response['content']) ?? {}
  addContentType(headers, content['mimeType'])
  const contentType = headerValue(headers, 'content-type')
  const body = importedBody(content['text'], content['encoding'], contentType, 'response', notes)
  const reason = cleanShortText(asText(response['statusText']))
  return { status, reason, headers, ...body }
}

/**
 * WebSocket messages as exchanges of method WS: what was sent is the request body, the next message received before
 * another is sent is its response.
 */
function socketExchanges(handshake: Exchange, messages: readonly unknown[], notes: string[]): Exchange[] {
  const exchanges: Exchange[] = []
  let waiting: { body: string; at: number } | undefined
  const flush = (received: string, at: number): void => {
    exchanges.push({
      ...handshake,
      at: waiting?.at ?? at,
      request: { ...handshake.request, method: 'WS', body: waiting?.body ?? '', bodyIsBase64: undefined },
      response: { ...handshake.response, body: received, bodyIsBase64: undefined },
    })
    waiting = undefined
  }
  for (const [i, message] of messages.entries()) {
    if (exchanges.length >= MAX_SOCKET_MESSAGES) {
      notes.push(`${messages.length - i} further WebSocket messages are not read`)
      break
    }
    const fields = asObject(message)
    if (fields === undefined || (fields['opcode'] !== undefined && fields['opcode'] !== 1)) continue
    const body = importedBody(fields['data'], undefined, undefined, 'request', notes).body
    const time = Number(fields['time'])
    const at = time > 0 && time < 0x7fffffff ? Math.floor(time) : handshake.at
    if (fields['type'] === 'receive') flush(body, at)
    else {
      if (waiting !== undefined) flush('', at)
      waiting = { body, at }
    }
  }
  if (waiting !== undefined) flush('', waiting.at)
  return exchanges
}
