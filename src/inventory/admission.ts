import type { DataSource, LiveExchange } from '../http/index.ts'
import { mediaTypeOf, requestHeaderOf, responseHeaderOf } from '../http/index.ts'
import { isStaticResource } from './static-resource.ts'

/** Names of the admission rules, in the order they are asked. The caller counts refusals by these. */
type AdmissionRule = 'own-traffic' | 'preflight' | 'no-answer' | 'interim' | 'probe' | 'static' | 'html-page'

type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly rule: AdmissionRule; readonly reason: string }

/** What the caller knows that the exchange does not say. */
export interface AdmissionContext {
  /** An endpoint is known at this method and path. */
  readonly isKnownPath?: boolean
}

interface Rule {
  readonly name: AdmissionRule
  /** The reason for refusing, or undefined when the rule has nothing against the exchange. */
  readonly refuses: (exchange: LiveExchange, context: AdmissionContext) => string | undefined
}

const ADMITTED: Admission = Object.freeze({ admitted: true })
/** Sources that describe requests without having seen an answer. */
const SOURCES_WITHOUT_ANSWERS: ReadonlySet<DataSource> = new Set([
  'POSTMAN',
  'OPEN_API',
  'BURP',
  'OTHER',
  'CRAWLER',
])
/** Answers by which a server says that there is no such thing here. */
const NOTHING_HERE = new Set([400, 404, 405])
/** Marks requests of our own tests. */
export const OWN_TRAFFIC_HEADER = 'x-vigil-test'

/** The rules, first to last. Each is one reason for an exchange to stay out of the inventory. */
const RULES: readonly Rule[] = [
  {
    name: 'own-traffic',
    refuses: (exchange) =>
      requestHeaderOf(exchange, OWN_TRAFFIC_HEADER) === undefined
        ? undefined
        : 'the request belongs to one of our own tests',
  },
  {
    name: 'preflight',
    refuses: ({ request }) =>
      request.method === 'OPTIONS'
        ? 'OPTIONS requests describe other requests and make no endpoint'
        : undefined,
  },
  {
    name: 'no-answer',
    refuses: ({ response, source }) =>
      response.status <= 0 && !SOURCES_WITHOUT_ANSWERS.has(source) ? 'the request got no answer' : undefined,
  },
  {
    name: 'interim',
    refuses: ({ response }) =>
      response.status >= 100 && response.status < 200 && response.status !== 101
        ? `status ${response.status} is not the final answer`
        : undefined,
  },
  {
    name: 'probe',
    refuses: ({ response }, context) =>
      NOTHING_HERE.has(response.status) && !context.isKnownPath
        ? `status ${response.status} at a path where no endpoint is known`
        : undefined,
  },
  {
    name: 'static',
    refuses: (exchange, context) =>
      !context.isKnownPath && isStaticResource(exchange)
        ? 'path and media type are those of a static file'
        : undefined,
  },
  {
    name: 'html-page',
    refuses: (exchange, context) =>
      !context.isKnownPath && isPage(exchange) ? 'a page of the web site, fetched by GET' : undefined,
  },
]

/**
 * Decides whether an exchange belongs into the inventory. Everything that an API answered is admitted whatever the status
 * (304, 401, 403, 409, 422, 429, 5xx, redirects), and so are transports such as Socket.IO polling: they carry
 * messages of the application. Refused are pages, files, interim answers, preflights, and probes for things that are not
 * there.
 */
export function admit(exchange: LiveExchange, context: AdmissionContext = {}): Admission {
  for (const rule of RULES) {
    const reason = rule.refuses(exchange, context)
    if (reason !== undefined) return { admitted: false, rule: rule.name, reason }
  }
  return ADMITTED
}

const PAGE_START = /^\s*(?:<!--|<!doctype html|<html)/i

/**
 * True for a page: GET with an HTML answer. Redirects are not pages, though their courtesy text is HTML: where they lead
 * is behaviour of the application. Errors with an HTML text count as pages only when a browser navigated there, and so
 * do answers without body and media type (304).
 */
function isPage(exchange: LiveExchange): boolean {
  const { request, response } = exchange
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const { status } = response
  if (status >= 300 && status < 400 && status !== 304) return false
  const mediaType = mediaTypeOf(responseHeaderOf(exchange, 'content-type') ?? '')
  if (mediaType === '') {
    if (PAGE_START.test(response.body.slice(0, 256))) return true
    return status === 304 && isNavigation(exchange)
  }
  if (!mediaType.includes('html')) return false
  return status < 400 || isNavigation(exchange)
}

/** A browser opening a page says so (Fetch Metadata), or asks for HTML before anything else. */
function isNavigation(exchange: LiveExchange): boolean {
  const destination = requestHeaderOf(exchange, 'sec-fetch-dest')
  if (destination !== undefined) return destination === 'document' || destination === 'iframe'
  return (requestHeaderOf(exchange, 'accept') ?? '').startsWith('text/html')
}
