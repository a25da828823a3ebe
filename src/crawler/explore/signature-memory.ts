import { mostLearned } from './learned.ts'
import type { Learn } from './shared-memory.ts'

/** Runs without a find, one after another, after which a signature is given up. */
const PATIENCE = 3
/** The same of a kind without an operation, although each showed something, as the branches of a tree do. */
const DRY_PATIENCE = 8

/** What an action of the crawl is remembered by: see {@link ChosenAction}. */
interface Kinds {
  readonly signature: string
  readonly kind: string
}

/**
 * Remembers across the whole crawl which kinds of elements lead anywhere. A signature is dropped after three fruitless
 * runs in a row; one find makes it welcome again. Holds the last used 20,000.
 */
export class SignatureMemory {
  readonly #records = new Map<string, number>()
  readonly #capacity: number

  readonly #learn: Learn

  constructor(capacity = 20_000, learn: Learn = () => {}) {
    this.#capacity = capacity
    this.#learn = learn
  }

  /** Notes what one run of an action with this signature brought. */
  note(signature: string, hasFound: boolean): void {
    this.#learn('signature', signature, hasFound ? -1 : 1)
    this.restore(signature, hasFound ? 0 : (this.#records.get(signature) ?? 0) + 1)
  }

  /** Notes what one action brought: something new to see, or an operation. */
  noteRun(
    { signature, kind }: Kinds,
    { isNews, isOperation }: Readonly<Record<'isNews' | 'isOperation', boolean>>,
  ): void {
    this.note(signature, isNews)
    this.note(kind, isNews)
    this.note(dry(kind), isOperation)
  }

  /** Notes that an operation was found behind what an action opened. */
  noteFound({ signature, kind }: Kinds): void {
    this.note(signature, true)
    this.note(dry(kind), true)
  }

  /** Whether elements of a kind only ever show something, and lead to no operation. */
  isDry(kind: string): boolean {
    return this.isDropped(dry(kind), DRY_PATIENCE)
  }

  /** Takes over how many runs in a row were fruitless, by anyone who did them. */
  restore(signature: string, fruitless: number): void {
    this.#records.delete(signature)
    this.#records.set(signature, fruitless)
    if (this.#records.size > this.#capacity) {
      const oldest = this.#records.keys().next()
      if (!oldest.done) this.#records.delete(oldest.value)
    }
  }

  /** Whether nothing is to be expected of it, after `patience` fruitless runs in a row. */
  isDropped(signature: string, patience = PATIENCE): boolean {
    return (this.#records.get(signature) ?? 0) >= patience
  }

  /** Makes it one that is never used again. */
  ban(signature: string): void {
    this.#learn('signature', signature, mostLearned)
    this.#records.set(signature, mostLearned)
  }

  /** 2 never used, 1 led somewhere lately, 0 used in vain. */
  promise(signature: string): number {
    const fruitless = this.#records.get(signature)
    if (fruitless === undefined) return 2
    return fruitless === 0 ? 1 : 0
  }

  /** Gives every dropped signature that was not banned one more run. */
  forgive(): void {
    for (const [signature, fruitless] of this.#records)
      if (fruitless >= PATIENCE && fruitless < mostLearned) this.#records.set(signature, PATIENCE - 1)
  }
}

/** Counts runs of a kind without an operation. */
function dry(kind: string): string {
  return `dry ${kind}`
}
