import type { CaptureOutcome, StreamMessage } from './capture.ts'
import { keptBody } from './captured-of.ts'
import type { ResourceKind } from './request-guard.ts'
import {
  postBytes,
  type ResponseExtra,
  type WireHeaders,
  type WireRequest,
  type WireResponse,
} from './wire-facts.ts'

/** A body as far as it is kept. */
export interface KeptBody {
  readonly bytes: Buffer
  readonly isCut: boolean
  /** All of the body of an answer that is cut, as long as the flight lasts. */
  readonly whole?: Buffer
}

/** One request and its answer; a redirect makes a flight of several. */
export interface Hop {
  readonly request: WireRequest
  readonly atSeconds: number
  readonly redirectedFrom: string | null
  /** Headers as sent, cookies included, when the browser told. */
  sentHeaders: WireHeaders | null
  requestBody: KeptBody | null
  response: WireResponse | null
  /** The answer while the page has not got it yet. */
  waiting: WireResponse | null
  /** Settles when the body of the waiting answer is read, or cannot be. */
  reading: Promise<void> | null
  /** Head of the answer as received, when the browser told. */
  receivedExtra: Pick<ResponseExtra, 'headers' | 'statusCode'> | null
  /** The browser will tell headers as they were on the wire, sooner or later. */
  expectsExtra: boolean
  responseBody: KeptBody | null
  outcome: CaptureOutcome | null
  reason: string | null
  isBodyLost: boolean
}

/** All that belongs to one request id of the browser, from the first request to the last answer. */
export interface Flight {
  readonly id: string
  readonly kind: ResourceKind
  readonly startedMs: number
  readonly cause: string | null
  readonly pageUrl: string
  /** Document that asked, as the browser numbers its loads; '' where it tells none. */
  loaderId: string
  current: Hop
  readonly messages: StreamMessage[]
  /** Bytes of an event stream that a script reads itself. */
  streamText: { readonly chunks: Buffer[]; length: number } | null
  timer: NodeJS.Timeout | null
  /** Its hops are reported one after the other. */
  told: Promise<void>
}

/** A request that has just begun. */
export function newFlight(
  id: string,
  kind: ResourceKind,
  request: WireRequest,
  page: { readonly url: string; readonly cause: string | null },
  atSeconds: number = Date.now() / 1000,
): Flight {
  return {
    id,
    kind,
    startedMs: performance.now(),
    cause: page.cause,
    pageUrl: page.url,
    loaderId: '',
    current: newHop(request, atSeconds, null),
    messages: [],
    streamText: null,
    timer: null,
    told: Promise.resolve(),
  }
}

/** A hop that has just begun. */
export function newHop(request: WireRequest, atSeconds: number, redirectedFrom: string | null): Hop {
  const body = postBytes(request)
  return {
    request,
    atSeconds: Math.floor(atSeconds),
    redirectedFrom,
    sentHeaders: null,
    requestBody: body === null ? null : keptBody(body),
    response: null,
    waiting: null,
    reading: null,
    receivedExtra: null,
    expectsExtra: false,
    responseBody: null,
    outcome: null,
    reason: null,
    isBodyLost: false,
  }
}
