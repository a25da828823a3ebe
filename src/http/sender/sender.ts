import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { Failure, nowMs } from '../../kit/index.ts'
import { type HeaderList, headerValue, type ResponseMessage } from '../exchange.ts'
import { HostBudget } from './host-budget.ts'
import type { AuditEntry, OutgoingRequest, SendOptions, SentResponse } from './outgoing.ts'
import { RateLimit } from './rate-limit.ts'
import { rawExchange } from './raw-exchange.ts'
import { readBody, responseOf } from './read-response.ts'
import type { TargetScope } from './target-scope.ts'

const CONNECT_MS = 10_000
const FIRST_BYTE_MS = 30_000
/** From the first byte sent to the last one read. */
const TOTAL_MS = 60_000
const MAX_RESPONSE_BYTES = 5 * 1024 * 1024
const MAX_HEADER_BYTES = 256 * 1024
const MAX_REDIRECTS = 10
const ADDRESS_LIFE_MS = 30_000
/** Headers that the HTTP library makes by itself or refuses. */
const LIBRARY_OWNS = /^(?:connection|keep-alive|transfer-encoding|upgrade|expect|content-length|te|trailer)$/i

/** How a sender works for its run. */
export interface SenderOptions {
  readonly scope: TargetScope
  /** Requests a minute and host; 0 sets no limit. */
  readonly requestsPerMinute: number
  readonly verifiesTls: boolean
  /** Hears of every request, answered or not. */
  readonly audit: (entry: AuditEntry) => void
  readonly connectionsPerHost?: number
}

/**
 * The only way out to targets: scope, address, rate and budget of a host are asked before every request, redirects
 * included, and every request is told to the audit.
 */
export class Sender {
  readonly #options: SenderOptions
  readonly #rate: RateLimit
  readonly #budget = new HostBudget()
  readonly #addresses = new Map<string, { address: Promise<string>; until: number }>()
  readonly #agent: Agent

