import type { Store } from '../store/index.ts'
import { scoreChanges } from './engine/counts/index.ts'

/** A change shows in the score after at most so long, and the time of the scoring itself. */
const LOOK_EVERY_MS = 1_000

/** Scores endpoints whose issues or attacks changed; every process has one, and they share the work. */
export class RiskKeeper {
  readonly #store: Store
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | null = null
  #scoring: Promise<void> = Promise.resolve()
  #isClosed = false

  /** @param onError hears why scores were not written; it is tried again */
  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store
    this.#onError = onError
  }

  begin(): void {
    this.#wait()
  }

  /** Ends the loop, after what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#scoring
  }

  #wait(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#scoring = scoreChanges(this.#store)
        .then(() => {}, this.#onError)
        .finally(() => this.#wait())
    }, LOOK_EVERY_MS)
    this.#timer.unref()
  }
}
