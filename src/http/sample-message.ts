import { Failure, nowSeconds } from '../kit/index.ts'
import { bodyFromBytes, bodyFromText } from './body-text.ts'
import { durationOf } from './duration.ts'
import type { DataSource, Exchange, HeaderList } from './exchange.ts'
import { DATA_SOURCES, headerValue } from './exchange.ts'
import { headerExcess, MAX_HEADER_CHARS, MAX_HEADERS, readHeaders, writeHeaderText } from './header-text.ts'
import { readMethod } from './method.ts'
import { cleanShortText, targetProblem } from './target.ts'

/** Longest body, header text or other single text of a sample message, in characters. */
const MAX_SAMPLE_TEXT = 5_242_880
const MAX_TAGS = 32
const MAX_TAG_TEXT = 256

/** What a reader fills in where the message is silent. */
export interface SampleDefaults {
  /** Used when `source` is absent or unknown; OTHER by default. */
  readonly source?: DataSource
  /** Event time when `time` is absent or unreadable; now by default. */
  readonly at?: number
}

type Fields = Record<string, unknown>

/** Names of sources as messages carry them. */
export const SOURCES = new Map<unknown, DataSource>(DATA_SOURCES.map((source) => [source, source]))

/**
 * One exchange from an already parsed sample message, in either of its two forms (interface notes A 1.6), with the
 * key variants that crawlers send. Returns the reason as text when it is none: in a batch one bad message must not
 * cost more than a good one. Texts of the exchange are well-formed Unicode without NUL.
 */
export function readSampleMessage(value: unknown, defaults: SampleDefaults = {}): Exchange | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'a message must be an object'
  const fields = value as Fields
  const nested = fields['request']
  if (typeof nested === 'object' && nested !== null) return readNested(fields, nested as Fields, defaults)
  return readFlat(fields, defaults)
}

/**
 * One exchange from the JSON text of a sample message.
 * @throws Failure SAMPLE_MESSAGE_INVALID with the reason.
 */
export function parseSampleMessage(text: string, defaults: SampleDefaults = {}): Exchange {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Failure('SAMPLE_MESSAGE_INVALID', { reason: 'it is not JSON' }, { cause })
  }
  const read = readSampleMessage(value, defaults)
  if (typeof read === 'string') throw new Failure('SAMPLE_MESSAGE_INVALID', { reason: read })
  return read
}

function readFlat(fields: Fields, defaults: SampleDefaults): Exchange | string {
  if (fields['is_pending'] === 'true' || fields['is_pending'] === true) return 'the response is not complete'
  const method = typeof fields['method'] === 'string' ? readMethod(fields['method']) : undefined
  if (method === undefined) return '"method" is missing or no HTTP method'
  const target = fields['path'] ?? fields['url']
  if (typeof target !== 'string' || target === '') return '"path" is missing'
  const problem = targetProblem(target)
  if (problem !== undefined) return `"path" ${problem}`
  const requestHeaders = limitedHeaders(fields['requestHeaders'])
  if (typeof requestHeaders === 'string') return `"requestHeaders" ${requestHeaders}`
  const responseHeaders = limitedHeaders(fields['responseHeaders'])
  if (typeof responseHeaders === 'string') return `"responseHeaders" ${responseHeaders}`
  const requestText = bodyText(fields['requestPayload'] ?? fields['requestBody'])
  const responseText = bodyText(fields['responsePayload'] ?? fields['responseBody'])
  if (requestText.length > MAX_SAMPLE_TEXT)
    return `"requestPayload" is longer than ${MAX_SAMPLE_TEXT} characters`
  if (responseText.length > MAX_SAMPLE_TEXT)
    return `"responsePayload" is longer than ${MAX_SAMPLE_TEXT} characters`
  const encoding = fields['bodyEncoding']
  const requestBody = readBody(requestText, fields['requestBodyEncoding'] ?? encoding, requestHeaders)
  const responseBody = readBody(responseText, fields['responseBodyEncoding'] ?? encoding, responseHeaders)
  const id = fields['id']
  const route = fields['route'] ?? fields['http.route']
  return {
    request: {
      method,
      target: target.isWellFormed() ? target : target.toWellFormed(),
      version: shortText(fields['type']) || 'HTTP/1.1',
      headers: requestHeaders,
      body: requestBody.body,
      bodyIsBase64: requestBody.bodyIsBase64,
    },
    response: {
      status: readStatus(fields['statusCode'] ?? fields['responseCode'] ?? numberOnly(fields['status'])),
      reason: shortText(fields['status']),
      headers: responseHeaders,
      body: responseBody.body,
      bodyIsBase64: responseBody.bodyIsBase64,
    },
    at: readTime(fields['time'], defaults),
    clientIp: shortText(fields['ip']),
    serverIp: shortText(fields['destIp']),
    source: SOURCES.get(fields['source']) ?? defaults.source ?? 'OTHER',
    direction: fields['direction'] === '2' || fields['direction'] === 2 ? 2 : 1,
    vxlanId: readInteger(fields['akto_vxlan_id']),
    tags: readTags(fields['tag'] ?? fields['tags']),
    messageId: typeof id === 'string' && id !== '' ? shortText(id) : undefined,
    route: typeof route === 'string' && route !== '' ? shortText(route) : undefined,
    durationMs: durationOf(fields['durationMs']) ?? durationOf(fields['durationSeconds'], 1000),
  }
}

