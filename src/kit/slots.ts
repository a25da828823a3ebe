import { Failure } from './failure.ts'

/**
 * Lets at most `limit` pieces of work run at once and at most `maxWaiting` wait, in order of arrival. For work that
 * is dear (password hashing, lookups for strangers) and must not crowd out the rest.
 */
export class Slots {
  readonly #limit: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limit: number, maxWaiting: number) {
    this.#limit = limit
    this.#maxWaiting = maxWaiting
  }

  /**
   * Runs `work` when a slot is free.
   *
   * @throws Failure OVERLOADED when too many wait already
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running++
    else if (this.#waiting.length >= this.#maxWaiting) throw new Failure('OVERLOADED')
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
