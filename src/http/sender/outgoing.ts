import type { HeaderList, ResponseMessage } from '../exchange.ts'

/** Exactly what goes on the wire; `host` and `content-length` are added where they are missing. */
export interface OutgoingRequest {
  readonly method: string
  /** Absolute; the path is sent as it stands here. */
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array | null
}

/** How one request is sent. */
export interface SendOptions {
  readonly followRedirects: boolean
  /** Aborted when the work that the request belongs to ends. */
  readonly signal: AbortSignal
  /** For the audit: what the request is sent for. */
  readonly purpose: SendPurpose
}

/** What a request is sent for. Never holds secrets. */
export interface SendPurpose {
  readonly kind: 'test' | 'login' | 'probe'
  readonly runId: string | null
  readonly summaryId: string | null
  readonly testId: string | null
  readonly user: string | null
}

/** What became of a request. */
export interface SentResponse {
  readonly response: ResponseMessage
  /** Characters beyond the limit were cut. */
  readonly isTruncated: boolean
  /** URL of the last request, after redirects. */
  readonly url: string
  readonly redirects: readonly string[]
  readonly totalMs: number
  readonly remoteAddress: string
}

/** One outgoing request, for the record; queries and bodies are left out. */
export interface AuditEntry extends SendPurpose {
  readonly atSeconds: number
  readonly method: string
  readonly host: string
  /** Origin and path. */
  readonly url: string
  /** Null when no answer came. */
  readonly status: number | null
  readonly failure: string | null
  readonly durationMs: number
}
