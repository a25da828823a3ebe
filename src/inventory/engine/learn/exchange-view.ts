import type { HeaderList, LiveExchange } from '../../../http/index.ts'
import { parseBody, ScannedExchange } from '../../../http/index.ts'
import { PLAIN_JSON_LIMIT } from '../values/index.ts'
import { type ParsedQuery, parsedQueryOf } from './parsed-queries.ts'
import { credentialHeadersOf, forwardingHeadersOf } from './scanned-headers.ts'

/** Where a request went: scheme and authority when known, path as observed, query without the question mark. */
export interface Target {
  /** Lower-case scheme and authority with default ports removed, for example `https://shop.example:8443`; '' unknown. */
  origin: string
  /** Authority part of the origin without a default port; '' when unknown. */
  host: string
  path: string
  query: string
}

/** Header names in the letter case met so far → lower case; bounded, because names come from outside. */
const MAX_INTERNED = 4096
const lowerNames = new Map<string, string>()

function lowerName(name: string): string {
  const known = lowerNames.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  if (lowerNames.size < MAX_INTERNED) lowerNames.set(name, lower)
  return lower
}

/** Header names of the latest messages by position, as observed and in lower case: the next ones repeat them nearly always. */
interface LatestNames {
  readonly observed: string[]
  readonly lower: string[]
}

const MAX_POSITIONS = 64
const latestInRequests: LatestNames = { observed: [], lower: [] }
const latestInResponses: LatestNames = { observed: [], lower: [] }

/** The list with its names in lower case: itself, when they are so already. */
function lowered(headers: HeaderList, latest: LatestNames): HeaderList {
  let list: string[] | null = null
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]!
    const position = i >> 1
    let lower: string
    // Comparing with one text is cheaper than hashing a new one for the map.
    if (latest.observed[position] === name) lower = latest.lower[position]!
    else {
      lower = lowerName(name)
      if (position < MAX_POSITIONS) {
        latest.observed[position] = name
        latest.lower[position] = lower
      }
    }
    if (lower === name && list === null) continue
    list ??= [...headers]
    list[i] = lower
  }
  return list ?? headers
}

function find(headers: readonly string[], name: string): string {
  for (let i = 0; i + 1 < headers.length; i += 2) if (headers[i] === name) return headers[i + 1]!
  return ''
}

/** A parsed body: `undefined` when there is none or it is opaque. */
type BodyTree = unknown

/** One exchange while it is learned: what is derived from it is derived once, and only when asked for. */
export class ExchangeView {
  readonly exchange: LiveExchange
  readonly target: Target
  /** The exchange when it was read in place: parts of it need not be cut out to be looked at. */
  readonly scanned: ScannedExchange | null
  /** Known once the body is learned: none of its keys names a credential. */
  bodyNamesNoCredential = false
  #query: ParsedQuery | null = null
  #requestHeaders: readonly string[] | undefined
  #responseHeaders: readonly string[] | undefined
  #requestBody: { tree: BodyTree } | undefined
  #responseBody: { tree: BodyTree } | undefined

  constructor(exchange: LiveExchange, target: Target) {
    this.exchange = exchange
    this.target = target
    this.scanned = exchange instanceof ScannedExchange ? exchange : null
  }

  /** Flat list, names in lower case. */
  get requestHeaders(): readonly string[] {
    this.#requestHeaders ??= lowered(this.exchange.request.headers, latestInRequests)
    return this.#requestHeaders
  }

  /** Flat list, names in lower case. */
  get responseHeaders(): readonly string[] {
    this.#responseHeaders ??= lowered(this.exchange.response.headers, latestInResponses)
    return this.#responseHeaders
  }

  get credentialHeaders(): readonly string[] | undefined {
    return this.scanned === null ? undefined : credentialHeadersOf(this.scanned.request)
  }

  get forwardingHeaders(): readonly string[] | undefined {
    return this.scanned === null ? undefined : forwardingHeadersOf(this.scanned.request)
  }

  get requestType(): string {
    return this.requestHeader('content-type')
  }

  get responseType(): string {
    return this.responseHeader('content-type')
  }

  requestHeader(name: string): string {
    return this.scanned?.request.header(name) ?? find(this.requestHeaders, name)
  }

  responseHeader(name: string): string {
    return this.scanned?.response.header(name) ?? find(this.responseHeaders, name)
  }

  get query(): Readonly<Record<string, unknown>> {
    return this.parsedQuery.values
  }

  get parsedQuery(): ParsedQuery {
    this.#query ??= parsedQueryOf(this.target.query)
    return this.#query
  }

  get queryNamesNoCredential(): boolean {
    return this.parsedQuery.namesNoCredential
  }

  get requestBody(): BodyTree {
    if (this.scanned !== null && !this.scanned.request.hasBody) return undefined
    this.#requestBody ??= {
      tree: treeOf(this.exchange.request, this.requestType, () => this.requestHeaders),
    }
    return this.#requestBody.tree
  }

  get responseBody(): BodyTree {
    this.#responseBody ??= {
      tree: treeOf(this.exchange.response, this.responseType, () => this.responseHeaders),
    }
    return this.#responseBody.tree
  }
}

function treeOf(
  message: { body: string; bodyIsBase64?: boolean },
  contentType: string,
  headers: () => readonly string[],
): BodyTree {
  const { body } = message
  if (body === '') return undefined
  const first = body.charCodeAt(0)
  if ((first === 123 || first === 91) && !message.bodyIsBase64 && body.length <= PLAIN_JSON_LIMIT) {
    try {
      return JSON.parse(body)
    } catch {
      // no JSON after all: the general reader below decides by content type
    }
  }
  const parsed = parseBody({
    contentType,
    body,
    isBase64: message.bodyIsBase64 === true,
    contentEncoding: find(headers(), 'content-encoding'),
  })
  return parsed.kind === 'tree' ? parsed.value : undefined
}