  constructor(options: SenderOptions) {
    this.#options = options
    this.#rate = new RateLimit(options.requestsPerMinute)
    this.#agent = new Agent({
      connections: options.connectionsPerHost ?? 64,
      pipelining: 1,
      headersTimeout: FIRST_BYTE_MS,
      bodyTimeout: FIRST_BYTE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      allowH2: false,
      connect: {
        timeout: CONNECT_MS,
        rejectUnauthorized: options.verifiesTls,
        // The checked address is the one that is connected to.
        lookup: (hostname, lookupOptions, callback) => {
          this.#addressOf(hostname).then(
            (address) => {
              const family = isIP(address)
              if ((lookupOptions as { all?: boolean }).all)
                callback(null, [{ address, family }] as never, family)
              else callback(null, address, family)
            },
            (error: NodeJS.ErrnoException) => callback(error, '', 4),
          )
        },
      },
    })
  }

  /**
   * Sends a request and reads its answer.
   *
   * @throws Failure TARGET_OUT_OF_SCOPE, TARGET_UNREACHABLE, TARGET_TIMEOUT, TARGET_BROKE_PROTOCOL, HOST_BUDGET_SPENT,
   * TOO_MANY_REDIRECTS; SEND_STOPPED when the signal was aborted
   */
  async send(request: OutgoingRequest, options: SendOptions): Promise<SentResponse> {
    const started = performance.now()
    const redirects: string[] = []
    let current = request
    for (;;) {
      const one = await this.#sendOne(current, options)
      const next = options.followRedirects ? redirected(current, one.response) : null
      if (next === null) {
        return { ...one, url: current.url, redirects, totalMs: Math.round(performance.now() - started) }
      }
      if (redirects.length >= MAX_REDIRECTS)
        throw new Failure('TOO_MANY_REDIRECTS', { host: hostOf(request.url) })
      redirects.push(next.url)
      current = next
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  async #sendOne(
    request: OutgoingRequest,
    options: SendOptions,
  ): Promise<{ response: ResponseMessage; isTruncated: boolean; remoteAddress: string }> {
    const url = this.#checked(request.url)
    if (this.#budget.isSpent(url.host, nowMs())) throw new Failure('HOST_BUDGET_SPENT', { host: url.host })
    const started = nowMs()
    let status: number | null = null
    let failure: string | null = null
    const deadline = AbortSignal.timeout(TOTAL_MS)
    try {
      await this.#rate.pass(url.host, options.signal)
      const address = await this.#addressOf(url.hostname)
      const verdict = this.#options.scope.checkAddress(address, portOf(url))
      if (verdict !== null) throw new Failure('TARGET_OUT_OF_SCOPE', { host: url.host, reason: verdict })
      const signal = AbortSignal.any([options.signal, deadline])
      const answer = needsRaw(request)
        ? await rawExchange(
            request,
            {
              address,
              port: portOf(url),
              isTls: url.protocol === 'https:',
              serverName: url.hostname,
              verifiesTls: this.#options.verifiesTls,
            },
            { signal, maxResponseBytes: MAX_RESPONSE_BYTES },
          )
        : await this.#throughLibrary(request, url, signal)
      status = answer.response.status
      this.#budget.succeeded(url.host)
      return { ...answer, remoteAddress: address }
    } catch (error) {
      const told = this.#failureOf(error, url.host, options.signal, deadline)
      failure = told.code
      throw told
    } finally {
      this.#options.audit({
        ...options.purpose,
        atSeconds: Math.floor(started / 1000),
        method: request.method,
        host: url.host,
        url: `${url.origin}${url.pathname}`.slice(0, 2000),
        status,
        failure,
        durationMs: nowMs() - started,
      })
    }
  }

  async #throughLibrary(
    request: OutgoingRequest,
    url: URL,
    signal: AbortSignal,
  ): Promise<{ response: ResponseMessage; isTruncated: boolean }> {
    const answer = await this.#agent.request({
      origin: url.origin,
      method: request.method as Dispatcher.HttpMethod,
      path: targetOf(request.url),
      headers: libraryHeaders(request.headers),
      body: request.body,
      signal,
    })
    const headers = flatHeaders(answer.headers)
    const read = await readBody(answer.body, headers, MAX_RESPONSE_BYTES)
    return { response: responseOf(answer.statusCode, headers, read), isTruncated: read.isTruncated }
  }

  #checked(text: string): URL {
    if (!URL.canParse(text))
      throw new Failure('TARGET_OUT_OF_SCOPE', { host: '', reason: 'the URL is malformed' })
    const url = new URL(text)
    const verdict = this.#options.scope.check(url)
    if (verdict !== null) throw new Failure('TARGET_OUT_OF_SCOPE', { host: url.host, reason: verdict })
    return url
  }

  #addressOf(hostname: string): Promise<string> {
    const plain = hostname.replace(/^\[|\]$/g, '')
    if (isIP(plain) !== 0) return Promise.resolve(plain)
    const known = this.#addresses.get(plain)
    if (known !== undefined && known.until > nowMs()) return known.address
    const address = lookup(plain).then((found) => found.address)
    this.#addresses.set(plain, { address, until: nowMs() + ADDRESS_LIFE_MS })
    address.catch(() => this.#addresses.delete(plain))
    return address
  }

  #failureOf(error: unknown, host: string, signal: AbortSignal, deadline: AbortSignal): Failure {
    if (signal.aborted) return new Failure('SEND_STOPPED', { host })
    if (error instanceof Failure) return error
    const { code } = error as { code?: string }
    this.#budget.failed(host, nowMs())
    if (deadline.aborted || /TIMEOUT|ETIMEDOUT/.test(code ?? ''))
      return new Failure('TARGET_TIMEOUT', { host, seconds: TOTAL_MS / 1000 }, { cause: error })
    if (
      /^HPE_|UND_ERR_(?:HEADERS_OVERFLOW|RES_|INVALID)/.test(code ?? '') ||
      /Parse Error/i.test(String(error))
    )
      return new Failure('TARGET_BROKE_PROTOCOL', { host, reason: code ?? 'no HTTP' }, { cause: error })
    return new Failure(
      'TARGET_UNREACHABLE',
      { host, reason: code ?? (error as Error).message },
      { cause: error },
    )
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** Path and query as they stand in the URL: `new URL` would resolve dot segments. */
function targetOf(url: string): string {
  const rest = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** What the library would refuse or change: odd methods and targets, headers that it owns. */
function needsRaw(request: OutgoingRequest): boolean {
  if (!/^[A-Z]{1,20}$/.test(request.method) || request.method === 'CONNECT') return true
  if (!/^[\x21-\x7e]+$/.test(targetOf(request.url))) return true
  if (request.body !== null && (request.method === 'GET' || request.method === 'HEAD')) return true
  for (let i = 0; i + 1 < request.headers.length; i += 2) {
    if (
      LIBRARY_OWNS.test(request.headers[i]!) &&
      !/^(?:connection|content-length)$/i.test(request.headers[i]!)
    )
      return true
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(request.headers[i]!)) return true
    if (/[^\t\x20-\x7e\x80-\xff]/.test(request.headers[i + 1]!)) return true
  }
  return false
}

function libraryHeaders(headers: HeaderList): string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (!LIBRARY_OWNS.test(headers[i]!)) kept.push(headers[i]!, headers[i + 1]!)
  return kept
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): string[] {
  const flat: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) flat.push(name, one)
  }
  return flat
}

/** The request that a redirect asks for (RFC 9110 section 15.4); null when the answer is none. */
function redirected(request: OutgoingRequest, response: ResponseMessage): OutgoingRequest | null {
  if (![301, 302, 303, 307, 308].includes(response.status)) return null
  const location = headerValue(response.headers, 'location')
  if (location === undefined || !URL.canParse(location, request.url)) return null
  const next = new URL(location, request.url)
  const isSameHost = next.host === new URL(request.url).host
  const keepsMethod = response.status >= 307 || request.method === 'GET' || request.method === 'HEAD'
  const headers: string[] = []
  for (let i = 0; i + 1 < request.headers.length; i += 2) {
    const name = request.headers[i]!.toLowerCase()
    // Credentials stay with the host they were meant for.
    if (name === 'host' || (!isSameHost && /^(?:authorization|cookie|proxy-authorization)$/.test(name)))
      continue
    if (!keepsMethod && /^content-/.test(name)) continue
    headers.push(request.headers[i]!, request.headers[i + 1]!)
  }
  return {
    method: keepsMethod ? request.method : 'GET',
    url: next.href,
    headers,
    body: keepsMethod ? request.body : null,
  }
}
