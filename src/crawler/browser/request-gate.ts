import type { TimedSession } from './cdp.ts'
import { BLANK_PATH } from './origin-stores.ts'
import type { GuardDecision, GuardedRequest, RequestGuard, ResourceKind } from './request-guard.ts'
import { MESSAGE_METHOD, SOCKET_QUESTION_PATH } from './socket-guard.ts'
import { headerList, postBytes, type RequestPaused, type WireHeaders, withoutFragment } from './wire-facts.ts'

const KINDS: ReadonlySet<string> = new Set([
  'Document',
  'Stylesheet',
  'Image',
  'Media',
  'Font',
  'Script',
  'TextTrack',
  'XHR',
  'Fetch',
  'Prefetch',
  'EventSource',
  'WebSocket',
  'Manifest',
  'Ping',
  'Preflight',
])
const WEB_SCHEMES = new Set(['http:', 'https:'])
/** What pages make themselves and no server hears of. */
const LOCAL_SCHEMES = new Set(['data:', 'blob:', 'about:'])
const GUARDED_BODY_BYTES = 64 * 1024
/** Takes the place of pictures: it has a size, so that pages look much as they would. */
const EMPTY_PICTURE = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>',
).toString('base64')

/** What the gate must know of the page. */
interface GatedPage {
  readonly mainFrameId: string
  readonly url: string
  readonly cause: string | null
}

/** Why a request does not leave. */
export interface GateRefusal {
  readonly outcome: 'held back' | 'blocked'
  readonly reason: string
}

/** What the gate tells. */
export interface GateListener {
  /** A request will not leave. */
  refused(paused: RequestPaused, cookies: string, refusal: GateRefusal): void
  /** The URL that led to a request by redirect. */
  redirectedFrom(paused: RequestPaused): string | null
  /** A request waits for its turn, and goes. */
  waits(paused: RequestPaused): void
  goes(paused: RequestPaused): void
  /** Whether the answer is to be looked at before the page gets it. */
  wantsAnswer(kind: ResourceKind): boolean
  /** An answer is waiting; the page gets it when this resolves. */
  answerWaits(session: TimedSession, paused: RequestPaused): Promise<void>
}

/** The kind of a request in our terms. */
export function resourceKind(type: string | undefined): ResourceKind {
  return type !== undefined && KINDS.has(type) ? (type as ResourceKind) : 'Other'
}

/** Stops every request of a session before it leaves, and does with it what the guard says. */
export class RequestGate {
  readonly #guard: RequestGuard
  readonly #page: GatedPage
  readonly #listener: GateListener
  readonly #signal: AbortSignal
  /** Aborted when the document of a session has gone. */
  readonly #documents = new WeakMap<TimedSession, AbortController>()

  constructor(guard: RequestGuard, page: GatedPage, listener: GateListener, signal: AbortSignal) {
    this.#guard = guard
    this.#page = page
    this.#listener = listener
    this.#signal = signal
  }

