/** Runs without a find, one after another, after which a signature is given up. */
const PATIENCE = 3

interface Record {
  fruitless: number
  finds: number
}

/**
 * Remembers across the whole crawl which kinds of elements lead anywhere. A signature is dropped after three fruitless
 * runs in a row; one find makes it welcome again. Holds the last used 20,000.
 */
export class SignatureMemory {
  readonly #records = new Map<string, Record>()
  readonly #capacity: number

  constructor(capacity = 20_000) {
    this.#capacity = capacity
  }

  /** Notes what one run of an action with this signature brought. */
  note(signature: string, hasFound: boolean): void {
    const record = this.#records.get(signature) ?? { fruitless: 0, finds: 0 }
    this.#records.delete(signature)
    if (hasFound) {
      record.fruitless = 0
      record.finds++
    } else {
      record.fruitless++
    }
    this.#records.set(signature, record)
    if (this.#records.size > this.#capacity) {
      const oldest = this.#records.keys().next()
      if (!oldest.done) this.#records.delete(oldest.value)
    }
  }

  /** Whether nothing is to be expected of it, after `patience` fruitless runs in a row. */
  isDropped(signature: string, patience = PATIENCE): boolean {
    return (this.#records.get(signature)?.fruitless ?? 0) >= patience
  }

  /** Makes it one that is never used again. */
  ban(signature: string): void {
    this.#records.set(signature, { fruitless: Number.MAX_SAFE_INTEGER, finds: 0 })
  }

  /** 2 never used, 1 led somewhere lately, 0 used in vain. */
  promise(signature: string): number {
    const record = this.#records.get(signature)
    if (!record) return 2
    return record.fruitless === 0 ? 1 : 0
  }

  /** Gives every dropped signature that was not banned one more run. */
  forgive(): void {
    for (const record of this.#records.values()) {
      if (record.fruitless >= PATIENCE && record.fruitless < Number.MAX_SAFE_INTEGER) {
        record.fruitless = PATIENCE - 1
      }
    }
  }

  /** For the memory of the crawl: the newest 4,000. */
  toJSON(): [string, number][] {
    return [...this.#records].slice(-4000).map(([signature, record]) => [signature, record.fruitless])
  }

  /** Takes back what {@link toJSON} gave. */
  restore(entries: readonly (readonly [string, number])[]): void {
    for (const [signature, fruitless] of entries) this.#records.set(signature, { fruitless, finds: 0 })
  }
}
