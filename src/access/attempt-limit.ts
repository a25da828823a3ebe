import { isIPv6 } from 'node:net'
import { Failure, nowMs } from '../kit/index.ts'

const MAX_ADDRESSES = 10_000

/**
 * Counts failures per network address within a sliding window and refuses further attempts beyond a limit. IPv6
 * addresses count by their /64 network, which is what one customer has. Bounded: the address that was quiet for the
 * longest time is forgotten first.
 */
export class AttemptLimit {
  readonly #limit: number
  readonly #windowMs: number
  readonly #failures = new Map<string, number[]>()

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  /**
   * Takes one attempt; it counts as a failure until the returned function says that it was none. Taking before the
   * outcome is known keeps many simultaneous attempts from slipping through.
   *
   * @throws Failure TOO_MANY_REQUESTS with `retryAfterSeconds`
   */
  take(address: string): () => void {
    const key = networkOf(address)
    const now = nowMs()
    const recent = (this.#failures.get(key) ?? []).filter((at) => at > now - this.#windowMs)
    if (recent.length >= this.#limit) {
      const retryAfterSeconds = Math.ceil((recent[0]! + this.#windowMs - now) / 1000)
      throw new Failure('TOO_MANY_REQUESTS', { retryAfterSeconds })
    }
    recent.push(now)
    this.#failures.delete(key)
    this.#failures.set(key, recent)
    if (this.#failures.size > MAX_ADDRESSES) this.#failures.delete(this.#failures.keys().next().value!)
    return () => {
      const counted = this.#failures.get(key)
      const at = counted?.indexOf(now) ?? -1
      if (at >= 0) counted!.splice(at, 1)
    }
  }
}

function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const front = head.split(':').filter((part) => part !== '')
  if (tail !== undefined) while (front.length < 4) front.push('0')
  return front.slice(0, 4).join(':')
}
