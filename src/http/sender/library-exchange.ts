import type { Dispatcher } from 'undici'
import type { HeaderList } from '../exchange.ts'
import type { OutgoingRequest } from './outgoing.ts'
import type { PendingAnswer } from './pending-answer.ts'
import { targetOf } from './wire-request.ts'

const METHOD = /^[A-Z]{1,32}$/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** What a request line may contain unencoded. */
const PLAIN_TARGET = /^\/[\x21-\x7e]*$/
const ODD_VALUE = /[^\t\x20-\x7e\x80-\xff]/
/** Headers that the library refuses, or writes on its own whatever the request says. */
const LIBRARY_OWNS = new Set(['keep-alive', 'transfer-encoding', 'upgrade', 'expect'])

/** What the name of a header says about its line. */
type NameKind = 'plain' | 'odd' | 'host' | 'connection' | 'content-length'
/** Kinds of names that were met: a run sends the same few thousands of times. */
const nameKinds = new Map<string, NameKind>()
const MAX_NAMES = 1_000

function kindOf(name: string): NameKind {
  const known = nameKinds.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  let kind: NameKind = 'plain'
  if (!TOKEN.test(name) || LIBRARY_OWNS.has(lower)) kind = 'odd'
  else if (lower === 'host' || lower === 'connection' || lower === 'content-length') kind = lower
  if (nameKinds.size < MAX_NAMES) nameKinds.set(name, kind)
  return kind
}

/**
 * Whether the HTTP library sends a request as it stands. It does not for odd methods, targets and header lines, and
 * for headers that steer the connection; those go over their own connection.
 */
export function libraryCanSend({ method, url, headers, body }: OutgoingRequest): boolean {
  if (!METHOD.test(method) || method === 'CONNECT') return false
  if (body !== null && body.length > 0 && (method === 'GET' || method === 'HEAD')) return false
  if (!PLAIN_TARGET.test(targetOf(url))) return false
  let hosts = 0
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const kind = kindOf(headers[i]!)
    const value = headers[i + 1]!
    if (kind === 'odd' || ODD_VALUE.test(value)) return false
    if (kind === 'plain') continue
    if (kind === 'host' && ++hosts > 1) return false
    if (kind === 'connection' && !/^(?:keep-alive|close)$/i.test(value)) return false
    if (kind === 'content-length' && value !== String(body?.length ?? 0)) return false
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

/** The library counts the body on its own; a second length would be one too many. */
function withoutLength(headers: HeaderList): readonly string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (kindOf(headers[i]!) !== 'content-length') kept.push(headers[i]!, headers[i + 1]!)
  return kept
}

const NOT_ASCII = /[\x80-\xff]/

/** Header bytes as text: UTF-8 where they are, Latin-1 else (RFC 9110 section 5.5). */
function textOf(parts: readonly Buffer[]): string[] {
  const texts: string[] = []
  for (const part of parts) {
    const bytes = part.toString('latin1')
    const text = NOT_ASCII.test(bytes) ? part.toString('utf8') : bytes
    texts.push(text.includes('\ufffd') ? bytes : text)
  }
  return texts
}
