import { headerValue, type ResponseMessage } from '../exchange.ts'
import type { OutgoingRequest } from './outgoing.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const CREDENTIALS = /^(?:authorization|cookie|proxy-authorization)$/
const BODY_HEADERS = /^(?:content-|transfer-encoding$|expect$)/

/** The request that a redirect asks for (RFC 9110 section 15.4); null when the answer is none. */
export function redirectedRequest(
  request: OutgoingRequest,
  response: ResponseMessage,
): OutgoingRequest | null {
  if (!REDIRECTS.has(response.status)) return null
  const location = headerValue(response.headers, 'location')
  if (location === undefined || !URL.canParse(location, request.url)) return null
  const from = new URL(request.url)
  const to = new URL(location, request.url)
  const method = methodAfter(response.status, request.method)
  const keepsBody = method === request.method
  const keepsCredentials = isSamePlace(from, to)
  const headers: string[] = []
  for (let i = 0; i + 1 < request.headers.length; i += 2) {
    const name = request.headers[i]!.toLowerCase()
    if (name === 'host' || (!keepsCredentials && CREDENTIALS.test(name))) continue
    if (!keepsBody && BODY_HEADERS.test(name)) continue
    headers.push(request.headers[i]!, request.headers[i + 1]!)
  }
  return { method, url: to.href, headers, body: keepsBody ? request.body : null }
}

function methodAfter(status: number, method: string): string {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET'
  return (status === 301 || status === 302) && method === 'POST' ? 'GET' : method
}

/** Credentials stay with the origin they were meant for; the step from HTTP to HTTPS of one host is allowed. */
function isSamePlace(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true
  return from.hostname === to.hostname && from.protocol === 'http:' && to.protocol === 'https:'
}