function secondsOf(milliseconds: unknown): number | undefined {
  return typeof milliseconds === 'number' ? Math.floor(milliseconds / 1000) : undefined
}

/** What Kong measured of a whole request. */
function latencyOf(latencies: unknown): unknown {
  return typeof latencies === 'object' && latencies !== null ? (latencies as Fields)['request'] : undefined
}

/** The second form: `{request: {url, queryParams, …}, response: {…}}`; other keys stay those of the first form. */
function readNested(fields: Fields, request: Fields, defaults: SampleDefaults): Exchange | string {
  const nestedResponse = fields['response']
  const response = (
    typeof nestedResponse === 'object' && nestedResponse !== null ? nestedResponse : {}
  ) as Fields
  const url = request['url'] ?? request['path']
  const query = request['queryParams']
  const withQuery =
    typeof url === 'string' && typeof query === 'string' && query !== '' && !url.includes('?')
      ? `${url}?${query.replace(/^\?/, '')}`
      : url
  return readFlat(
    {
      method: request['method'],
      path: withQuery,
      type: request['type'],
      requestHeaders: request['headers'],
      requestPayload: request['body'],
      requestBodyEncoding: request['bodyEncoding'] ?? fields['bodyEncoding'],
      statusCode: response['statusCode'],
      status: response['status'],
      responseHeaders: response['headers'],
      responsePayload: response['body'],
      responseBodyEncoding: response['bodyEncoding'] ?? fields['bodyEncoding'],
      // The http-log plugin of Kong has its own names for caller, time and duration (both in milliseconds).
      ip: fields['ip'] ?? fields['client_ip'],
      destIp: fields['destIp'],
      time: fields['time'] ?? secondsOf(fields['started_at']),
      source: fields['source'],
      direction: fields['direction'],
      akto_vxlan_id: fields['akto_vxlan_id'],
      tag: fields['tag'] ?? fields['tags'],
      id: fields['id'],
      route: fields['route'],
      durationMs: fields['durationMs'] ?? latencyOf(fields['latencies']),
      durationSeconds: fields['durationSeconds'],
    },
    defaults,
  )
}

/** Headers, or why they cannot be taken. */
function limitedHeaders(value: unknown): HeaderList | string {
  if (typeof value === 'string' && value.length > MAX_HEADER_CHARS) {
    return `is longer than ${MAX_HEADER_CHARS} characters`
  }
  const headers = readHeaders(value)
  if (headers === undefined) return 'is not a map of header names to values'
  // Text was measured already: only the number can be too high, and adding up lengths is left out of the hot path.
  if (typeof value !== 'string') return headerExcess(headers) ?? headers
  return headers.length > 2 * MAX_HEADERS ? `has more than ${MAX_HEADERS} headers` : headers
}

