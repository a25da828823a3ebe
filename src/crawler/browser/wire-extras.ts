import type { RequestSentExtra, ResponseExtra } from './wire-facts.ts'

const MAX_IDS = 500

interface Queues {
  readonly sent: RequestSentExtra[]
  readonly received: ResponseExtra[]
  wake: (() => void) | null
}

/** Headers as they were on the wire, for one hop. */
interface HopExtras {
  readonly sent: RequestSentExtra | null
  readonly received: ResponseExtra | null
}

/**
 * Headers as they were on the wire. The browser tells them apart from the rest, before or after it, in the order of the
 * hops of a request.
 */
export class WireExtras {
  readonly #queues = new Map<string, Queues>()

  sent(extra: RequestSentExtra): void {
    const queues = this.#of(extra.requestId)
    queues.sent.push(extra)
    queues.wake?.()
  }

  received(extra: ResponseExtra): void {
    const queues = this.#of(extra.requestId)
    queues.received.push(extra)
    queues.wake?.()
  }

  /** Those of the next hop; waits for both at most so long. */
  async next(id: string, waitMs: number): Promise<HopExtras> {
    const queues = this.#of(id)
    const untilMs = performance.now() + waitMs
    while (queues.sent.length === 0 || queues.received.length === 0) {
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0) break
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs)
        queues.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      queues.wake = null
    }
    return { sent: queues.sent.shift() ?? null, received: queues.received.shift() ?? null }
  }

  forget(id: string): void {
    this.#queues.delete(id)
  }

  #of(id: string): Queues {
    const known = this.#queues.get(id)
    if (known !== undefined) return known
    const made: Queues = { sent: [], received: [], wake: null }
    this.#queues.set(id, made)
    // What comes after its request was told of is never asked for again.
    if (this.#queues.size > MAX_IDS) this.#queues.delete(this.#queues.keys().next().value!)
    return made
  }
}
