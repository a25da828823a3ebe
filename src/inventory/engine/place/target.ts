import {
  cleanHost,
  headerValue,
  type LiveExchange,
  ScannedExchange,
  type ScannedRequest,
} from '../../../http/index.ts'
import type { Target } from '../learn/index.ts'

const ABSOLUTE = /^([a-z][a-z0-9+.-]{0,15}):\/\/([^/?#]*)/i
const NUMERIC_HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d+)?$/

/** Reads the target of an exchange. The authority of an absolute target wins over the Host header (RFC 9112 3.2.2). */
export function targetOf(exchange: LiveExchange): Target {
  if (exchange instanceof ScannedExchange) return targetOfScanned(exchange.request)
  const { target } = exchange.request
  const absolute = target.charCodeAt(0) === 47 ? null : ABSOLUTE.exec(target)
  const rest = absolute ? target.slice(absolute[0].length) : target
  const hash = rest.indexOf('#')
  const whole = hash < 0 ? rest : rest.slice(0, hash)
  const question = whole.indexOf('?')
  const path = (question < 0 ? whole : whole.slice(0, question)) || '/'
  const query = question < 0 ? '' : whole.slice(question + 1)
  if (absolute) {
    const scheme = absolute[1]!.toLowerCase()
    const host = cleanHost(absolute[2]!, scheme)
    return { origin: host === '' ? '' : `${webScheme(scheme)}://${host}`, host, path, query }
  }
  const headers = exchange.request.headers
  const named =
    headerValue(headers, 'host') ?? headerValue(headers, ':authority') ?? headerValue(headers, 'authority')
  if (named === undefined) return { origin: '', host: '', path, query }
  const { origin, host } = originNamed(named, headerValue(headers, 'x-forwarded-proto'))
  return { origin, host, path, query }
}

/** Names of headers that tell the host, the first that is there counts. */
const HOST_HEADERS = ['host', ':authority', 'authority']

interface Origin {
  readonly origin: string
  readonly host: string
}

const NO_ORIGIN: Origin = { origin: '', host: '' }
/** Origins by what named them, for requests of which no proxy tells the scheme. */
const origins = new Map<string, Origin>()

/** {@link targetOf} for a request that was read in place: its target is a path. */
function targetOfScanned(request: ScannedRequest): Target {
  const { origin, host } = originOfScanned(request)
  return { origin, host, path: request.path, query: request.query ?? '' }
}

function originOfScanned(request: ScannedRequest): Origin {
  const { layout } = request
  const header = HOST_HEADERS.find((name) => layout.indexOf(name) >= 0)
  if (header === undefined) return NO_ORIGIN
  const named = request.header(header)
  if (layout.indexOf('x-forwarded-proto') >= 0) return originNamed(named, request.header('x-forwarded-proto'))
  const known = origins.get(named)
  if (known !== undefined) return known
  const found = originNamed(named, undefined)
  if (named.length > MAX_NAMED) return found
  if (origins.size >= MAX_CLEANED) origins.clear()
  origins.set(named, found)
  return found
}

function originNamed(named: string, forwardedProto: string | undefined): Origin {
  const scheme = schemeOf(forwardedProto, named)
  const host = cleanedHost(named, scheme)
  return host === '' ? NO_ORIGIN : { origin: `${scheme}://${host}`, host }
}

/** Host headers met lately, cleaned; a server sees the same few over and over. */
const cleaned = new Map<string, string>()
const MAX_CLEANED = 2000
/** Longer ones, which name no host (RFC 1035 section 2.3.4), are cleaned each time instead of being kept. */
const MAX_NAMED = 300

function cleanedHost(named: string, scheme: string): string {
  if (named.length > MAX_NAMED) return cleanHost(named, scheme)
  const key = scheme + named
  let host = cleaned.get(key)
  if (host === undefined) {
    host = cleanHost(named, scheme)
    if (cleaned.size >= MAX_CLEANED) cleaned.clear()
    cleaned.set(key, host)
  }
  return host
}

function webScheme(scheme: string): string {
  return scheme === 'wss' ? 'https' : scheme === 'ws' ? 'http' : scheme
}

function schemeOf(forwardedProto: string | undefined, host: string): string {
  const forwarded = forwardedProto?.toLowerCase()
  if (forwarded === 'http' || forwarded === 'https') return forwarded
  return NUMERIC_HOST.test(host) || host.startsWith('localhost') ? 'http' : 'https'
}
