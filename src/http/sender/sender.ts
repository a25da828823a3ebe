import { Failure, nowMs } from '../../kit/index.ts'
import { bodyFromBytes } from '../body-text.ts'
import { headerValue } from '../exchange.ts'
import { AbortWatch } from './abort-watch.ts'
import { ConcurrencyGate } from './concurrency-gate.ts'
import { type ConnectionTarget, Connector } from './connector.ts'
import { DeadlineLine } from './deadline-line.ts'
import { decodeBody } from './decode-body.ts'
import { type Destination, Destinations } from './destination.ts'
import { HostBudget } from './host-budget.ts'
import { LibraryAgents } from './library-agents.ts'
import { libraryCanSend, startLibraryExchange } from './library-exchange.ts'
import type { AuditEntry, ClientCertificate, OutgoingRequest, SendOptions, SentResponse } from './outgoing.ts'
import { type AnswerEnds, type AnswerLimits, PendingAnswer, type ReadAnswer } from './pending-answer.ts'
import { RateLimit } from './rate-limit.ts'
import { startRawExchange } from './raw-exchange.ts'
import { redirectedRequest } from './redirect.ts'
import { isClosedConnection, isProtocolError, isRefusedByLibrary, sendFailure } from './send-failure.ts'
import type { TargetScope } from './target-scope.ts'
import { asWireText, isAscii, targetOf } from './wire-request.ts'

const LIMITS: AnswerLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  totalMs: 60_000,
  bodyBytes: 5 * 1024 * 1024,
  headBytes: 256 * 1024,
}
const MAX_REDIRECTS = 10
const MAX_CONCURRENT = 64
const MAX_FAILURES = 10
/**
 * How long after an error of the server its kept connections are not trusted with a write: many servers close them then,
 * and a write that met such an end would stay without an answer, for it must not be sent twice (RFC 9110 section 9.2.2).
 */
const DISTRUST_MS = 1_000
/** Methods that only read (RFC 9110 section 9.2.1) and may be sent twice. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** How a sender works for its run. */
export interface SenderOptions {
  readonly scope: TargetScope
  /** Requests a minute and host; 0 sets no limit. */
  readonly requestsPerMinute: number
  readonly verifiesTls: boolean
  /** Hears of every request that went out, or would have, answered or not. */
  readonly audit: (entry: AuditEntry) => void
  /** Requests under way at once, over all hosts; 64 by default. */
  readonly maxConcurrent?: number
  /** Failures in a row after which a host is not asked for a while; 10 by default. */
  readonly maxFailures?: number
  readonly limits?: Partial<AnswerLimits>
  /** Replaces the name resolution of the system. */
  readonly resolve?: (hostname: string) => Promise<readonly { address: string; family: number }[]>
}

/** What sends requests to targets, or answers in their place. */
export type RequestSender = Pick<Sender, 'send'>

type DecodedResponse = Pick<SentResponse, 'response' | 'isTruncated'>
/** How a request travels. */
type Way = 'library' | 'own connection'
type Sent = Omit<SentResponse, 'url' | 'redirects' | 'refusedRedirect'>

/**
 * The only way out to targets: scope, rate and budget of a host are asked before every request, redirects included,
 * the address at every connection, and every request is reported to the audit.
 */
export class Sender {
  readonly #options: SenderOptions
  readonly #limits: AnswerLimits
  readonly #connector: Connector
  readonly #gate: ConcurrencyGate
  readonly #rate: RateLimit
  readonly #budget: HostBudget
  readonly #agents: LibraryAgents
  /** Origins whose answers the library cannot read; all requests to them go over their own connections. */
  readonly #oddOrigins = new Set<string>()
  /** When an origin last answered with an error of the server. */
  readonly #lastErrors = new Map<string, number>()
  readonly #underWay = new Set<PendingAnswer>()
  readonly #destinations: Destinations
  readonly #ends: AnswerEnds
  #isClosed = false

