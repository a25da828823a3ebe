import { accessLogFields } from '../../contract/import-formats.ts'
import { Failure } from '../../kit/index.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asObject, asText, own } from '../untrusted-value.ts'
import { type FieldUnit, logDuration } from './log-duration.ts'

type LogField = (typeof accessLogFields)[number]
type TextField = Exclude<LogField, 'duration'>

/** Names of the fields in one log: a key, or keys within each other joined by dots. */
export type FieldMapping = Readonly<Partial<Record<LogField, string>>>

/** A mapping from outside; undefined where none was sent. @throws Failure INVALID_FIELD_MAPPING */
export function readFieldMapping(sent: unknown): FieldMapping | undefined {
  const given = asObject(sent)
  if (given === undefined) return undefined
  const known: readonly string[] = accessLogFields
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new Failure('INVALID_FIELD_MAPPING', { name: name.slice(0, 40), known: known.join(', ') })
  return given as FieldMapping
}

/** Names that servers, gateways and load balancers use, the most telling first. */
const USUAL_NAMES: Readonly<Record<TextField, readonly string[]>> = {
  request: ['request', 'request_line', 'requestLine'],
  method: [
    'request_method',
    'method',
    'request.method',
    'RequestMethod',
    'http.request.method',
    'httpRequest.requestMethod',
    'req.method',
    'ClientRequestMethod',
    'http_method',
    'flow.l7.http.method',
    'requestMethod',
    'httpMethod',
    'cs-method',
    'verb',
  ],
  url: [
    'request_uri',
    'request.uri',
    'uri',
    'url.original',
    'url',
    'request.url',
    'req.url',
    'httpRequest.requestUrl',
    'RequestPath',
    'ClientRequestURI',
    'x-envoy-original-path',
    'request_path',
    'requestPath',
    'flow.l7.http.url',
    'path',
    'cs-uri-stem',
  ],
  query: ['query_string', 'url.query', 'args', 'queryString', 'cs-uri-query'],
  host: [
    'http_host',
    'host',
    'request.host',
    'RequestHost',
    'authority',
    'url.domain',
    'req.headers.host',
    'request.headers.host',
    'ClientRequestHost',
    'vhost',
    'cs-host',
    'domainName',
    'server_name',
  ],
  scheme: ['scheme', 'RequestScheme', 'url.scheme'],
  status: [
    'status',
    'status_code',
    'response_code',
    'DownstreamStatus',
    'http.response.status_code',
    'httpRequest.status',
    'response.status',
    'res.statusCode',
    'EdgeResponseStatus',
    'response_status',
    'flow.l7.http.code',
    'statusCode',
    'sc-status',
  ],
  time: [
    'time_iso8601',
    '@timestamp',
    'timestamp',
    'time',
    'ts',
    'start_time',
    'StartUTC',
    'EdgeStartTimestamp',
    'datetime',
    'requestTime',
    'time_local',
    'msec',
    'flow.time',
    'date',
  ],
  client: [
    'remote_addr',
    'client_ip',
    'request.client_ip',
    'request.remote_ip',
    'remote_ip',
    'ClientHost',
    'client.ip',
    'httpRequest.remoteIp',
    'req.remoteAddress',
    'downstream_remote_address',
    'ClientIP',
    'clientIp',
    'flow.IP.destination',
    'c-ip',
    'ip',
  ],
  agent: [
    'http_user_agent',
    'user_agent',
    'user_agent.original',
    'httpRequest.userAgent',
    'request.headers.User-Agent',
    'userAgent',
    'agent',
  ],
  referer: ['http_referer', 'referer', 'referrer', 'httpRequest.referer', 'request.headers.Referer'],
  type: [
    'sent_http_content_type',
    'response_content_type',
    'content_type',
    'http.response.mime_type',
    'resp_headers.Content-Type',
  ],
}

/** Keys that tell an access log from other lists of objects. */
const SIGNS = [...USUAL_NAMES.status, 'httpRequest', 'res', 'http', 'http.response']
const ADDRESSES = [...USUAL_NAMES.url, ...USUAL_NAMES.request, 'httpRequest', 'req', 'http']
/** Keys of sample messages. */
const OTHERS = ['requestHeaders', 'requestPayload', 'responseHeaders', 'responsePayload', 'batchData', 'log']

/** True for the outermost keys of one entry of an access log. */
export function isLogEntry(keys: ReadonlySet<string>): boolean {
  // A line of Hubble, the observer of Cilium.
  if (keys.has('flow') && keys.has('node_name')) return true
  const has = (names: readonly string[]): boolean => names.some((name) => keys.has(name))
  return has(SIGNS) && has(ADDRESSES) && !has(OTHERS) && !(keys.has('request') && keys.has('response'))
}

/** The value of a field of one entry, as text; '' where the entry has none. */
export function logValue(entry: OutsideObject, field: TextField, mapping: FieldMapping): string {
  const named = mapping[field]
  if (named !== undefined) return textAt(entry, named)
  for (const name of USUAL_NAMES[field]) {
    const text = textAt(entry, name)
    // Servers write "-" where there is nothing.
    if (text !== '' && text !== '-') return text
  }
  return ''
}

/** Fields that tell how long a request took, with their unit where it is certain. */
const DURATIONS: readonly (readonly [name: string, unit?: FieldUnit])[] = [
  ['request_time', 1000],
  ['durationMs', 1],
  ['duration_ms', 1],
  ['latencies.request', 1],
  ['responseLatency', 1],
  ['httpRequest.latency', 1000],
  ['event.duration', 1e-6],
  ['flow.l7.latency_ns', 1e-6],
  ['Duration', 1e-6],
  ['responseTime', 1],
  // morgan logs "3.412" milliseconds, others seconds.
  ['response_time', 'WHOLE_MS'],
  ['duration'],
]

/** Milliseconds that the request of an entry took; undefined where it does not tell. */
export function durationIn(entry: OutsideObject, mapping: FieldMapping): number | undefined {
  if (mapping.duration !== undefined) return logDuration(textAt(entry, mapping.duration))
  for (const [name, unit] of DURATIONS) {
    const found = logDuration(textAt(entry, name), unit)
    if (found !== undefined) return found
  }
  return undefined
}

function textAt(entry: OutsideObject, name: string): string {
  const whole = own(entry, name)
  if (whole !== undefined) return firstText(whole)
  let value: unknown = entry
  for (const key of name.split('.')) value = own(asObject(value), key)
  return firstText(value)
}

/** Some servers log every header as a list. */
function firstText(value: unknown): string {
  return asText(Array.isArray(value) ? value[0] : value)
}
