import { bodyBytes } from './body-text.ts'
import type { HeaderList, RequestMessage, ResponseMessage } from './exchange.ts'
import { headerValue } from './exchange.ts'
import { cleanHeaderPart } from './header-text.ts'

const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//
const NUMERIC_HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** True for a target in absolute form (RFC 9112 section 3.2.2). */
export function isAbsoluteTarget(target: string): boolean {
  return ABSOLUTE.test(target)
}

/** Host with port of a request: of its absolute target, else the Host or `:authority` header; '' when unknown. */
export function requestAuthority(request: RequestMessage): string {
  if (isAbsoluteTarget(request.target)) {
    const rest = request.target.slice(request.target.indexOf('://') + 3)
    const end = rest.search(/[/?#]/)
    const authority = end < 0 ? rest : rest.slice(0, end)
    return authority.slice(authority.lastIndexOf('@') + 1)
  }
  return (headerValue(request.headers, 'host') ?? headerValue(request.headers, ':authority') ?? '').trim()
}

/** Path with query of a target; '/' when the path is empty. A fragment, which is never sent, is dropped. */
export function originForm(target: string): string {
  let path = target
  if (isAbsoluteTarget(target)) {
    const rest = target.slice(target.indexOf('://') + 3)
    const start = rest.search(/[/?#]/)
    path = start < 0 ? '' : rest.slice(start)
  }
  const fragment = path.indexOf('#')
  if (fragment >= 0) path = path.slice(0, fragment)
  if (path === '' || path.startsWith('?')) path = `/${path}`
  return path
}

/**
 * Absolute URL of a request. The scheme comes from X-Forwarded-Proto or `:scheme`, else it is http for a numeric
 * host and https for a name. A request without any host gives only its path.
 */
export function absoluteUrl(request: RequestMessage): string {
  if (isAbsoluteTarget(request.target)) return request.target
  const authority = requestAuthority(request)
  const path = originForm(request.target)
  if (authority === '') return path
  const told =
    headerValue(request.headers, 'x-forwarded-proto') ?? headerValue(request.headers, ':scheme') ?? ''
  const scheme = /^[ \t]*(https?)[ \t]*(?:,|$)/i.exec(told)?.[1]?.toLowerCase()
  return `${scheme ?? (NUMERIC_HOST.test(authority) ? 'http' : 'https')}://${authority}${path.startsWith('/') ? '' : '/'}${path}`
}

interface RawRequestStyle {
  /** The target in the request line: the absolute URL, or path and query. */
  readonly target: 'absolute' | 'origin'
  /** Whether a recorded Content-Length is written. */
  readonly contentLength: boolean
}

/**
 * Request text for proxy tools (interface notes A 4.1 and 4.5): lines end with LF, header names start upper-case,
 * values of a repeated header are joined, pseudo-headers dropped, a missing Host added. A binary body becomes one
 * character per byte (Latin-1).
 */
export function writeRawRequest(request: RequestMessage, style: RawRequestStyle): string {
  const target = style.target === 'absolute' ? absoluteUrl(request) : originForm(request.target)
  const lines = [`${request.method} ${oneWord(target)} ${request.version || 'HTTP/1.1'}`]
  const authority = requestAuthority(request)
  if (headerValue(request.headers, 'host') === undefined && authority !== '') {
    lines.push(`Host: ${cleanHeaderPart(authority)}`)
  }
  lines.push(...fieldLines(request.headers, style.contentLength))
  return `${lines.join('\n')}\n\n${writtenBody(request)}`
}

/** Response text in the same style; the reason phrase stays empty as the interface prescribes. */
export function writeRawResponse(response: ResponseMessage, version: string): string {
  const lines = [`${version || 'HTTP/1.1'} ${response.status} `, ...fieldLines(response.headers, true)]
  return `${lines.join('\n')}\n\n${writtenBody(response)}`
}

function oneWord(target: string): string {
  return target.replace(/\s/g, (blank) => encodeURIComponent(blank))
}

function fieldLines(headers: HeaderList, contentLength: boolean): string[] {
  const fields = new Map<string, { name: string; values: string[] }>()
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = cleanHeaderPart(headers[i]!).trim()
    const key = name.toLowerCase()
    if (name === '' || name.startsWith(':') || (key === 'content-length' && !contentLength)) continue
    const value = cleanHeaderPart(headers[i + 1]!)
    const known = fields.get(key)
    if (known === undefined) fields.set(key, { name, values: [value] })
    else known.values.push(value)
  }
  const lines: string[] = []
  for (const [key, { name, values }] of fields) {
    const written = name.charAt(0).toUpperCase() + name.slice(1)
    // Set-Cookie must not be joined (RFC 9110 section 5.3); cookie pairs have their own separator (RFC 6265).
    if (key === 'set-cookie') for (const value of values) lines.push(`${written}: ${value}`)
    else lines.push(`${written}: ${values.join(key === 'cookie' ? '; ' : ', ')}`)
  }
  return lines
}

function writtenBody(message: RequestMessage | ResponseMessage): string {
  return message.bodyIsBase64 ? bodyBytes(message).toString('latin1') : message.body
}
