import { endsWithin } from '../../kit/index.ts'
import { hasReadableBody, isStreaming, MAX_READ_BYTES, readAnswerBody } from './answer-body.ts'
import type { CapturedExchange } from './capture.ts'
import { capturedOf, keptBody } from './captured-of.ts'
import type { TimedSession } from './cdp.ts'
import { listenToStreams, messagesOf, openStream } from './event-streams.ts'
import { type Flight, type Hop, newFlight, newHop } from './flight.ts'
import type { InFlight } from './in-flight.ts'
import type { KnownBodies } from './known-bodies.ts'
import { type GateListener, type GateRefusal, resourceKind } from './request-gate.ts'
import type { ResourceKind } from './request-guard.ts'
import { SocketTraffic } from './socket-traffic.ts'
import { WireExtras } from './wire-extras.ts'
import type {
  LoadingFailed,
  RequestPaused,
  RequestSent,
  RequestSentExtra,
  ResponseExtra,
  ResponseReceived,
  WireResponse,
} from './wire-facts.ts'
import { waitingResponse } from './wire-facts.ts'

/** What the traffic must know of its page. */
export interface TrafficPage {
  readonly id: string
  readonly url: string
  readonly cause: string | null
  readonly inFlight: InFlight
}

/** Headers on the wire come on another way than the rest; so long they are waited for. */
const EXTRA_MS = 500
/** After so long a stream is reported as it is. */
const STREAM_MS = 10_000
/** Requests of a document that was left have so long to be told of by the browser, which forgets some. */
const LEFT_MS = 5_000
/** So long the body of an answer is waited for that its page does not get any more. */
const WAITED_MS = 2_000
const MAX_FLIGHTS = 5000
const MAX_REFUSALS = 1000
/** Kinds whose answers are read before the page gets them: nothing of these is lost when the page moves on. */
const API_KINDS: ReadonlySet<ResourceKind> = new Set(['Document', 'XHR', 'Fetch', 'Ping', 'Manifest'])

/** Why a request does not leave, and what it would have been. */
type Refusal = Pick<Hop, 'outcome' | 'reason' | 'sentHeaders' | 'requestBody'>

let lastId = 0

/** The exchanges of one page, put together from what its sessions (main frame, other frames, workers) tell. */
export class PageTraffic implements GateListener {
  readonly #page: TrafficPage
  readonly #listener: ((exchange: CapturedExchange) => void) | null
  readonly #flights = new Map<string, Flight>()
  readonly #refusals = new Map<string, Refusal>()
  /** Addresses that requests were let go to: the browser may tell of an answer before it tells of its request. */
  readonly #sentTo = new Map<string, string>()
  readonly #extras = new WireExtras()
  readonly #sockets: SocketTraffic
  readonly #known: KnownBodies
  readonly #settling = new Set<Promise<void>>()

  /**
   * @param listener hears each exchange once; null when nobody is interested
   * @param known bodies that need not be read again; shared by the pages of a context
   */
  constructor(
    page: TrafficPage,
    listener: ((exchange: CapturedExchange) => void) | null,
    known: KnownBodies,
  ) {
    this.#page = page
    this.#listener = listener
    this.#known = known
    this.#sockets = new SocketTraffic(page, (flight) => this.#emit(flight, flight.current))
  }

