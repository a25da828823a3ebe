import { cleanHost } from '../../http/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import { importedAddress } from '../import-entry.ts'
import { cutText } from '../untrusted-value.ts'
import type { Span } from './span.ts'

/** A sample message without bodies, made of the span of a request that a server answered. */
type SpanMessage = Readonly<Record<string, unknown>>

const MAX_TEXT = 8192
const MAX_SECONDS = 0x7fffffff
const REQUEST_HEADER = 'http.request.header.'
const RESPONSE_HEADER = 'http.response.header.'

/**
 * The message of a span by the HTTP semantic conventions, the stable ones and those before; undefined when it is not the
 * server's span of an HTTP request, and the reason as text when it tells too little of one.
 */
export function spanMessage(span: Span): SpanMessage | string | undefined {
  if (span.kind !== 'server') return undefined
  const read = readerOf(span)
  const method = methodOf(read)
  if (method === '') return undefined
  const url = urlOf(read)
  if (url === '') return 'the span has neither url.path nor http.target'
  const requestHeaders = headersOf(span, REQUEST_HEADER)
  const named = new Set(requestHeaders.map(([name]) => name))
  const add = (name: string, value: string): void => {
    if (value !== '' && !named.has(name)) requestHeaders.push([name, value])
  }
  const host = hostOf(read, span)
  add('host', host)
  add('user-agent', read('user_agent.original', 'http.user_agent'))
  const scheme = read('url.scheme', 'http.scheme').toLowerCase()
  const isAbsolute = url.startsWith('/') && host !== '' && /^https?$/.test(scheme)
  const route = read('http.route')
  const whole = Math.floor(span.seconds)
  return {
    ...(span.id === '' ? {} : { id: span.id }),
    method,
    path: isAbsolute ? `${scheme}://${host}${url}` : url,
    type: `HTTP/${read('network.protocol.version', 'http.flavor') || '1.1'}`,
    statusCode: Number(read('http.response.status_code', 'http.status_code')) || 0,
    time: whole > 0 && whole <= MAX_SECONDS ? whole : nowSeconds(),
    ip: addressOf(read),
    source: 'OPEN_TELEMETRY',
    requestHeaders,
    requestPayload: '',
    responseHeaders: headersOf(span, RESPONSE_HEADER),
    responsePayload: '',
    ...(route === '' ? {} : { route }),
    ...(span.milliseconds === undefined ? {} : { durationMs: span.milliseconds }),
  }
}

/** Gives the first of the attributes that is there, as text. */
type Read = (...names: string[]) => string

function readerOf({ attributes }: Span): Read {
  return (...names) => {
    for (const name of names) {
      const value = attributes.get(name)
      const text = cutText(typeof value === 'object' ? value[0] : value, MAX_TEXT)
      if (text !== '') return text
    }
    return ''
  }
}

function methodOf(read: Read): string {
  const method = read('http.request.method', 'http.method')
  return method === '_OTHER' ? read('http.request.method_original') || method : method
}

function urlOf(read: Read): string {
  const path = read('url.path')
  const query = read('url.query')
  if (path !== '') return query === '' ? path : `${path}?${query.replace(/^\?/, '')}`
  return read('http.target', 'url.full', 'http.url')
}

/** Host and port as the client wrote them; a service that does not tell is named by its own name. */
function hostOf(read: Read, { resource }: Span): string {
  const written = read(`${REQUEST_HEADER}host`, 'http.host')
  if (written !== '') return written
  const address = read('server.address', 'net.host.name', 'http.server_name')
  const port = read('server.port', 'net.host.port')
  const isUsual = port === '' || port === '80' || port === '443'
  if (address !== '') return `${address.includes(':') ? `[${address}]` : address}${isUsual ? '' : `:${port}`}`
  const service = cutText(resource.get('service.name'), 255).toLowerCase()
  return cleanHost(service, 'https')
}

function addressOf(read: Read): string {
  const names = [
    'client.address',
    'http.client_ip',
    'network.peer.address',
    'net.sock.peer.addr',
    'net.peer.ip',
  ]
  return importedAddress(read(...names))
}

/** Headers that the instrumentation was told to record; their names may be written with underscores. */
function headersOf({ attributes }: Span, prefix: string): [string, string][] {
  const headers: [string, string][] = []
  for (const [name, value] of attributes) {
    if (!name.startsWith(prefix)) continue
    const header = name.slice(prefix.length).replaceAll('_', '-')
    for (const text of typeof value === 'string' ? [value] : value) headers.push([header, text])
  }
  return headers
}
