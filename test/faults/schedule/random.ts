/** Random choices, the same for the same seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x2545f491) >>> 0
    this.number()
  }

  /** From 0 to 1. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  between(low: number, high: number): number {
    return low + this.number() * (high - low)
  }

  of<T>(list: readonly T[]): T {
    return list[Math.floor(this.number() * list.length)]!
  }
}
