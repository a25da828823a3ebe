import { Failure } from '../../kit/index.ts'
import type { HeaderList } from '../exchange.ts'
import { headerValue } from '../exchange.ts'
import { MAX_HEADERS } from '../header-text.ts'
import type { AbortWatch } from './abort-watch.ts'
import type { DeadlineLine, Timed } from './deadline-line.ts'

/** An event stream ends after this silence, or after so long in all. */
const STREAM_SILENCE_MS = 2_000
const STREAM_TOTAL_MS = 20_000

/** How long and how much of an answer is waited for. */
export interface AnswerLimits {
  readonly connectMs: number
  /** To the end of the answer's headers, the connection included. */
  readonly firstByteMs: number
  readonly totalMs: number
  /** Bytes of the body that are kept, before and after decoding. */
  readonly bodyBytes: number
  /** Bytes of the answer's headers. */
  readonly headBytes: number
}

/** What a transport read, the body still coded. */
export interface ReadAnswer {
  readonly status: number
  readonly reason: string
  readonly headers: HeaderList
  readonly bytes: Buffer
  readonly isCut: boolean
  readonly firstByteMs: number
  readonly totalMs: number
  readonly remoteAddress: string
}

/** Ends the connection of an answer that nobody waits for any more. */
type Cancel = () => void

/** What ends answers that nobody sends to their end; shared by all requests of a sender. */
export interface AnswerEnds {
  readonly firstByte: DeadlineLine
  readonly total: DeadlineLine
  readonly aborts: AbortWatch
}

/**
 * An answer while it arrives. A transport tells it what it reads; the limits, the deadlines and the end of the run
 * are kept here, so that they hold for every transport alike.
 */
export class PendingAnswer implements Timed {
  readonly promise: Promise<ReadAnswer>
  readonly #limits: AnswerLimits
  readonly #signal: AbortSignal
  readonly #ends: AnswerEnds
  readonly #started = performance.now()
  readonly #lingerMs: number
  readonly #stop = (): void => {
    if (this.#lingerMs === 0) this.fail(new Failure('SEND_STOPPED'))
    else this.#last = setTimeout(() => this.fail(new Failure('SEND_STOPPED')), this.#lingerMs)
  }
  #resolve: (answer: ReadAnswer) => void = () => {}
  #reject: (error: Error) => void = () => {}
  #cancel: Cancel | null = null
  #isSettled = false
  #stream: NodeJS.Timeout | null = null
  #silence: NodeJS.Timeout | null = null
  #last: NodeJS.Timeout | null = null
  #head: { status: number; reason: string; headers: HeaderList; atMs: number } | null = null
  #parts: Buffer[] = []
  #size = 0
  remoteAddress = ''

  /** @param lingerMs how long the answer is still waited for after the signal was aborted */
  constructor(limits: AnswerLimits, signal: AbortSignal, ends: AnswerEnds, lingerMs = 0) {
    this.#limits = limits
    this.#signal = signal
    this.#lingerMs = lingerMs
    this.#ends = ends
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    ends.firstByte.enter(this)
    ends.total.enter(this)
    if (ends.aborts.watch(signal, this.#stop)) this.fail(new Failure('SEND_STOPPED'))
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  /** True as soon as the headers of the answer are there. */
  get hasHead(): boolean {
    return this.#head !== null
  }

  get receivedBytes(): number {
    return this.#size
  }

  /** The transport's way to end; called at once when nobody waits any more. */
  onCancel(cancel: Cancel): void {
    this.#cancel = cancel
    if (this.#isSettled) cancel()
  }

  head(status: number, reason: string, headers: HeaderList): void {
    if (this.#isSettled) return
    this.#ends.firstByte.leave(this)
    if (headers.length > 2 * MAX_HEADERS) {
      this.fail(
        new Failure('TARGET_BROKE_PROTOCOL', {
          reason: `it has ${headers.length / 2} headers, more than ${MAX_HEADERS}`,
        }),
      )
      return
    }
    this.#head = { status, reason, headers, atMs: performance.now() - this.#started }
    if (/^\s*text\/event-stream/i.test(headerValue(headers, 'content-type') ?? '')) {
      this.#stream = setTimeout(() => this.#finish(true), STREAM_TOTAL_MS)
      this.#silence = setTimeout(() => this.#finish(true), STREAM_SILENCE_MS)
    }
  }

  data(part: Buffer): void {
    if (this.#isSettled) return
    const room = this.#limits.bodyBytes - this.#size
    this.#parts.push(part.length > room ? part.subarray(0, room) : part)
    this.#size += Math.min(part.length, room)
    this.#silence?.refresh()
    if (part.length > room) this.#finish(true)
  }

  end(): void {
    this.#finish(false)
  }

  late(ms: number): void {
    this.fail(new Failure('TARGET_TIMEOUT', { seconds: ms / 1000 }))
  }

  fail(error: Error): void {
    if (this.#isSettled) return
    this.#settle()
    this.#reject(error)
    this.#cancel?.()
  }

  #finish(isCut: boolean): void {
    if (this.#isSettled || this.#head === null) return
    const { status, reason, headers, atMs } = this.#head
    this.#settle()
    this.#resolve({
      status,
      reason,
      headers,
      bytes: this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts),
      isCut,
      firstByteMs: Math.round(atMs),
      totalMs: Math.round(performance.now() - this.#started),
      remoteAddress: this.remoteAddress,
    })
    if (isCut) this.#cancel?.()
  }

  #settle(): void {
    this.#isSettled = true
    this.#ends.firstByte.leave(this)
    this.#ends.total.leave(this)
    if (this.#stream !== null) clearTimeout(this.#stream)
    if (this.#silence !== null) clearTimeout(this.#silence)
    if (this.#last !== null) clearTimeout(this.#last)
    this.#ends.aborts.leave(this.#signal, this.#stop)
  }
}
