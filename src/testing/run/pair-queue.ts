import type { PlannedPair } from '../plan/plan.ts'

/** A pair that waits. */
export interface QueuedPair extends PlannedPair {
  /** Its test changes the state of the endpoint. */
  readonly isIntrusive: boolean
  /** Lowest first: what only reads, then what changes something, then what is slow, last what signs in. */
  readonly phase: number
}

interface EndpointQueue {
  readonly waiting: QueuedPair[]
  running: number
  hasIntrusive: boolean
}

/**
 * Hands out pairs so that an intrusive test has its path for itself, with all methods: what it changes must not reach the
 * verdict of another. Paths take turns, so that no host is hit only by one endpoint's tests.
 */
export class PairQueue {
  readonly #endpoints: EndpointQueue[] = []
  readonly #byEndpoint = new Map<string, EndpointQueue>()
  /** Phases of the pairs, lowest first. */
  readonly #phases: readonly number[]
  #turn = 0
  #waiting = 0

  constructor(pairs: readonly QueuedPair[]) {
    for (const pair of pairs) this.#queueOf(pair).waiting.push(pair)
    // The last is taken first: arrays are short at their end.
    for (const queue of this.#endpoints) {
      queue.waiting.reverse()
      queue.waiting.sort((a, b) => b.phase - a.phase)
    }
    this.#phases = [...new Set(pairs.map(({ phase }) => phase))].sort((a, b) => a - b)
    this.#waiting = pairs.length
  }

  get waiting(): number {
    return this.#waiting
  }

  /** The next pair that may run now, or null: either none waits, or all that wait have busy endpoints. */
  take(): QueuedPair | null {
    for (const phase of this.#phases) {
      for (let i = 0; i < this.#endpoints.length; i++) {
        const queue = this.#endpoints[(this.#turn + i) % this.#endpoints.length]!
        const next = queue.waiting.at(-1)
        if (next === undefined || next.phase > phase || queue.hasIntrusive) continue
        if (next.isIntrusive && queue.running > 0) continue
        queue.waiting.pop()
        queue.running++
        queue.hasIntrusive = next.isIntrusive
        this.#turn = (this.#turn + i + 1) % this.#endpoints.length
        this.#waiting--
        return next
      }
    }
    return null
  }

  /** Tells that a pair was taken and has ended. */
  done(pair: QueuedPair): void {
    const queue = this.#queueOf(pair)
    queue.running--
    if (pair.isIntrusive) queue.hasIntrusive = false
  }

  #queueOf({ endpoint }: PlannedPair): EndpointQueue {
    const key = `${endpoint.collectionId} ${endpoint.url}`
    const known = this.#byEndpoint.get(key)
    if (known !== undefined) return known
    const made: EndpointQueue = { waiting: [], running: 0, hasIntrusive: false }
    this.#byEndpoint.set(key, made)
    this.#endpoints.push(made)
    return made
  }
}
