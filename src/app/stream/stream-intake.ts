import { setTimeout as sleep } from 'node:timers/promises'
import { UsualMessages } from '../../http/index.ts'
import type { InventoryPort } from '../../inventory/index.ts'
import {
  Failure,
  inSpan,
  type Log,
  PollLoop,
  readStreamAddress,
  reportError,
  type Settings,
} from '../../kit/index.ts'
import {
  openStream,
  requireStreamClient,
  type StreamBatch,
  type StreamConsumer,
  type StreamPlace,
} from '../../traffic/index.ts'
import { type StreamPart, streamParts } from './stream-parts.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
const LAG_EVERY_MS = 5000

interface StreamDeps {
  readonly log: Log
  readonly inventory: InventoryPort
  readonly place: StreamPlace
}

/** What came of the stream since start. */
interface StreamFigures {
  readonly isConnected: boolean
  /** Records of the whole stream that no process acknowledged; null before it was asked. */
  readonly lag: number | null
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: number
  readonly dropped: number
  readonly deadLetters: number
}

/**
 * The intake of the stream that the settings name; null when they name none.
 *
 * @throws Failure STREAM_CLIENT_MISSING
 */
export async function openStreamIntake(
  settings: Settings,
  deps: Omit<StreamDeps, 'place'>,
): Promise<StreamIntake | null> {
  const { streamUrl, streamTopic: topic, streamGroup: group } = settings
  if (streamUrl === null) return null
  const address = readStreamAddress(streamUrl)
  await requireStreamClient(address.kind)
  const {
    streamCa: ca,
    streamClientCertificate: clientCertificate,
    streamCredentials: credentials,
  } = settings
  return new StreamIntake({ ...deps, place: { address, topic, group, ca, clientCertificate, credentials } })
}

/**
 * Feeds the records of a message stream to the inventory, the way of the ingest operation: same limits, counters and
 * duplicates. A batch is acknowledged after the transaction of its messages and of those before it; what the store
 * cannot take now is tried again, and meanwhile nothing more is asked for.
 */
export class StreamIntake {
  readonly #deps: StreamDeps
  readonly #closing = new AbortController()
  readonly #usual = new UsualMessages()
  readonly #lag: PollLoop
  readonly #counts = { accepted: 0, duplicates: 0, rejected: 0, dropped: 0, deadLetters: 0 }
  #consumer: StreamConsumer | null = null
  #behind: number | null = null
  #running: Promise<void> = Promise.resolve()

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.#lag = new PollLoop({
      everyMs: LAG_EVERY_MS,
      pass: async () => {
        this.#behind = (await this.#consumer?.lag()) ?? this.#behind
      },
      onError: (error) => this.#note(error),
    })
  }

  begin(): void {
    this.#running = this.#run()
    this.#lag.begin()
  }

  figures(): StreamFigures {
    return { ...this.#counts, isConnected: this.#consumer !== null, lag: this.#behind }
  }

  /** Ends after the batches under way; what was not acknowledged is delivered again. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([this.#lag.close(), this.#running])
  }

  /** Reads the stream until closed; joins it again after an error, with growing pauses. */
  async #run(): Promise<void> {
    const { signal } = this.#closing
    let pauseMs = FIRST_PAUSE_MS
    while (!signal.aborted) {
      try {
        const consumer = await openStream(this.#deps.place)
        this.#consumer = consumer
        void this.#lag.poll()
        try {
          await this.#consume(consumer, () => {
            pauseMs = FIRST_PAUSE_MS
          })
        } finally {
          this.#consumer = null
          await consumer.close()
        }
      } catch (error) {
        if (signal.aborted) return
        this.#note(error)
        await this.#pause(pauseMs)
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      }
    }
  }

  /** One batch is analysed while the one before it is committed. */
  async #consume(consumer: StreamConsumer, onProgress: () => void): Promise<void> {
    const failed = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, failed.signal])
    let before: Promise<void> = Promise.resolve()
    for (;;) {
      const batch = await consumer.next(signal)
      if (batch === null) break
      const taken = this.#take(consumer, batch, signal)
      const done = Promise.all([before, taken]).then(async () => {
        await batch.acknowledge()
        onProgress()
      })
      done.catch(() => failed.abort()) // thrown to the caller below
      await before
      before = done
    }
    await before
  }

  async #take(consumer: StreamConsumer, batch: StreamBatch, signal: AbortSignal): Promise<void> {
    const attributes = { 'vigil.messages': batch.records.length }
    await inSpan(
      'stream batch',
      { kind: 'consumer', context: null, mayBegin: true, attributes },
      async () => {
        for (const part of streamParts(batch.records, this.#usual))
          await this.#takePart(consumer, part, signal)
      },
    )
  }

  async #takePart(consumer: StreamConsumer, part: StreamPart, signal: AbortSignal): Promise<void> {
    const refused = await this.#ingest(part, signal)
    const letters = part.deadLetters(refused)
    if (letters.length === 0) return
    await consumer.sendDeadLetters(letters)
    this.#counts.deadLetters += letters.length
  }

  /** @returns reasons of messages that were rejected, by index; or why the whole part was */
  async #ingest(
    part: StreamPart,
    signal: AbortSignal,
  ): Promise<{ index: number; reason: string }[] | string> {
    const { inventory } = this.#deps
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        const outcome = await inventory.ingest(
          part.bytes(),
          { byHost: true },
          'OTHER',
          null,
          null,
          part.deliveries,
        )
        this.#counts.accepted += outcome.accepted
        this.#counts.duplicates += outcome.duplicates
        this.#counts.rejected += outcome.rejected.length
        for (const count of Object.values(outcome.dropped)) this.#counts.dropped += count
        return outcome.rejected
      } catch (error) {
        if (error instanceof Failure && isRefusal(part, error.code)) return error.code
        if (signal.aborted) throw error
        this.#note(error)
        await this.#pause(pauseMs)
        if (signal.aborted) throw error
      }
    }
  }

  #note(error: unknown): void {
    this.#deps.log.warn('part.failed', { part: 'stream', error: reportError(error) })
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => {}) // closed meanwhile
  }
}

/** Whether the part itself is refused, now and whenever it is sent again; every other failure is of this moment. */
function isRefusal({ namesCollection }: StreamPart, code: string): boolean {
  return UNREADABLE.has(code) || (namesCollection && REFUSALS.has(code))
}

const UNREADABLE: ReadonlySet<string> = new Set(['INVALID_JSON_BODY', 'TOO_MANY_MESSAGES'])
/** A record can name a collection that is not there. */
const REFUSALS: ReadonlySet<string> = new Set([
  'NO_SUCH_COLLECTION',
  'GROUP_TARGET',
  'DEACTIVATED_TARGET',
  'INVALID_FIELD',
])
