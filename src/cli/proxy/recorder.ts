import { randomUUID } from 'node:crypto'
import type { Client } from '../../contract/index.ts'

const FLUSH_MS = 1000
const BATCH = 200
/** Messages that wait for a server that is away; the newest are dropped then. */
const MOST_WAITING = 10_000
/** For the last batches, when the session ends. */
const LAST_TRIES = 5
const TRY_AGAIN_MS = 500

/** One exchange that passed, in the form that the ingest operation takes. */
export type Captured = Readonly<Record<string, unknown>>

/** What became of a session. */
interface SessionFigures {
  recorded: number
  rejected: number
  lost: number
}

/** Sends what passes to a collection of a server, in batches; a batch that is sent twice counts once. */
export class Recorder {
  readonly #client: Client
  readonly #collectionId: number
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  readonly #figures: SessionFigures = { recorded: 0, rejected: 0, lost: 0 }
  #waiting: Captured[] = []
  #sending: Promise<void> = Promise.resolve()
  #isSending = false

  constructor(client: Client, collectionId: number, onError: (error: unknown) => void) {
    this.#client = client
    this.#collectionId = collectionId
    this.#onError = onError
    this.#timer = setInterval(() => void this.#flush(), FLUSH_MS)
  }

  add(message: Captured): void {
    if (this.#waiting.length >= MOST_WAITING) this.#figures.lost++
    else this.#waiting.push({ id: randomUUID(), source: 'OTHER', ...message })
  }

  /** Sends what waits. @returns what became of everything */
  async close(): Promise<SessionFigures> {
    clearInterval(this.#timer)
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

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batchData = this.#waiting.slice(0, BATCH)
      try {
        const outcome = await this.#client.op.ingestData({ batchData, apiCollectionId: this.#collectionId })
        this.#figures.rejected += outcome.rejected.length
        this.#figures.recorded += batchData.length - outcome.rejected.length
      } catch (error) {
        this.#onError(error)
        return
      }
      this.#waiting.splice(0, batchData.length)
    }
  }
}
