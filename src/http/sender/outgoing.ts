import type { HeaderList, ResponseMessage } from '../exchange.ts'

/** Exactly what is sent; `host` and `content-length` are added where they are missing. */
export interface OutgoingRequest {
  /** Any text; what is not a method of HTTP goes out as it stands. */
  readonly method: string
  /** Absolute; the path is sent as it stands here. A fragment is not part of a request and stays behind. */
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array | null
}

/** A client's certificate and its key, both PEM. */
export interface ClientCertificate {
  readonly certificate: string
  readonly key: string
}

/** How one request is sent. */
export interface SendOptions {
  readonly followRedirects: boolean
  /** Aborted when the work that the request belongs to ends. */
  readonly signal: AbortSignal
  /** How long the answer to what was sent is still waited for after the signal was aborted; 0 where absent. */
  readonly lingerMs?: number
  /** For the audit: what the request is sent for. */
  readonly purpose: SendPurpose
  /** Longest wait for the whole answer, where that is less than the limits of the sender. */
  readonly patienceMs?: number
  /** Identity of the connection, for targets that ask for one. */
  readonly clientCertificate?: ClientCertificate
}

/** What a request is sent for. Never holds secrets. */
export interface SendPurpose {
  readonly kind: 'test' | 'login' | 'probe' | 'alert' | 'ticket'
  readonly runId: string | null
  readonly summaryId: string | null
  readonly testId: string | null
  readonly user: string | null
}

/** What became of a request. */
export interface SentResponse {
  readonly response: ResponseMessage
  /** The body was longer than the limit, or was an event stream that was left; the response has what was read. */
  readonly isTruncated: boolean
  /** URL of the last request, after redirects. */
  readonly url: string
  readonly redirects: readonly string[]
  /** A redirect that was not followed because it leads out of scope; the response is the one that asked for it. */
  readonly refusedRedirect: { readonly url: string; readonly reason: string } | null
  /** From sending to the first byte of the last answer; waits for the rate limit do not count. */
  readonly firstByteMs: number
  /** From sending to the last byte, over all redirects; waits for the rate limit do not count. */
  readonly totalMs: number
  readonly remoteAddress: string
}

/** One outgoing request, for the record; queries, headers and bodies are left out. */
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
  /** Bytes of the request's body. */
  readonly sentBytes: number
  /** Bytes of the answer's body that were read, before decoding. */
  readonly receivedBytes: number
}
