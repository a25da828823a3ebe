import { bodyFromBytes, type Exchange, headerValue } from '../../http/index.ts'
import type { CapturedExchange, StreamMessage } from './capture.ts'
import type { Flight, Hop, KeptBody } from './flight.ts'
import { headerList, withoutFragment } from './wire-facts.ts'

/** Of a body so much is kept. */
export const MAX_BODY_BYTES = 1024 * 1024
const NOT_MODIFIED = 304

/** Bytes as far as they are kept. */
export function keptBody(bytes: Buffer): KeptBody {
  const isCut = bytes.length > MAX_BODY_BYTES
  return { bytes: isCut ? Buffer.from(bytes.subarray(0, MAX_BODY_BYTES)) : bytes, isCut }
}

/** The exchange of a hop that ended. */
export function capturedOf(flight: Flight, hop: Hop, pageId: string, id: string): CapturedExchange {
  const outcome = hop.outcome ?? (hop.response === null ? 'failed' : 'answered')
  return {
    id,
    pageId,
    pageUrl: flight.pageUrl,
    cause: flight.cause,
    kind: flight.kind,
    url: withoutFragment(hop.request.url),
    outcome,
    reason: hop.reason,
    redirectedFrom: hop.redirectedFrom,
    startedMs: flight.startedMs,
    endedMs: performance.now(),
    exchange: exchangeOf(hop),
    responseMissing: hop.response === null,
    isConfirmed: isConfirmed(hop),
    isCut: (hop.requestBody?.isCut ?? false) || (hop.responseBody?.isCut ?? false) || hop.isBodyLost,
    messages: [...flight.messages],
    ...wholeScript(flight, hop),
  }
}

/** Bundles are larger than what is kept, and name most of their calls behind that. */
function wholeScript({ kind }: Flight, { response, responseBody }: Hop): Pick<CapturedExchange, 'script'> {
  const isScript = kind === 'Script' || /javascript/i.test(response?.mimeType ?? '')
  const whole = isScript ? responseBody?.whole : undefined
  return whole === undefined ? {} : { script: whole.toString('utf8') }
}

function isConfirmed({ response, receivedExtra }: Hop): boolean {
  return receivedExtra?.statusCode === NOT_MODIFIED && response?.status !== NOT_MODIFIED
}

function exchangeOf(hop: Hop): Exchange {
  const { request, response, receivedExtra } = hop
  const version = versionOf(response?.protocol)
  const requestHeaders = headerList(hop.sentHeaders ?? response?.requestHeaders ?? request.headers)
  // What the page saw counts: an answer that was only confirmed (304) has the status and body of the kept one.
  const responseHeaders =
    response === null
      ? []
      : headerList(receivedExtra === null || isConfirmed(hop) ? response.headers : receivedExtra.headers)
  return {
    request: {
      method: request.method,
      target: withoutFragment(request.url),
      version,
      headers: withoutPseudo(requestHeaders),
      ...bodyFromBytes(
        hop.requestBody?.bytes ?? Buffer.alloc(0),
        headerValue(requestHeaders, 'content-type'),
      ),
    },
    response: {
      status: response?.status ?? 0,
      reason: response?.statusText ?? '',
      headers: withoutPseudo(responseHeaders),
      ...bodyFromBytes(
        hop.responseBody?.bytes ?? Buffer.alloc(0),
        headerValue(responseHeaders, 'content-type'),
      ),
    },
    at: hop.atSeconds,
    clientIp: '',
    serverIp: (response?.remoteIPAddress ?? '').replace(/^\[|\]$/g, ''),
    source: 'CRAWLER',
    direction: 1,
    vxlanId: 0,
  }
}

/** HTTP/2 writes parts of the request line as headers (RFC 9113 section 8.3); they stand elsewhere already. */
function withoutPseudo(headers: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (!headers[i]!.startsWith(':')) kept.push(headers[i]!, headers[i + 1]!)
  return kept
}

function versionOf(protocol: string | undefined): string {
  if (protocol === 'h2') return 'HTTP/2'
  if (protocol === 'h3') return 'HTTP/3'
  return protocol === 'http/1.0' ? 'HTTP/1.0' : 'HTTP/1.1'
}

/**
 * What the inventory gets of a captured exchange: itself, for an event stream with its events as body, and for a web
 * socket its messages as exchanges of method WS, a sent one with the next received one.
 */
export function inventoryExchanges({ exchange, kind, messages }: CapturedExchange): Exchange[] {
  if (kind !== 'WebSocket') return [withEvents(exchange, messages)]
  const made: Exchange[] = [exchange]
  let sent: StreamMessage | null = null
  for (const message of messages) {
    if (message.isBase64) continue
    if (message.direction === 'sent') {
      if (sent !== null) made.push(messageExchange(exchange, sent, null))
      sent = message
    } else {
      made.push(messageExchange(exchange, sent, message))
      sent = null
    }
  }
  if (sent !== null) made.push(messageExchange(exchange, sent, null))
  return made
}

/** A body that never ended is not there; the events that came of it are (WHATWG HTML section 9.2.6). */
function withEvents(exchange: Exchange, messages: readonly StreamMessage[]): Exchange {
  if (messages.length === 0 || exchange.response.body !== '') return exchange
  let body = ''
  for (const { event, text } of messages) {
    const name = event === '' || event === 'message' ? '' : `event: ${event}\n`
    const block = `${name}data: ${text.replaceAll('\n', '\ndata: ')}\n\n`
    if (body.length + block.length > MAX_BODY_BYTES) break
    body += block
  }
  return { ...exchange, response: { ...exchange.response, body, bodyIsBase64: false } }
}

function messageExchange(
  { request, response, ...rest }: Exchange,
  sent: StreamMessage | null,
  received: StreamMessage | null,
): Exchange {
  return {
    ...rest,
    at: Math.floor((sent ?? received)!.atMs / 1000),
    request: { ...request, method: 'WS', body: sent?.text ?? '', bodyIsBase64: false },
    response: { ...response, status: 101, body: received?.text ?? '', bodyIsBase64: false },
  }
}
