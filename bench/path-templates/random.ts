/** Seeded random numbers (mulberry32): the same seed gives the same traffic on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** Integer in [from, to]. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!
  }

  /** A text of `length` signs drawn from `alphabet`. */
  text(length: number, alphabet: string): string {
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet[Math.floor(this.next() * alphabet.length)]
    return text
  }

  shuffle<T>(list: T[]): T[] {
    for (let i = list.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1))
      const kept = list[i]!
      list[i] = list[j]!
      list[j] = kept
    }
    return list
  }
}

/** Draws indexes 0..size-1 with weight 1/(rank^exponent). */
export class Zipf {
  readonly #sums: Float64Array

  constructor(size: number, exponent: number) {
    this.#sums = new Float64Array(size)
    let sum = 0
    for (let i = 0; i < size; i++) {
      sum += 1 / (i + 1) ** exponent
      this.#sums[i] = sum
    }
  }

  draw(random: Random): number {
    const goal = random.next() * (this.#sums.at(-1) ?? 0)
    let low = 0
    let high = this.#sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#sums[middle]! < goal) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** 32-bit hash of a text, to derive seeds. */
export function seedOf(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
