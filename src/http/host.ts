import { domainToASCII } from 'node:url'
import type { RequestMessage } from './exchange.ts'
import { requestAuthority } from './raw-http-write.ts'
import { cleanShortText } from './target.ts'

const MAX_HOST = 255
/** Characters of a host that are reported. */
const MAX_TOLD = 100
/** What a registered name or address may hold (RFC 3986 3.2.2), with an optional port. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/
const BEYOND_ASCII = /\P{ASCII}/u
/** A sign that no host holds, encoded or not. */
const STRANGE = /[^\w.:[\]\P{ASCII}-]/u

/**
 * Lower case, no user information, no trailing dot, no default port, names beyond ASCII in their encoded form (RFC 5891);
 * '' when it is not a host at all.
 */
export function cleanHost(authority: string, scheme: string): string {
  let host = withoutUser(authority).toLowerCase()
  const defaultPort = scheme === 'http' || scheme === 'ws' ? ':80' : ':443'
  if (host.endsWith(defaultPort)) host = host.slice(0, -defaultPort.length)
  else if (host.endsWith(':80') || host.endsWith(':443')) host = host.slice(0, host.lastIndexOf(':'))
  if (host.endsWith('.')) host = host.slice(0, -1)
  if (BEYOND_ASCII.test(host)) host = encodedHost(host)
  return host.length <= MAX_HOST && HOST.test(host) ? host : ''
}

/** Why an authority names no host, as a sentence without its user information; undefined when it names one. */
export function hostProblem(authority: string): string | undefined {
  if (cleanHost(authority, 'https') !== '') return undefined
  const host = withoutUser(authority)
  if (host === '') return 'the host is empty'
  const told = cleanShortText(host.length > MAX_TOLD ? `${host.slice(0, MAX_TOLD)}…` : host)
  return `"${told}" is not a host: ${reasonOf(host)}`
}

/** {@link hostProblem} of the host that a request was sent to; undefined as well when it names none. */
export function requestHostProblem(request: RequestMessage): string | undefined {
  const authority = requestAuthority(request)
  return authority === '' ? undefined : hostProblem(authority)
}

function reasonOf(host: string): string {
  if (host.length > MAX_HOST) return `it is longer than ${MAX_HOST} characters`
  const strange = STRANGE.exec(host)?.[0]
  if (strange !== undefined) return `it holds ${/\s/.test(strange) ? 'a blank' : cleanShortText(strange)}`
  const port = /:([^:\]]*)$/.exec(host)?.[1]
  if (port !== undefined && !/^\d{1,5}$/.test(port)) return 'its port is not a number'
  if (BEYOND_ASCII.test(host)) return 'there is no encoded form of it (RFC 5891)'
  return 'it is neither a name nor an address'
}

function withoutUser(authority: string): string {
  const at = authority.lastIndexOf('@')
  return (at < 0 ? authority : authority.slice(at + 1)).trim()
}

/** A name with letters beyond ASCII, and its port, as it is asked for on the wire; '' when there is no such name. */
function encodedHost(host: string): string {
  if (host.length > MAX_HOST) return ''
  const port = /:\d{1,5}$/.exec(host)?.[0] ?? ''
  const name = domainToASCII(host.slice(0, host.length - port.length))
  return name === '' ? '' : name + port
}