  /** To be called before the target runs. */
  attach(session: TimedSession): void {
    const hear = <T>(event: string, listener: (facts: T) => void): void => {
      session.on(`Network.${event}`, (params) => listener(params as unknown as T))
    }
    hear<RequestSent>('requestWillBeSent', (sent) => this.#sent(session, sent))
    hear<RequestSentExtra>('requestWillBeSentExtraInfo', (extra) => this.#extras.sent(extra))
    hear<ResponseExtra>('responseReceivedExtraInfo', (extra) => this.#extras.received(extra))
    hear<ResponseReceived>('responseReceived', (received) => this.#received(session, received))
    hear<{ requestId: string }>('loadingFinished', ({ requestId }) => this.#finished(session, requestId))
    hear<LoadingFailed>('loadingFailed', (failed) => this.#failed(failed))
    session.on('Page.frameNavigated', (event) => {
      const frame = event['frame'] as { parentId?: string; loaderId: string }
      if (frame.parentId === undefined) this.#left(frame.loaderId)
    })
    listenToStreams(session, (id) => this.#flights.get(id) ?? null)
    this.#sockets.attach(session)
    session.post('Network.enable', { maxPostDataSize: 1024 * 1024 })
  }

  /** Address that a request under way was let go to; '' for one that is not known. */
  urlOf(requestId: string): string {
    return this.#sentTo.get(requestId) ?? ''
  }

  /** Resolves when all that has ended is reported. */
  async told(): Promise<void> {
    await Promise.all(this.#settling)
  }

  /** Tells of what is still open, because the page is gone or about to go; resolves when all is reported. */
  async drain(): Promise<void> {
    for (const flight of [...this.#flights.values()]) this.#breakOff(flight, 'the page was closed')
    this.#sockets.drain()
    await Promise.all(this.#settling)
  }

  waits({ networkId }: RequestPaused): void {
    if (networkId !== undefined) this.#page.inFlight.hold(networkId)
  }

  goes({ networkId, request }: RequestPaused): void {
    if (networkId === undefined) return
    this.#page.inFlight.release(networkId)
    this.#sentTo.set(networkId, request.url)
    if (this.#sentTo.size > MAX_FLIGHTS) this.#sentTo.delete(this.#sentTo.keys().next().value!)
  }

  wantsAnswer(kind: ResourceKind): boolean {
    return this.#listener !== null && API_KINDS.has(kind)
  }

  redirectedFrom({ networkId, redirectedRequestId }: RequestPaused): string | null {
    const flight = networkId === undefined ? undefined : this.#flights.get(networkId)
    if (flight === undefined || redirectedRequestId === undefined) return null
    return flight.current.redirectedFrom ?? flight.current.request.url
  }

  refused(paused: RequestPaused, cookies: string, { outcome, reason }: GateRefusal): void {
    const { networkId, request, requestId, resourceType } = paused
    const { requestBody } = newHop(request, 0, null)
    const sentHeaders = cookies === '' ? request.headers : { ...request.headers, Cookie: cookies }
    const refusal: Refusal = { outcome, reason, sentHeaders, requestBody }
    if (networkId === undefined) {
      const flight = newFlight(requestId, resourceKind(resourceType), request, this.#page)
      Object.assign(flight.current, refusal)
      this.#emit(flight, flight.current)
      return
    }
    // The browser tells that it failed, perhaps before it told that it began; why is known by then.
    this.#refusals.set(networkId, refusal)
    if (this.#refusals.size > MAX_REFUSALS) this.#refusals.delete(this.#refusals.keys().next().value!)
  }

  async answerWaits(session: TimedSession, paused: RequestPaused): Promise<void> {
    const { networkId, requestId, responseStatusCode: status = 0, responseHeaders = [] } = paused
    const flight = networkId === undefined ? undefined : this.#flights.get(networkId)
    const isRedirect = status >= 300 && status < 400
    if (flight === undefined || isRedirect) return
    const header = (name: string): string =>
      responseHeaders.find((one) => one.name.toLowerCase() === name)?.value ?? ''
    const type = header('content-type')
    if (isStreaming(type) || !hasReadableBody(status, type)) return
    if (Number(header('content-length')) > MAX_READ_BYTES) return
    // Files to be saved have any size, and nobody saves them.
    if (/^\s*attachment/i.test(header('content-disposition'))) return
    const { current } = flight
    current.waiting = waitingResponse(paused)
    current.reading = readAnswerBody(session, 'Fetch.getResponseBody', requestId).then(
      (body) => {
        current.responseBody = body
      },
      () => {
        current.isBodyLost = true
      },
    )
    await current.reading
  }

  /**
   * The page shows another document now. What the former one had under way is reported by the browser as failed, or not at
   * all: such requests would be missing, and held for as long as the page is open.
   */
  #left(loaderId: string): void {
    const left = [...this.#flights.values()].filter((flight) => flight.loaderId !== loaderId)
    if (left.length === 0) return
    setTimeout(() => {
      for (const flight of left) {
        if (this.#flights.get(flight.id) === flight) this.#breakOff(flight, 'the page moved on')
      }
    }, LEFT_MS).unref()
  }

  /** Tells of a flight as far as it came. */
  #breakOff(flight: Flight, reason: string): void {
    const { current } = flight
    if (current.response === null) {
      current.reason ??= reason
      this.#end(flight)
      this.#settle(flight, current, 0, waitedFor(current))
      return
    }
    current.isBodyLost ||= current.responseBody === null && !isLive(flight)
    this.#end(flight)
    this.#settle(flight, current, 0)
  }

  #sent(session: TimedSession, sent: RequestSent): void {
    const { requestId: id, request, redirectResponse } = sent
    if (!/^https?:/i.test(request.url)) return
    const known = this.#flights.get(id)
    if (known !== undefined && redirectResponse !== undefined) this.#redirected(known, sent, redirectResponse)
    else if (known !== undefined || this.#flights.size >= MAX_FLIGHTS) return
    else {
      const flight = newFlight(id, resourceKind(sent.type), request, this.#page, sent.wallTime)
      flight.loaderId = sent.loaderId
      this.#flights.set(id, flight)
      if (flight.kind !== 'EventSource') this.#page.inFlight.begin(id, request.url)
    }
    const hop = this.#flights.get(id)!.current
    if (request.hasPostData && hop.requestBody === null) this.#askPostData(session, id, hop)
  }

  #redirected(flight: Flight, sent: RequestSent, response: WireResponse): void {
    const before = flight.current
    before.response = response
    before.expectsExtra = sent.redirectHasExtraInfo ?? false
    flight.current = newHop(sent.request, sent.wallTime, before.request.url)
    this.#settle(flight, before, EXTRA_MS)
  }

  #askPostData(session: TimedSession, requestId: string, hop: Hop): void {
    const asked = session.send<{ postData: string }>('Network.getRequestPostData', { requestId }).then(
      ({ postData }) => {
        hop.requestBody = keptBody(Buffer.from(postData, 'utf8'))
      },
      () => {
        hop.isBodyLost = true
      },
    )
    this.#track(asked)
  }

  #received(session: TimedSession, { requestId, response, hasExtraInfo }: ResponseReceived): void {
    const flight = this.#flights.get(requestId)
    if (flight === undefined) return
    flight.current.response = response
    flight.current.expectsExtra = hasExtraInfo
    if (flight.kind !== 'EventSource' && !isStreaming(response.mimeType)) return
    this.#page.inFlight.end(requestId)
    if (flight.kind !== 'EventSource') void openStream(session, flight)
    flight.timer = setTimeout(() => {
      this.#end(flight)
      this.#settle(flight, flight.current, EXTRA_MS)
    }, STREAM_MS)
  }

  #finished(session: TimedSession, requestId: string): void {
    const flight = this.#flights.get(requestId)
    if (flight === undefined) return
    const { current } = flight
    this.#end(flight)
    const refusal = this.#refusals.get(requestId)
    if (refusal !== undefined) {
      // Something stood in for the answer; nobody was asked.
      this.#refusals.delete(requestId)
      Object.assign(current, refusal, { response: null })
      this.#settle(flight, current, 0)
      return
    }
    current.responseBody ??= this.#known.get(flight.kind, current.response)
    const isMissing = current.responseBody === null && !isLive(flight) && this.#listener !== null
    const { status = 0, mimeType = '' } = current.response ?? {}
    if (!isMissing || !hasReadableBody(status, mimeType)) {
      this.#settle(flight, current, EXTRA_MS)
      return
    }
    const read = readAnswerBody(session, 'Network.getResponseBody', requestId).then(
      (body) => {
        current.responseBody = body
        current.isBodyLost = false
        this.#known.keep(flight.kind, current.response, body)
      },
      () => {
        current.isBodyLost = true
      },
    )
    this.#settle(flight, current, EXTRA_MS, read)
  }

  #failed({ requestId, errorText, blockedReason }: LoadingFailed): void {
    const flight = this.#flights.get(requestId)
    if (flight === undefined) return
    const { current } = flight
    const refusal = this.#refusals.get(requestId)
    this.#refusals.delete(requestId)
    this.#end(flight)
    if (refusal !== undefined) {
      const { requestBody, ...rest } = refusal
      Object.assign(current, rest)
      current.requestBody ??= requestBody
    } else if (current.response === null) current.reason = blockedReason ?? errorText
    else current.isBodyLost ||= current.responseBody === null && !isLive(flight)
    if (current.response === null) this.#settle(flight, current, 0, waitedFor(current))
    else this.#settle(flight, current, EXTRA_MS)
  }

  #end(flight: Flight): void {
    this.#flights.delete(flight.id)
    this.#sentTo.delete(flight.id)
    this.#page.inFlight.end(flight.id)
    clearTimeout(flight.timer ?? undefined)
  }

  /** Tells of a hop once its headers on the wire are there, or so long have not come. */
  #settle(flight: Flight, hop: Hop, waitMs: number, before: Promise<void> = Promise.resolve()): void {
    const earlier = flight.told
    flight.told = before.then(async () => {
      await earlier
      if (hop.expectsExtra || hop.response === null) {
        const { sent, received } = await this.#extras.next(flight.id, hop.expectsExtra ? waitMs : 0)
        hop.sentHeaders ??= sent?.headers ?? null
        hop.receivedExtra = received
      }
      if (flight.current === hop) this.#extras.forget(flight.id)
      this.#emit(flight, hop)
    })
    this.#track(flight.told)
  }

  #track(work: Promise<void>): void {
    this.#settling.add(work)
    void work.finally(() => this.#settling.delete(work))
  }

  #emit(flight: Flight, hop: Hop): void {
    if (this.#listener === null) return
    if (flight.streamText !== null && hop === flight.current) {
      const bytes = Buffer.concat(flight.streamText.chunks)
      hop.responseBody ??= keptBody(bytes)
      flight.messages.push(...messagesOf(bytes.toString('utf8')))
    }
    this.#listener(capturedOf(flight, hop, this.#page.id, `${process.pid}-${++lastId}`))
  }
}

/**
 * The page left while an answer waited here: the application had answered all the same. Resolves when its body is read,
 * or after a moment.
 */
async function waitedFor(hop: Hop): Promise<void> {
  if (hop.reading === null || hop.outcome !== null) return
  await endsWithin(WAITED_MS, hop.reading)
  if (hop.responseBody === null) return
  hop.response = hop.waiting
  hop.reason = null
  // Its headers on the wire are known if the browser told them by now.
  hop.expectsExtra = true
}

/** Streams are known by what came of them; they have no body that could be lost. */
function isLive(flight: Flight): boolean {
  return flight.kind === 'EventSource' || flight.streamText !== null
}
