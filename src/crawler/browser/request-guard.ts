import type { HeaderList } from '../../http/index.ts'
import type { CapturedExchange } from './capture.ts'

/** What asks, as the browser names it (CDP `Network.ResourceType`). */
export type ResourceKind =
  | 'Document'
  | 'Stylesheet'
  | 'Image'
  | 'Media'
  | 'Font'
  | 'Script'
  | 'TextTrack'
  | 'XHR'
  | 'Fetch'
  | 'Prefetch'
  | 'EventSource'
  | 'WebSocket'
  | 'Manifest'
  | 'Ping'
  | 'Preflight'
  | 'Other'

/** A request that is about to leave the browser. */
export interface GuardedRequest {
  /** Absolute, without fragment. */
  readonly url: URL
  /** Upper case. */
  readonly method: string
  readonly kind: ResourceKind
  readonly headers: HeaderList
  /** First 64 KiB of the body as text; null without. */
  readonly body: string | null
  /** It loads a document into the main frame. */
  readonly isNavigation: boolean
  /** URL of the page's main frame; '' before its first document. */
  readonly pageUrl: string
  /** {@link DriverPage.cause} of the page. */
  readonly cause: string | null
  readonly redirectedFrom: string | null
}

/**
 * What becomes of a request. `hold`: the exchange is recorded with its body, and the page sees a failed call; `block`:
 * the page sees a failed call and the inventory hears nothing; `replace`: the same, but the page gets an empty picture in
 * place of the one it asked for. Headers are added to what the browser sends, and replace
 * its own of the same name.
 */
export type GuardDecision =
  | { readonly kind: 'allow'; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'hold'; readonly reason: string }
  | { readonly kind: 'block'; readonly reason: string }
  | { readonly kind: 'replace'; readonly reason: string }

/** Decides at the request stage, redirects and workers included. */
export interface RequestGuard {
  decide(request: GuardedRequest): GuardDecision
  /** Whether it wants to be asked about messages that pages send over web sockets. */
  readonly judgesMessages?: boolean
  /** Waits until the request may go (limit of rate); resolves at once where there is none. */
  pass?(request: GuardedRequest, signal: AbortSignal): Promise<void>
  /** Hears of the head of an answer: a script may ask again before its body is read. */
  answered?(url: URL, status: number, retryAfter: string | undefined): void
  /** Hears how requests ended, for the limit of rate. */
  heard?(exchange: CapturedExchange): void
}
