import { type Log, newsTopics, nowSeconds, PollLoop, reportError } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import { changesBetween } from './changes-between.ts'
import { type Mark, readMarks } from './read-marks.ts'

const LOOK_EVERY_MS = 2_000
/** While changes follow each other, pages hear of them together. */
const LEAST_MS = 1_000

/** Hears what changed. */
type ChangeListener = (changes: readonly Mark[]) => void

/**
 * Watches what pages show, also what other processes change in the same store. It reads only while somebody listens, when
 * the store notifies it of a change or every two seconds: one statement, however many listen.
 */
export class ChangeFeed {
  readonly #store: Store
  readonly #log: Log
  readonly #readable: () => Promise<void>
  readonly #listeners = new Set<ChangeListener>()
  #loop: PollLoop | null = null
  #closing: Promise<void> = Promise.resolve()
  #marks: readonly Mark[] | null = null
  #isFailing = false

  /** @param readable resolves when those who hear of a change can read it */
  constructor(store: Store, log: Log, readable: () => Promise<void>) {
    this.#store = store
    this.#readable = readable
    this.#log = log
  }

  /** Tells a listener of every change from now on; resolves to how to stop that, once changes are watched. */
  async listen(listener: ChangeListener): Promise<() => void> {
    this.#listeners.add(listener)
    if (this.#loop === null) {
      this.#marks = null
      this.#loop = new PollLoop({
        everyMs: LOOK_EVERY_MS,
        pass: () => this.#look(),
        onError: (error) => this.#note(error),
        isUnref: true,
        news: { from: this.#store.news, topics: newsTopics, leastMs: LEAST_MS },
      })
      this.#loop.begin()
    }
    await this.#loop.poll()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#pause()
    }
  }

  /** Stops looking. */
  async close(): Promise<void> {
    this.#listeners.clear()
    this.#pause()
    await this.#closing
  }

  #pause(): void {
    const loop = this.#loop
    if (loop === null) return
    this.#loop = null
    this.#closing = Promise.all([this.#closing, loop.close()]).then(() => {})
  }

  /** A store that is away for minutes is one line of the log. */
  #note(error: unknown): void {
    if (!this.#isFailing) this.#log.warn('part.failed', { part: 'changes', error: reportError(error) })
    this.#isFailing = true
  }

  async #look(): Promise<void> {
    const marks = await readMarks(this.#store, nowSeconds())
    const changes = this.#marks === null ? [] : changesBetween(this.#marks, marks)
    this.#marks = marks
    this.#isFailing = false
    if (changes.length === 0) return
    await this.#readable()
    for (const listener of this.#listeners) listener(changes)
  }
}