  constructor(options: SenderOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#ends = {
      firstByte: new DeadlineLine(this.#limits.firstByteMs),
      total: new DeadlineLine(this.#limits.totalMs),
      aborts: new AbortWatch(),
    }
    this.#destinations = new Destinations(options.scope)
    this.#connector = new Connector({ ...options, timeoutMs: this.#limits.connectMs })
    const maxConcurrent = options.maxConcurrent ?? MAX_CONCURRENT
    this.#agents = new LibraryAgents(this.#connector, {
      connections: maxConcurrent,
      headBytes: this.#limits.headBytes,
    })
    this.#gate = new ConcurrencyGate(maxConcurrent)
    this.#rate = new RateLimit(options.requestsPerMinute)
    this.#budget = new HostBudget(options.maxFailures ?? MAX_FAILURES)
  }

  /** Leaves an equal part of all limits to every one of this many processes that send for the same run. */
  share(among: number): void {
    this.#gate.divide(among)
    this.#rate.divide(among)
  }

  /**
   * Sends a request and reads its answer.
   *
   * @throws Failure TARGET_OUT_OF_SCOPE, TARGET_UNREACHABLE, TARGET_TIMEOUT, TARGET_BROKE_PROTOCOL,
   * TARGET_CERTIFICATE_REFUSED, HOST_BUDGET_SPENT, TOO_MANY_REDIRECTS; SEND_STOPPED when the signal was aborted
   */
  async send(request: OutgoingRequest, options: SendOptions): Promise<SentResponse> {
    const redirects: string[] = []
    let current = onWire(request)
    let destination = this.#destinations.of(current.url)
    if (destination === null)
      throw new Failure('TARGET_OUT_OF_SCOPE', { host: '', reason: 'the URL is malformed' })
    if (destination.verdict !== null)
      throw new Failure('TARGET_OUT_OF_SCOPE', { host: destination.host, reason: destination.verdict })
    let totalMs = 0
    for (;;) {
      const sent: Sent = await this.#sendOne(current, destination, options)
      totalMs += sent.totalMs
      const next = options.followRedirects ? redirectedRequest(current, sent.response) : null
      const answer = { ...sent, totalMs, url: current.url, redirects }
      if (next === null) return { ...answer, refusedRedirect: null }
      destination = this.#destinations.of(next.url)
      const refusal = destination === null ? 'its URL leads to no host' : destination.verdict
      if (destination === null || refusal !== null)
        return { ...answer, refusedRedirect: { url: next.url, reason: refusal ?? '' } }
      if (redirects.length >= MAX_REDIRECTS)
        throw new Failure('TOO_MANY_REDIRECTS', { host: destination.host })
      redirects.push(next.url)
      current = next
    }
  }

  /** Ends all that is under way with SEND_STOPPED and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const answer of this.#underWay) answer.fail(new Failure('SEND_STOPPED'))
    await this.#agents.destroy()
  }

  async #sendOne(request: OutgoingRequest, to: Destination, options: SendOptions): Promise<Sent> {
    const { host } = to
    if (!this.#budget.admits(host, nowMs())) throw new Failure('HOST_BUDGET_SPENT', { host })
    let way = this.#wayOf(request, to)
    for (;;) {
      try {
        const sent = await this.#sendOver(way, request, to, options)
        this.#budget.succeeded(host)
        if (sent.response.status >= 500) this.#lastErrors.set(to.origin, nowMs())
        return sent
      } catch (error) {
        const failure = error as Failure
        const isOfLibrary = way === 'library'
        if (isOfLibrary && isProtocolError(failure.cause)) this.#oddOrigins.add(to.origin)
        if (isOfLibrary && mayRepeat(request, failure)) {
          way = 'own connection'
          continue
        }
        this.#note(failure, host)
        throw failure
      }
    }
  }

  #wayOf(request: OutgoingRequest, { origin }: Destination): Way {
    if (this.#oddOrigins.has(origin) || !libraryCanSend(request)) return 'own connection'
    if (SAFE.has(request.method)) return 'library'
    const lastError = this.#lastErrors.get(origin) ?? Number.NEGATIVE_INFINITY
    return nowMs() - lastError < DISTRUST_MS ? 'own connection' : 'library'
  }

  /** Tells the host's budget of a failure. A host that answers, however badly, is there. */
  #note({ code }: Failure, host: string): void {
    if (code === 'TARGET_UNREACHABLE' || code === 'TARGET_TIMEOUT') this.#budget.failed(host, nowMs())
    else if (code === 'TARGET_BROKE_PROTOCOL') this.#budget.succeeded(host)
  }

  async #sendOver(way: Way, request: OutgoingRequest, to: Destination, options: SendOptions): Promise<Sent> {
    const { host } = to
    // Most requests need not wait, and then do not.
    const mayWait = this.#isClosed || !this.#rate.isOff || this.#ends.aborts.isAborted(options.signal)
    if (mayWait || !this.#gate.tryEnter()) await this.#admit(host, options.signal)
    const answer = new PendingAnswer(this.#limits, options.signal, this.#ends, options.lingerMs)
    this.#underWay.add(answer)
    const started = nowMs()
    let status: number | null = null
    let failure: string | null = null
    const { patienceMs } = options
    const late = patienceMs === undefined ? null : setTimeout(() => answer.late(patienceMs), patienceMs)
    try {
      this.#start(way, request, to, options.clientCertificate, answer)
      const read = await answer.promise
      status = read.status
      const answered = responseOf(read, this.#limits.bodyBytes)
      const { response, isTruncated } = answered instanceof Promise ? await answered : answered
      const remoteAddress = read.remoteAddress || this.#agents.addressOf(to.host)
      return { response, isTruncated, remoteAddress, firstByteMs: read.firstByteMs, totalMs: read.totalMs }
    } catch (error) {
      const told = sendFailure(error, host, answer.hasHead, this.#limits.connectMs)
      failure = told.code
      throw told
    } finally {
      if (late !== null) clearTimeout(late)
      this.#underWay.delete(answer)
      this.#gate.leave()
      this.#options.audit({
        ...options.purpose,
        atSeconds: Math.floor(started / 1000),
        method: request.method,
        host,
        url: `${to.origin}${targetOf(request.url).split('?', 1)[0]}`.slice(0, 2000),
        status,
        failure,
        durationMs: nowMs() - started,
        sentBytes: request.body?.length ?? 0,
        receivedBytes: answer.receivedBytes,
      })
    }
  }

  /** Waits for the turn of a request; an entrance of the gate is taken then. */
  async #admit(host: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#rate.pass(host, signal)
      await this.#gate.enter(signal)
    } catch {
      // Both reject for only one reason: the signal was aborted.
      throw new Failure('SEND_STOPPED', { host })
    }
    if (this.#isClosed) {
      this.#gate.leave()
      throw new Failure('SEND_STOPPED', { host })
    }
  }

  #start(
    way: Way,
    request: OutgoingRequest,
    to: Destination,
    clientCertificate: ClientCertificate | undefined,
    answer: PendingAnswer,
  ): void {
    if (way === 'library') {
      startLibraryExchange(this.#agents.of(clientCertificate), to.origin, request, answer)
      return
    }
    const target: ConnectionTarget = {
      hostname: to.hostname,
      port: to.port,
      isTls: to.isTls,
      ...(clientCertificate ? { clientCertificate } : {}),
    }
    startRawExchange(this.#connector, target, request, answer, this.#limits.headBytes)
  }
}

/**
 * Whether a request that the library did not bring through is sent once more, over a separate connection: one that only
 * reads when a kept connection was lost or the answer could not be read, and any that the library refused to send.
 */
function mayRepeat({ method }: OutgoingRequest, { cause }: Failure): boolean {
  if (isRefusedByLibrary(cause)) return true
  return SAFE.has(method) && (isProtocolError(cause) || isClosedConnection(cause))
}

function responseOf(read: ReadAnswer, limit: number): DecodedResponse | Promise<DecodedResponse> {
  const coding = headerValue(read.headers, 'content-encoding')
  if (coding === undefined) return decoded(read, read.bytes, false)
  return decodeBody(read.bytes, coding, limit).then(({ bytes, isCut }) => decoded(read, bytes, isCut))
}

function decoded(
  { status, reason, headers, isCut }: ReadAnswer,
  bytes: Buffer,
  isCutToo: boolean,
): DecodedResponse {
  const body = bodyFromBytes(bytes, headerValue(headers, 'content-type'))
  return { response: { status, reason, headers, ...body }, isTruncated: isCut || isCutToo }
}

/** The request with its texts as the bytes that go on the wire. The host is a matter of the URL parser. */
function onWire(request: OutgoingRequest): OutgoingRequest {
  const { url, headers } = request
  const isPlain = isAscii(url) && headers.every(isAscii)
  if (isPlain) return request
  const target = targetOf(url)
  const origin = URL.canParse(url) ? new URL(url).origin : ''
  return {
    ...request,
    url: isAscii(target) ? url : `${origin}${asWireText(target)}`,
    headers: headers.map(asWireText),
  }
}
