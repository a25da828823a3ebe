import { headerValue } from '../../http/index.ts'
import type { TargetScope } from '../../http/sender/index.ts'
import type { CapturedExchange } from './capture.ts'
import { sendableHeaders } from './connection-headers.ts'
import type { GuardDecision, GuardedRequest, RequestGuard, ResourceKind } from './request-guard.ts'
import { isOverload, TargetPace } from './target-pace.ts'

/** {@link DriverPage.cause} of pages that are signing in: their requests are not held back, whatever they are called. */
export const LOGIN_CAUSE = 'login'

/** What the guard asks the scope of a crawl. */
interface GuardScope {
  /** Whether the URL belongs to the crawl, and why not. */
  judge(url: URL): { readonly accepted: boolean; readonly reason: string }
  /** Whether host and port belong to the crawl, whatever the path. */
  hasHost(url: URL): boolean
}

/** Judges requests by what they would change. */
interface ChangeJudge {
  /** Why a request is held back; null when it may go. */
  holds(request: GuardedRequest): string | null
  /** Hears how requests ended. */
  heard(exchange: CapturedExchange): void
}

/** The account that the crawl has signed in by. */
interface GuardedAccount {
  /** Reads an answer for its ids. */
  note(url: URL, body: string): void
  isDeletedBy(request: GuardedRequest): boolean
}

/** What a guard of a crawl goes by. */
interface CrawlGuardOptions {
  readonly scope: GuardScope
  /** Where the product may send anything at all (http/sender). */
  readonly targets: TargetScope
  /** Holds back what may change something; null sends everything. */
  readonly changes: ChangeJudge | null
  /** Never deleted, whatever may be changed; null or absent where nobody has signed in. */
  readonly account?: GuardedAccount | null
  /** Added to requests in scope, and to no other, as far as a browser sends them: API key, custom headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Requests a minute and host; 0 sets no limit. */
  readonly requestsPerMinute: number
  /** Requests in any one second and host; 0 or absent sets no limit. */
  readonly requestsPerSecond?: number
}

/** Kinds that make up a page, whose paths say nothing of what they do. */
const MATERIAL: ReadonlySet<ResourceKind> = new Set([
  'Stylesheet',
  'Image',
  'Media',
  'Font',
  'Script',
  'TextTrack',
  'Manifest',
])
/** Files that are nothing but pictures. With a query, or without an ending, they may be made by a call. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i
/** Methods whose requests change nothing (RFC 9110 section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The guard of a crawl. What the product may not send never leaves; what the crawl leaves out is not asked for, by links,
 * scripts or redirects; other hosts are only read from; pictures, which cost much and tell nothing, are loaded by logins
 * alone; and, where a crawl is to change nothing, what may do so is recorded instead of sent.
 */
export class CrawlGuard implements RequestGuard {
  readonly #options: CrawlGuardOptions
  readonly #pace: TargetPace
  #headers: Readonly<Record<string, string>>

  constructor(options: CrawlGuardOptions) {
    this.#options = options
    this.#pace = new TargetPace(options.requestsPerMinute, options.requestsPerSecond)
    this.#headers = sendableHeaders(options.headers ?? {})
  }

  /** Headers that requests in scope carry from now on beside those of the options. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#headers = sendableHeaders({ ...this.#options.headers, ...headers })
  }

  /** This many processes ask the target together; the limit holds for all of them. */
  shareAmong(processes: number): void {
    this.#pace.shareAmong(processes)
  }

  get judgesMessages(): boolean {
    return this.#options.changes !== null
  }

  /** Why requests wait now, as a sentence; null when none does for long. */
  get delay(): string | null {
    return this.#pace.delay
  }

  /** Milliseconds that a request would be held back now; 0 where it could go at once. */
  waitMs({ host, pathname }: URL): number {
    return this.#pace.waitMs(host, pathname)
  }

  decide(request: GuardedRequest): GuardDecision {
    const { url, method, cause } = request
    const { targets, scope } = this.#options
    const refused = targets.check(url)
    if (refused !== null) return { kind: 'block', reason: refused }
    const verdict = scope.judge(url)
    const isLogin = cause === LOGIN_CAUSE
    if (!scope.hasHost(url)) {
      if (!isLogin && isPicture(request)) return { kind: 'replace', reason: 'pictures are not loaded' }
      const mayGo = isLogin || (SAFE_METHODS.has(method) && !request.isNavigation)
      return mayGo ? { kind: 'allow' } : { kind: 'block', reason: verdict.reason || 'other host' }
    }
    if (!verdict.accepted && !isLogin) return { kind: 'block', reason: verdict.reason }
    const change = isLogin ? null : (this.#options.changes?.holds(request) ?? null)
    if (change !== null) return { kind: 'hold', reason: change }
    if (this.#options.account?.isDeletedBy(request) === true)
      return { kind: 'hold', reason: 'it deletes the account of the crawl' }
    if (!isLogin && isPicture(request)) return { kind: 'replace', reason: 'pictures are not loaded' }
    return Object.keys(this.#headers).length === 0
      ? { kind: 'allow' }
      : { kind: 'allow', headers: this.#headers }
  }

  async pass({ url, kind }: GuardedRequest, signal: AbortSignal): Promise<void> {
    if (!MATERIAL.has(kind)) await this.#pace.pass(url.host, signal, url.pathname)
  }

  answered({ host, pathname }: URL, status: number, retryAfter: string | undefined): void {
    if (isOverload(status)) this.#pace.heard(host, status, retryAfter, pathname)
  }

  heard(captured: CapturedExchange): void {
    const { url, responseMissing, exchange } = captured
    if (captured.cause !== LOGIN_CAUSE) this.#options.changes?.heard(captured)
    if (responseMissing) return
    const { status, headers, body, bodyIsBase64 } = exchange.response
    if (status === 200 && bodyIsBase64 !== true) this.#options.account?.note(new URL(url), body)
    const { host, pathname } = new URL(url)
    this.#pace.heard(host, status, headerValue(headers, 'retry-after'), pathname)
  }
}

function isPicture({ kind, method, url }: GuardedRequest): boolean {
  return kind === 'Image' && method === 'GET' && url.search === '' && PICTURE.test(url.pathname)
}