  /** To be called before the target runs: from here on nothing leaves unasked. */
  attach(session: TimedSession): void {
    session.whenDetached(() => this.#documents.get(session)?.abort())
    session.on('Fetch.requestPaused', (event) => {
      const paused = event as unknown as RequestPaused
      const isAnswer = paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined
      const handled = isAnswer ? this.#answer(session, paused) : this.#ask(session, paused)
      // A guard that fails lets nothing through.
      handled.catch(() => this.#fail(session, paused))
    })
    session.post('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] })
  }

  async #ask(session: TimedSession, paused: RequestPaused): Promise<void> {
    const url = withoutFragment(paused.request.url)
    const parsed = URL.canParse(url) ? new URL(url) : null
    if (parsed !== null && LOCAL_SCHEMES.has(parsed.protocol)) {
      session.post('Fetch.continueRequest', { requestId: paused.requestId })
      return
    }
    if (parsed === null || !WEB_SCHEMES.has(parsed.protocol)) {
      await this.#refuse(session, paused, 'blocked', 'its scheme is neither http nor https')
      return
    }
    const request = this.#guarded(parsed, paused)
    const ownAnswer = this.#ownAnswer(parsed, request)
    if (ownAnswer !== null) {
      session.post('Fetch.fulfillRequest', {
        requestId: paused.requestId,
        responseCode: ownAnswer,
        responseHeaders: [{ name: 'content-type', value: 'text/html' }],
        body: '',
      })
      return
    }
    const decision = this.#guard.decide(request)
    if (decision.kind === 'replace') {
      this.#listener.refused(paused, '', { outcome: 'blocked', reason: decision.reason })
      session.post('Fetch.fulfillRequest', {
        requestId: paused.requestId,
        responseCode: 200,
        responseHeaders: [{ name: 'content-type', value: 'image/svg+xml' }],
        body: EMPTY_PICTURE,
      })
      return
    }
    if (decision.kind !== 'allow') {
      const outcome = decision.kind === 'hold' ? 'held back' : 'blocked'
      await this.#refuse(session, paused, outcome, decision.reason, request.isNavigation)
      return
    }
    this.#listener.waits(paused)
    await this.#guard.pass?.(request, this.#documentSignal(session, request.isNavigation))
    this.#listener.goes(paused)
    const { requestId } = paused
    const interceptResponse = this.#listener.wantsAnswer(request.kind)
    if (decision.headers === undefined)
      session.post('Fetch.continueRequest', { requestId, interceptResponse })
    else {
      // Headers that the browser does not take leave the request waiting: that has to be heard.
      const headers = withHeaders(paused.request.headers, decision.headers)
      await session.send('Fetch.continueRequest', { requestId, headers, interceptResponse })
    }
  }

  /** What the former document waits for is of no use to anybody once the next one is asked for: it takes no turn. */
  #documentSignal(session: TimedSession, isNavigation: boolean): AbortSignal {
    if (isNavigation) this.#documents.get(session)?.abort()
    const known = this.#documents.get(session)
    const document = known === undefined || known.signal.aborted ? new AbortController() : known
    this.#documents.set(session, document)
    return AbortSignal.any([this.#signal, document.signal])
  }

  /** Status for what no server is asked for: empty documents, and questions about web sockets. Null for anything else. */
  #ownAnswer(url: URL, request: GuardedRequest): number | null {
    if (url.pathname === BLANK_PATH && request.kind === 'Document') return 200
    if (url.pathname !== SOCKET_QUESTION_PATH) return null
    const socket = url.searchParams.get('to') ?? ''
    if (!URL.canParse(socket)) return 403
    // Scopes are written for pages: web sockets share host and port with them.
    const to = new URL(socket.replace(/^ws/i, 'http'))
    const isMessage = request.method === 'POST'
    const asked = {
      ...request,
      url: to,
      method: isMessage ? MESSAGE_METHOD : 'GET',
      kind: 'WebSocket',
      body: isMessage ? request.body : null,
      isNavigation: false,
    } as const
    return this.#guard.decide(asked).kind === 'allow' ? 200 : 403
  }

  #guarded(url: URL, paused: RequestPaused): GuardedRequest {
    const { request } = paused
    const kind = resourceKind(paused.resourceType)
    return {
      url,
      method: request.method.toUpperCase(),
      kind,
      headers: headerList(request.headers),
      body: postBytes(request)?.subarray(0, GUARDED_BODY_BYTES).toString('utf8') ?? null,
      isNavigation: kind === 'Document' && paused.frameId === this.#page.mainFrameId,
      pageUrl: this.#page.url,
      cause: this.#page.cause,
      redirectedFrom: this.#listener.redirectedFrom(paused),
    }
  }

  async #refuse(
    session: TimedSession,
    paused: RequestPaused,
    outcome: 'held back' | 'blocked',
    reason: string,
    isNavigation = false,
  ): Promise<void> {
    // What is held back is reported as it would have been sent.
    const cookies = outcome === 'held back' ? await cookiesFor(session, paused.request.url) : ''
    this.#listener.refused(paused, cookies, { outcome, reason })
    // A page that sent a form stays where it is (RFC 9110 section 15.3.5), so that the rest of it can be worked on.
    if (outcome === 'held back' && isNavigation)
      session.post('Fetch.fulfillRequest', { requestId: paused.requestId, responseCode: 204 })
    else this.#fail(session, paused)
  }

  /** The guard hears of an answer before the page gets it, and could ask again. */
  #hear({ request, responseStatusCode, responseHeaders = [] }: RequestPaused): void {
    if (responseStatusCode === undefined || !URL.canParse(request.url)) return
    const retryAfter = responseHeaders.find(({ name }) => name.toLowerCase() === 'retry-after')?.value
    this.#guard.answered?.(new URL(request.url), responseStatusCode, retryAfter)
  }

  #fail(session: TimedSession, { requestId }: RequestPaused): void {
    session.post('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
  }

  async #answer(session: TimedSession, paused: RequestPaused): Promise<void> {
    try {
      this.#hear(paused)
      if (paused.responseErrorReason === undefined) await this.#listener.answerWaits(session, paused)
    } finally {
      session.post('Fetch.continueRequest', { requestId: paused.requestId })
    }
  }
}

async function cookiesFor(session: TimedSession, url: string): Promise<string> {
  try {
    const { cookies } = await session.send<{ cookies: { name: string; value: string }[] }>(
      'Network.getCookies',
      { urls: [url] },
    )
    return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  } catch {
    // Workers cannot tell cookies; the request is reported without.
    return ''
  }
}

function withHeaders(
  own: WireHeaders,
  added: NonNullable<Extract<GuardDecision, { kind: 'allow' }>['headers']>,
): { name: string; value: string }[] {
  const replaced = new Set(Object.keys(added).map((name) => name.toLowerCase()))
  const kept = Object.entries(own).filter(([name]) => !replaced.has(name.toLowerCase()))
  return [...kept, ...Object.entries(added)].map(([name, value]) => ({ name, value }))
}