function bodyText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  return JSON.stringify(value) ?? ''
}

function readBody(text: string, encoding: unknown, headers: HeaderList) {
  return encoding === 'base64'
    ? bodyFromBytes(Buffer.from(text, 'base64'), headerValue(headers, 'content-type'))
    : bodyFromText(text)
}

/** Some senders put the number where the reason phrase belongs. */
function numberOnly(value: unknown): unknown {
  return typeof value === 'number' ? value : undefined
}

function readStatus(value: unknown): number {
  const status = typeof value === 'string' ? Number(value) : value
  return typeof status === 'number' && Number.isInteger(status) && status >= 0 && status <= 999 ? status : 0
}

/** A 32-bit integer from a number or its digits; 0 for anything else. */
export function readInteger(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= 0x7fffffff ? number : 0
}

/** Epoch seconds; a value that can only be milliseconds (after the year 5138 as seconds) is read as such. */
function readTime(value: unknown, defaults: SampleDefaults): number {
  const time = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof time !== 'number' || !(time > 0)) return defaults.at ?? nowSeconds()
  const seconds = Math.floor(time > 1e11 ? time / 1000 : time)
  return seconds <= 0x7fffffff ? seconds : (defaults.at ?? nowSeconds())
}

/** Texts such as an address or a reason phrase; "null" means absent. */
export function shortText(value: unknown): string {
  return typeof value !== 'string' || value === 'null' ? '' : cleanShortText(value)
}

/** Labels from an object of texts or its JSON; undefined when there are none. */
export function readTags(value: unknown): Record<string, string> | undefined {
  if (value === undefined || value === null || value === '' || value === '{}') return undefined
  if (typeof value === 'string' && value.length > MAX_TAGS * MAX_TAG_TEXT * 4) return undefined
  const list = readHeaders(value)
  if (list === undefined || list.length === 0) return undefined
  const tags: Record<string, string> = Object.create(null)
  for (let i = 0; i + 1 < list.length && i < 2 * MAX_TAGS; i += 2) {
    tags[list[i]!.slice(0, MAX_TAG_TEXT)] = list[i + 1]!.slice(0, MAX_TAG_TEXT)
  }
  return tags
}

/**
 * The JSON text of an exchange in the first form (interface notes A 1.6), as stored and returned by the interface.
 * {@link parseSampleMessage} gives the same exchange back.
 */
export function writeSampleMessage(exchange: Exchange): string {
  const { request, response } = exchange
  const message: Record<string, string | null> = {
    method: request.method,
    path: request.target,
    type: request.version,
    requestHeaders: writeHeaderText(request.headers),
    requestPayload: request.body,
    statusCode: String(response.status),
    status: response.reason,
    responseHeaders: writeHeaderText(response.headers),
    responsePayload: response.body,
    ip: exchange.clientIp,
    destIp: exchange.serverIp === '' ? null : exchange.serverIp,
    time: String(exchange.at),
    contentType: headerValue(response.headers, 'content-type') ?? '',
    source: exchange.source,
    direction: String(exchange.direction),
    akto_vxlan_id: String(exchange.vxlanId),
    is_pending: 'false',
  }
  if (request.bodyIsBase64) message['requestBodyEncoding'] = 'base64'
  if (response.bodyIsBase64) message['responseBodyEncoding'] = 'base64'
  if (exchange.tags !== undefined) message['tag'] = JSON.stringify(exchange.tags)
  if (exchange.messageId !== undefined) message['id'] = exchange.messageId
  if (exchange.route !== undefined) message['route'] = exchange.route
  if (exchange.durationMs !== undefined) message['durationMs'] = String(exchange.durationMs)
  return JSON.stringify(message)
}
