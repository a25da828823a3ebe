import { randomUUID } from 'node:crypto'
import { CallError, type Client } from '../../contract/index.ts'

const FLUSH_MS = 1000
const BATCH = 200
/** Bytes of a batch, unless a single message is larger; the server takes 100 MB unless its settings say less. */
const BATCH_BYTES = 8 * 1024 * 1024
/** Messages, and their bytes, that wait for a server that is away; the newest are dropped then. */
const MOST_WAITING = 10_000
const MOST_WAITING_BYTES = 64 * 1024 * 1024
/** Refusals that are not about the messages: the key, the role of the process, and too much at once. */
const TRIED_AGAIN: ReadonlySet<number> = new Set([401, 403, 408, 421, 429])
/** For the last batches, when the session ends. */
const LAST_TRIES = 5
const TRY_AGAIN_MS = 500

/** One exchange that passed, in the form that the ingest operation takes. */
export type Captured = Readonly<Record<string, unknown>>

/** What became of a session. */
export interface SessionFigures {
  recorded: number
  rejected: number
  lost: number
}

interface Waiting {
  readonly message: Captured
  readonly bytes: number
}

/** Sends what passes to a collection of a server, in batches; a batch that is sent twice counts once. */
export class Recorder {
  readonly #client: Client
  readonly #collectionId: number
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  readonly #figures: SessionFigures = { recorded: 0, rejected: 0, lost: 0 }
  readonly #waiting: Waiting[] = []
  #waitingBytes = 0
  #sending: Promise<void> = Promise.resolve()
  #isSending = false
  #isClosed = false

  constructor(client: Client, collectionId: number, onError: (error: unknown) => void) {
    this.#client = client
    this.#collectionId = collectionId
    this.#onError = onError
    this.#timer = setInterval(() => void this.#flush(), FLUSH_MS)
  }

  add(message: Captured): void {
    const identified = { id: randomUUID(), source: 'OTHER', ...message }
    const bytes = Buffer.byteLength(JSON.stringify(identified))
    if (this.#waiting.length >= MOST_WAITING || this.#waitingBytes + bytes > MOST_WAITING_BYTES) {
      this.#figures.lost++
      return
    }
    this.#waiting.push({ message: identified, bytes })
    this.#waitingBytes += bytes
  }

  /** Sends what waits. A second call changes nothing. @returns what became of everything */
  async close(): Promise<SessionFigures> {
    clearInterval(this.#timer)
    if (this.#isClosed) return this.#figures
    this.#isClosed = true
    for (let tries = 0; tries < LAST_TRIES; tries++) {
      await this.#sending
      if (this.#waiting.length === 0) break
      await this.#flush()
      if (this.#waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
    }
    this.#figures.lost += this.#waiting.length
    return this.#figures
  }

  #flush(): Promise<void> {
    if (!this.#isSending) {
      this.#isSending = true
      this.#sending = this.#send().finally(() => {
        this.#isSending = false
      })
    }
    return this.#sending
  }

  /** Sends what waits; a batch that the server refuses is sent in halves, until one message is left, which is dropped. */
  async #send(): Promise<void> {
    let most = BATCH
    while (this.#waiting.length > 0) {
      const batch = this.#batch(most)
      const batchData = batch.map(({ message }) => message)
      try {
        const outcome = await this.#client.op.ingestData({ batchData, apiCollectionId: this.#collectionId })
        this.#figures.rejected += outcome.rejected.length
        this.#figures.recorded += batch.length - outcome.rejected.length
        most = Math.min(BATCH, most * 2)
      } catch (error) {
        const isRefused = isRefusal(error)
        if (isRefused && batch.length > 1) {
          most = Math.ceil(batch.length / 2)
          continue
        }
        this.#onError(error)
        if (!isRefused) return
        this.#figures.rejected++
      }
      this.#waiting.splice(0, batch.length)
      this.#waitingBytes -= bytesOf(batch)
    }
  }

  /** The first messages that wait: `most` at most, and one at least. */
  #batch(most: number): Waiting[] {
    let count = 0
    for (let bytes = 0; count < Math.min(most, this.#waiting.length); count++) {
      bytes += this.#waiting[count]!.bytes
      if (bytes > BATCH_BYTES && count > 0) break
    }
    return this.#waiting.slice(0, count)
  }
}

function bytesOf(batch: readonly Waiting[]): number {
  return batch.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Whether the server would refuse the same messages again. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof CallError && error.status >= 400 && error.status < 500 && !TRIED_AGAIN.has(error.status)
  )
}
