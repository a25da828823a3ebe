import type { MessageHash } from '../counts/index.ts'
import { HashSet } from './message-hashes.ts'

/** Imports whose messages are told apart at once; the one that rested longest is forgotten first. */
const MAX_IMPORTS = 16
/** Messages of one import that are told apart; beyond, equal ones count once. */
const MAX_MESSAGES = 500_000

/** Tells apart the equal messages of one call, or of one import that comes in several calls: each is a call of its own. */
export class Ordinals {
  readonly #seen = new HashSet()
  readonly #repeats = new Map<string, number>()
  #size = 0

  /** How many messages with this hash came before. */
  next(hash: MessageHash): number {
    if (this.#size < MAX_MESSAGES && this.#seen.add(hash)) {
      this.#size++
      return 0
    }
    if (!this.#seen.has(hash)) return 0
    const key = `${hash.high} ${hash.low}`
    const ordinal = (this.#repeats.get(key) ?? 0) + 1
    this.#repeats.set(key, ordinal)
    return ordinal
  }

  clear(): void {
    this.#seen.clear()
    this.#repeats.clear()
    this.#size = 0
  }
}

/** The ordinals of the imports that are running: an import is observed slice by slice. */
export class ImportOrdinals {
  readonly #byImport = new Map<string, Ordinals>()

  of(importId: string): Ordinals {
    const ordinals = this.#byImport.get(importId) ?? new Ordinals()
    this.#byImport.delete(importId)
    this.#byImport.set(importId, ordinals)
    if (this.#byImport.size > MAX_IMPORTS) this.#byImport.delete(this.#byImport.keys().next().value!)
    return ordinals
  }

  /** Forgets an import: a slice of it failed, so it comes from its beginning again or not at all. */
  forget(importId: string): void {
    this.#byImport.delete(importId)
  }
}
