import { asList, asObject, asText, type OutsideObject, own } from './untrusted-value.ts'

/** A trace as a sample message, with what was lost of it. */
interface TapMessage {
  readonly message: OutsideObject
  readonly notes: readonly string[]
}

/**
 * The trace that the HTTP tap filter of Envoy writes (`http_buffered_trace` of envoy.data.tap.v3.TraceWrapper) as a
 * sample message, or why it has none; undefined for any other value.
 */
export function messageOfTap(value: unknown): TapMessage | string | undefined {
  const wrapper = asObject(value)
  if (own(wrapper, 'http_streamed_trace_segment') !== undefined)
    return 'a part of a streamed trace: set "max_buffered_rx_bytes" and "max_buffered_tx_bytes" without "streaming"'
  const trace = asObject(own(wrapper, 'http_buffered_trace'))
  if (trace === undefined) return undefined
  const request = partOf(own(trace, 'request'))
  const response = partOf(own(trace, 'response'))
  if (request === undefined || response === undefined) return 'the trace has no request or no response'
  const { pseudo } = request
  const host = pseudo.get(':authority')
  const remote = asObject(own(asObject(own(trace, 'downstream_connection')), 'remote_address'))
  const took = response.atMs - request.atMs
  return {
    message: {
      method: pseudo.get(':method'),
      path: pseudo.get(':path'),
      requestHeaders: [...(host === undefined ? [] : [{ name: 'host', value: host }]), ...request.headers],
      requestPayload: request.body.text,
      requestBodyEncoding: request.body.encoding,
      statusCode: response.pseudo.get(':status'),
      responseHeaders: response.headers,
      responsePayload: response.body.text,
      responseBodyEncoding: response.body.encoding,
      ip: own(asObject(own(remote, 'socket_address')), 'address'),
      time: Number.isNaN(request.atMs) ? undefined : Math.floor(request.atMs / 1000),
      durationMs: took >= 0 ? took : undefined,
      source: 'MIRRORING',
    },
    notes: [
      ...(request.body.isCut ? ['Envoy cut the request body'] : []),
      ...(response.body.isCut ? ['Envoy cut the response body'] : []),
    ],
  }
}

/** One message of a trace; undefined when its headers never came. */
function partOf(value: unknown) {
  const part = asObject(value)
  const listed = asList(own(part, 'headers')).map(asObject)
  if (listed.length === 0) return undefined
  const headers = listed.map((header) => ({ name: asText(own(header, 'key')), value: textOf(header) }))
  return {
    pseudo: new Map(headers.map(({ name, value: text }) => [name, text])),
    headers: headers.filter(({ name }) => name !== '' && !name.startsWith(':')),
    body: bodyOf(asObject(own(part, 'body'))),
    atMs: Date.parse(asText(own(part, 'headers_received_time'))),
  }
}

/** Values that are not UTF-8 are in `raw_value`, in Base64. */
function textOf(header: OutsideObject | undefined): string {
  const raw = asText(own(header, 'raw_value'))
  return raw === '' ? asText(own(header, 'value')) : Buffer.from(raw, 'base64').toString('latin1')
}

function bodyOf(body: OutsideObject | undefined) {
  const bytes = asText(own(body, 'as_bytes'))
  return {
    text: bytes === '' ? asText(own(body, 'as_string')) : bytes,
    encoding: bytes === '' ? undefined : 'base64',
    isCut: own(body, 'truncated') === true,
  }
}
