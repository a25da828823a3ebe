import type { Exchange } from '../../http/index.ts'
import type { ResourceKind } from './request-guard.ts'

/** How a request ended. `held back`: recorded and never sent; `blocked`: refused, not for the inventory. */
export type CaptureOutcome = 'answered' | 'failed' | 'held back' | 'blocked'

/** One message of a web socket or an event stream. */
export interface StreamMessage {
  readonly direction: 'sent' | 'received'
  /** Milliseconds since the epoch. */
  readonly atMs: number
  /** Text; base64 of what is binary. At most 64 KiB. */
  readonly text: string
  readonly isBase64: boolean
  /** Event name of a server-sent event; '' otherwise. */
  readonly event: string
}

/** A whole request with its answer, as it was on the wire. */
export interface CapturedExchange {
  /** Unique within the process. */
  readonly id: string
  /** {@link DriverPage.id} of the page it belongs to. */
  readonly pageId: string
  /** URL of the page's main frame when the request began. */
  readonly pageUrl: string
  /** {@link DriverPage.cause} when the request began. */
  readonly cause: string | null
  readonly kind: ResourceKind
  /** Absolute URL without fragment. */
  readonly url: string
  readonly outcome: CaptureOutcome
  /** Why it failed, was held back or blocked; null when it was answered. */
  readonly reason: string | null
  /** URL that redirected here; null without. */
  readonly redirectedFrom: string | null
  /** `performance.now()` at begin and end. */
  readonly startedMs: number
  readonly endedMs: number
  /**
   * For the inventory: source CRAWLER, absolute target, bodies whole up to 1 MiB. Status 0 and no headers when
   * {@link responseMissing}.
   */
  readonly exchange: Exchange
  readonly responseMissing: boolean
  /** The server only confirmed what the browser had kept (304): {@link exchange} holds the kept answer. */
  readonly isConfirmed: boolean
  /** A body was longer than what is kept, or could not be read. */
  readonly isCut: boolean
  /** Text of a script that is longer than what the exchange holds, up to 8 MiB, to be read; absent for anything else. */
  readonly script?: string
  /** Messages of a web socket or event stream, the first fifty each way; empty for anything else. */
  readonly messages: readonly StreamMessage[]
}

/** Hears what pages of a context do on the network. Must not throw; heavy work belongs elsewhere. */
export interface CaptureSink {
  /** A request ended, one way or another; each exactly once. */
  captured(exchange: CapturedExchange): void
}
