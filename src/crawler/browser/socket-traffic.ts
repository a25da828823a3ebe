import type { TimedSession } from './cdp.ts'
import { keepMessage, MAX_MESSAGES } from './event-streams.ts'
import { type Flight, newFlight } from './flight.ts'
import type { WireHeaders } from './wire-facts.ts'

/** After so long a connection is reported as it is. */
const TELL_MS = 10_000
const MAX_SOCKETS = 200
const TEXT_FRAME = 1

interface Frame {
  readonly requestId: string
  readonly response: { readonly opcode: number; readonly payloadData: string }
}

/** Web sockets of a page: each is reported once, when it closes, has said enough, or has been open for a while. */
export class SocketTraffic {
  readonly #open = new Map<string, Flight>()
  readonly #page: { readonly url: string; readonly cause: string | null }
  readonly #emit: (flight: Flight) => void

  constructor(page: { readonly url: string; readonly cause: string | null }, emit: (flight: Flight) => void) {
    this.#page = page
    this.#emit = emit
  }

  attach(session: TimedSession): void {
    const hear = <T>(event: string, listener: (facts: T) => void): void => {
      session.on(`Network.webSocket${event}`, (params) => listener(params as unknown as T))
    }
    hear<{ requestId: string; url: string }>('Created', ({ requestId, url }) => this.#created(requestId, url))
    hear<{ requestId: string; request: { headers: WireHeaders } }>('WillSendHandshakeRequest', (sent) => {
      const flight = this.#open.get(sent.requestId)
      if (flight !== undefined) flight.current.sentHeaders = sent.request.headers
    })
    hear<{
      requestId: string
      response: { status: number; statusText: string; headers: WireHeaders; requestHeaders?: WireHeaders }
    }>('HandshakeResponseReceived', ({ requestId, response }) => {
      const flight = this.#open.get(requestId)
      if (flight === undefined) return
      flight.current.sentHeaders = response.requestHeaders ?? flight.current.sentHeaders
      flight.current.response = { ...response, url: flight.current.request.url, mimeType: '' }
    })
    hear<Frame>('FrameSent', (frame) => this.#frame('sent', frame))
    hear<Frame>('FrameReceived', (frame) => this.#frame('received', frame))
    hear<{ requestId: string; errorMessage: string }>('FrameError', ({ requestId, errorMessage }) => {
      const flight = this.#open.get(requestId)
      if (flight !== undefined) flight.current.reason = errorMessage
    })
    hear<{ requestId: string }>('Closed', ({ requestId }) => this.#end(requestId))
  }

  /** Tells of all that are open. */
  drain(): void {
    for (const id of [...this.#open.keys()]) this.#end(id)
  }

  #created(id: string, url: string): void {
    if (this.#open.size >= MAX_SOCKETS) return
    const flight = newFlight(id, 'WebSocket', { url, method: 'GET', headers: {} }, this.#page)
    flight.timer = setTimeout(() => this.#end(id), TELL_MS)
    this.#open.set(id, flight)
  }

  #frame(direction: 'sent' | 'received', { requestId, response }: Frame): void {
    const flight = this.#open.get(requestId)
    if (flight === undefined) return
    keepMessage(flight.messages, {
      direction,
      atMs: Date.now(),
      text: response.payloadData,
      isBase64: response.opcode !== TEXT_FRAME,
      event: '',
    })
    if (flight.messages.length >= 2 * MAX_MESSAGES) this.#end(requestId)
  }

  #end(id: string): void {
    const flight = this.#open.get(id)
    if (flight === undefined) return
    this.#open.delete(id)
    clearTimeout(flight.timer ?? undefined)
    const { current } = flight
    current.outcome = current.response === null ? 'failed' : 'answered'
    if (current.outcome === 'answered') current.reason = null
    else current.reason ??= 'the handshake was not answered'
    this.#emit(flight)
  }
}
