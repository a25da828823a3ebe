import type { OutgoingRequest } from './outgoing.ts'

/** Everything of an absolute URL before its path, as written. */
const BEFORE_PATH = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i
/** What ends the part before a path where no slash does. */
const AUTHORITY_END = /[?#]/
/** Methods that say how long their body is even when they have none (RFC 9110 section 8.6). */
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH'])

/** Path and query exactly as written in a URL: `new URL` would resolve dot segments and encode. */
export function targetOf(url: string): string {
  const from = url.startsWith('http://') ? 7 : url.startsWith('https://') ? 8 : -1
  const slash = from < 0 ? -1 : url.indexOf('/', from)
  const isUsual = slash >= 0 && !AUTHORITY_END.test(url.slice(from, slash))
  const hash = url.indexOf('#', isUsual ? slash : 0)
  const whole = hash < 0 ? url : url.slice(0, hash)
  if (isUsual) return whole.slice(slash)
  const rest = whole.replace(BEFORE_PATH, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The bytes of a request. Nothing is checked or changed; host and length are added where the request has none. */
export function wireRequest({ method, url, headers, body }: OutgoingRequest): Buffer {
  const names = new Set<string>()
  let lines = ''
  for (let i = 0; i + 1 < headers.length; i += 2) {
    names.add(headers[i]!.toLowerCase())
    lines += `${headers[i]}: ${headers[i + 1]}\r\n`
  }
  const authority = BEFORE_PATH.exec(url)?.[1] ?? ''
  if (!names.has('host')) lines = `Host: ${authority.slice(authority.lastIndexOf('@') + 1)}\r\n${lines}`
  const isCounted = names.has('content-length') || names.has('transfer-encoding')
  if (!isCounted && (body !== null || EXPECTS_BODY.has(method)))
    lines += `Content-Length: ${body?.length ?? 0}\r\n`
  const head = Buffer.from(`${method} ${targetOf(url)} HTTP/1.1\r\n${lines}\r\n`, 'latin1')
  return body === null ? head : Buffer.concat([head, body])
}

/** Text as the bytes of its UTF-8 form, one character each: what header lines and targets are made of on the wire. */
export function asWireText(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

export function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}
