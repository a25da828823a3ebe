import type { CrawlLogRecord } from '../records/crawl-log.ts'
import type { CrawlStepRecord } from '../records/crawl-steps.ts'
import type { CrawlUrlRecord } from '../records/crawl-urls.ts'
import type { CrawlBatch } from './crawl-link.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'
import type { Spool } from './spool.ts'

/** One batch holds this many records and characters; a larger record is sent in its own batch. */
const BATCH_RECORDS = 200
const BATCH_CHARS = 2 * 1024 * 1024
/** Characters that may wait before anyone who can wait has to. */
const ROOM_CHARS = 16 * 1024 * 1024

/** One thing that a crawl found. */
type CrawlFinding =
  | { readonly url: CrawlUrlRecord }
  | { readonly message: string }
  | { readonly step: CrawlStepRecord }
  | { readonly log: CrawlLogRecord }

interface Waiting {
  readonly finding: CrawlFinding
  readonly chars: number
  /** Number in the spool; 0 for what is not in it. */
  readonly number: number
}

/**
 * Everything a crawl finds, on its way to the server in order. It is on disk before it is sent, so it outlives the
 * process; log lines are not, since they are only about the process.
 */
export class Outbox {
  readonly #deliver: (batch: CrawlBatch) => Promise<void>
  readonly #spool: Spool
  readonly #signal: AbortSignal
  #waiting: Waiting[] = []
  #chars = 0
  #pumping: Promise<void> | null = null
  #problem: unknown = null
  #rest: (() => void)[] = []

  /**
   * @param openSpool opens the spool; what an earlier process left goes first
   * @param signal ends the attempts to reach the server
   */
  constructor(
    openSpool: (leftovers: (text: string, number: number) => void) => Spool,
    deliver: (batch: CrawlBatch) => Promise<void>,
    signal: AbortSignal,
  ) {
    this.#deliver = deliver
    this.#signal = signal
    this.#spool = openSpool((text, number) =>
      this.#queue(JSON.parse(text) as CrawlFinding, text.length, number),
    )
    this.#pump()
  }

  /** Takes one finding over. */
  push(finding: CrawlFinding): void {
    if ('log' in finding) this.#queue(finding, finding.log.line.length, 0)
    else {
      const text = JSON.stringify(finding)
      this.#queue(finding, text.length, this.#spool.append(text))
    }
    this.#pump()
  }

  /** Resolves when not too much waits. @throws what keeps the server from taking anything */
  async room(): Promise<void> {
    while (this.#chars > ROOM_CHARS && this.#problem === null) await this.#next()
    if (this.#problem !== null) throw this.#problem
  }

  /** Resolves when everything pushed before was delivered. @throws what keeps the server from taking it */
  async flushed(): Promise<void> {
    const last = this.#waiting.at(-1)
    while (last !== undefined && this.#waiting.includes(last) && this.#problem === null) await this.#next()
    if (this.#problem !== null) throw this.#problem
  }

  /** Gives up what waits. */
  discard(): void {
    this.#waiting = []
    this.#chars = 0
    this.#spool.delivered(Number.POSITIVE_INFINITY)
  }

  /** Closes the spool; what was not delivered stays in it. */
  async close(): Promise<void> {
    await this.#pumping
    this.#spool.close()
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#rest.push(resolve))
  }

  #queue(finding: CrawlFinding, chars: number, number: number): void {
    this.#waiting.push({ finding, chars, number })
    this.#chars += chars
  }

  #pump(): void {
    if (this.#pumping !== null || this.#problem !== null || this.#waiting.length === 0) return
    this.#pumping = this.#drain()
      .catch((error: unknown) => {
        this.#problem = error
      })
      .finally(() => {
        this.#pumping = null
        this.#wake()
        // What came since the last look at what waits found a pump that was still running.
        this.#pump()
      })
  }

  async #drain(): Promise<void> {
    // What is found in the same moment goes together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch()
      await retryWithBackoff(() => this.#deliver(batchOf(batch.map(({ finding }) => finding))), this.#signal)
      this.#waiting.splice(0, batch.length)
      this.#chars -= batch.reduce((sum, { chars }) => sum + chars, 0)
      const last = batch.findLast(({ number }) => number > 0)
      if (last !== undefined) this.#spool.delivered(last.number)
      this.#wake()
    }
  }

  #nextBatch(): Waiting[] {
    let chars = 0
    let count = 0
    for (const { chars: more } of this.#waiting) {
      if (count > 0 && (count >= BATCH_RECORDS || chars + more > BATCH_CHARS)) break
      chars += more
      count++
    }
    return this.#waiting.slice(0, count)
  }

  #wake(): void {
    const rest = this.#rest
    this.#rest = []
    for (const resolve of rest) resolve()
  }
}

function batchOf(findings: readonly CrawlFinding[]): CrawlBatch {
  return {
    urls: findings.flatMap((one) => ('url' in one ? [one.url] : [])),
    messages: findings.flatMap((one) => ('message' in one ? [one.message] : [])),
    steps: findings.flatMap((one) => ('step' in one ? [one.step] : [])),
    logs: findings.flatMap((one) => ('log' in one ? [one.log] : [])),
  }
}
