import type { Dispatcher } from 'undici'
import { type HeaderList, headerValue } from '../exchange.ts'
import type { OutgoingRequest } from './outgoing.ts'
import type { PendingAnswer } from './pending-answer.ts'
import { targetOf } from './wire-request.ts'

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** What stands in a request line as it is. */
const PLAIN_TARGET = /^\/[\x21-\x7e]*$/
const ODD_VALUE = /[^\t\x20-\x7e\x80-\xff]/
/** Headers that the library refuses, or writes by itself whatever the request says. */
const LIBRARY_OWNS = new Set(['keep-alive', 'transfer-encoding', 'upgrade', 'expect'])

/**
 * Whether the HTTP library sends a request as it stands. It does not for odd methods, targets and header lines, and
 * for headers that steer the connection; those go over a connection of their own.
 */
export function libraryCanSend({ method, url, headers, body }: OutgoingRequest): boolean {
  if (!/^[A-Z]{1,32}$/.test(method) || method === 'CONNECT') return false
  if (body !== null && body.length > 0 && (method === 'GET' || method === 'HEAD')) return false
  if (!PLAIN_TARGET.test(targetOf(url))) return false
  let hosts = 0
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase()
    const value = headers[i + 1]!
    if (!TOKEN.test(name) || ODD_VALUE.test(value) || LIBRARY_OWNS.has(name)) return false
    if (name === 'host' && ++hosts > 1) return false
    if (name === 'connection' && !/^(?:keep-alive|close)$/i.test(value)) return false
    if (name === 'content-length' && value !== String(body?.length ?? 0)) return false
  }
  return true
}

/** Sends over a connection that the library keeps for the host. */
export function startLibraryExchange(
  dispatcher: Dispatcher,
  origin: string,
  { method, url, headers, body }: OutgoingRequest,
  answer: PendingAnswer,
): void {
  let controller: Dispatcher.DispatchController | null = null
  answer.onCancel(() => controller?.abort(new Error('nobody waits')))
  dispatcher.dispatch(
    {
      origin,
      path: targetOf(url),
      method: method as Dispatcher.HttpMethod,
      // The library reads the list and keeps none of it.
      headers: withoutLength(headers) as string[],
      body: body === null ? null : Buffer.from(body.buffer, body.byteOffset, body.length),
    },
    {
      onRequestStart(started) {
        controller = started
        if (answer.isSettled) started.abort(new Error('nobody waits'))
      },
      onResponseStart(started, status, _headers, reason) {
        if (status >= 200) answer.head(status, reason ?? '', textOf(started.rawHeaders as Buffer[]))
      },
      onResponseData: (_controller, part) => answer.data(part),
      onResponseEnd: () => answer.end(),
      onResponseError: (_controller, error) => answer.fail(error),
    },
  )
}

/** The library counts the body by itself; a second length would be one too many. */
function withoutLength(headers: HeaderList): readonly string[] {
  if (headerValue(headers, 'content-length') === undefined) return headers
  const kept: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (!/^content-length$/i.test(headers[i]!)) kept.push(headers[i]!, headers[i + 1]!)
  return kept
}

/** Header bytes as text: UTF-8 where they are, Latin-1 else (RFC 9110 section 5.5). */
function textOf(parts: readonly Buffer[]): string[] {
  return parts.map((part) => {
    const text = part.toString('utf8')
    return text.includes('\ufffd') ? part.toString('latin1') : text
  })
}
