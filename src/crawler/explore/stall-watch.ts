import { Failure } from '../../kit/index.ts'

/** Time without a sign of anything after which a crawl has come to a standstill, in milliseconds. */
const PATIENCE_MS = 60_000
/** Times a standstill is broken before the crawl is given up. */
const ATTEMPTS = 3

/** What a watch asks about a crawl, and what it can do. */
interface StallPorts {
  /** Whether the crawl is at its end. */
  isOver(): boolean
  /** What the crawl waits for, for people: what is in hand, since when, and why requests wait. */
  describe(): string
  /** Why nothing has to happen now, such as a pause that the application asked for; null when something should. */
  excuse(): string | null
  /** Replaces the browser. */
  restart(): void
  /** Ends the crawl. */
  giveUp(problem: string): void
  log(message: string): void
  clock(): number
}

/**
 * Notices when a crawl stands still although there is something to do: work in hand is broken off first, so that others
 * do it again; then the browser is replaced; then the crawl ends as failed, with what it waited for.
 */
export class StallWatch {
  readonly #ports: StallPorts
  readonly #patienceMs: number
  readonly #waiting = new Set<(error: Failure) => void>()
  #lastMs: number
  #attempts = 0
  #what = ''

  constructor(ports: StallPorts, patienceMs = PATIENCE_MS) {
    this.#ports = ports
    this.#patienceMs = patienceMs
    this.#lastMs = ports.clock()
  }

  /** Something happened: an action was done, or a piece of work ended. */
  note(): void {
    this.#lastMs = this.#ports.clock()
    this.#attempts = 0
  }

  /**
   * Waits for a promise until the watch breaks the standstill.
   *
   * @throws Failure BROWSER_TIMED_OUT when it does
   */
  async within<T>(work: Promise<T>): Promise<T> {
    let breakOff: ((error: Failure) => void) | null = null
    const broken = new Promise<never>((_, reject) => {
      breakOff = reject
      this.#waiting.add(reject)
    })
    try {
      return await Promise.race([work, broken])
    } finally {
      this.#waiting.delete(breakOff!)
      work.catch(() => {}) // of work that was broken off nobody waits for the end
    }
  }

  /** Looks whether the crawl stands still; to be called every few seconds. */
  check(): void {
    const { isOver, excuse, describe, restart, giveUp, log, clock } = this.#ports
    if (isOver() || excuse() !== null) {
      this.#lastMs = clock()
      return
    }
    const idleMs = clock() - this.#lastMs
    if (idleMs < this.#patienceMs) return
    this.#attempts++
    this.#lastMs = clock()
    const seconds = Math.round((idleMs * this.#attempts) / 1000)
    this.#what = `Nothing has happened for ${seconds} s although there is work. ${describe()}`
    if (this.#attempts > ATTEMPTS) giveUp(`The crawl came to a standstill. ${this.#what}`)
    else if (this.#attempts === 1) log(`${this.#what} What is in hand is broken off and done again.`)
    else {
      log(`${this.#what} The browser is replaced.`)
      restart()
    }
    this.breakOff()
  }

  /** Whether nothing has happened since a standstill was broken. */
  get isStuck(): boolean {
    return this.#attempts > 0
  }

  /** Work that was only ever broken off is not done, even where none is left. @returns whether it gave up */
  giveUpIfStuck(): boolean {
    if (this.isStuck) this.#ports.giveUp(`The crawl came to a standstill. ${this.#what}`)
    return this.isStuck
  }

  /** Ends all waiting for work in hand. */
  breakOff(): void {
    const ms = Math.round(this.#patienceMs)
    for (const reject of [...this.#waiting])
      reject(new Failure('BROWSER_TIMED_OUT', { call: 'a piece of work', ms }))
  }
}
