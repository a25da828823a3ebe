import { learnedFactItems } from '../../contract/limits.ts'
import type { CrawlMemory } from './crawl-ports.ts'
import {
  joinedNews,
  type LearnedFact,
  type LearnedKind,
  learnedLength,
  learnedRules,
  withNews,
} from './learned.ts'

/** Facts on hold of one page; beyond that its later ones are reported to nobody. */
const MOST_HELD = 1_000
/** Facts that wait for an exchange; beyond that the earliest are reported to nobody. */
const MOST_WAITING = 10_000

/** Takes in what is learned: kind, key, value (1 unless given) and note ('' unless given), see {@link LearnedFact}. */
export type Learn = (kind: LearnedKind, key: string, value?: number, note?: string) => void

/**
 * What this process learned and others are to know, and the other way round. Facts about work in hand are held until
 * that work is settled: anyone who does it again after a death must find it undone.
 */
export class SharedMemory {
  readonly #port: CrawlMemory | null
  readonly #apply: (fact: LearnedFact) => void
  readonly #held = new Map<string, LearnedFact[]>()
  #waiting = new Map<string, LearnedFact>()
  #revision = 0
  #exchange: Promise<void> = Promise.resolve()

  /**
   * @param port null shares with nobody
   * @param apply takes in a fact as it stands; knowing it already does no harm
   */
  constructor(port: CrawlMemory | null, apply: (fact: LearnedFact) => void) {
    this.#port = port
    this.#apply = apply
  }

  /** Tells the others with the next exchange. */
  readonly learn: Learn = (kind, key, value = 1, note = '') => {
    if (this.#port === null || key.length > learnedLength || note.length > learnedLength) return
    this.#wait({ kind, key, value, note })
  }

  /** Tells the others once the work of a page is settled. */
  hold(pageId: string, kind: LearnedKind, key: string, value = 1, note = ''): void {
    if (this.#port === null || key.length > learnedLength || note.length > learnedLength) return
    const held = this.#held.get(pageId) ?? []
    this.#held.set(pageId, held)
    if (held.length < MOST_HELD) held.push({ kind, key, value, note })
  }

  /** The work of a page is settled. */
  release(pageId: string): void {
    for (const fact of this.#held.get(pageId) ?? []) this.#wait(fact)
    this.#held.delete(pageId)
  }

  /** The work of a page came to nothing: somebody does it again. */
  drop(pageId: string): void {
    this.#held.delete(pageId)
  }

  /** Tells what was learned since the last time, and takes in what others did. One at a time. */
  exchange(): Promise<void> {
    const next = this.#exchange.catch(() => {}).then(() => this.#share()) // anyone who asked for the last one heard of it
    this.#exchange = next
    return next
  }

  async #share(): Promise<void> {
    if (this.#port === null) return
    do {
      const told = [...this.#waiting].slice(0, learnedFactItems)
      for (const [id] of told) this.#waiting.delete(id)
      try {
        const { revision, facts } = await this.#port.exchange(
          this.#revision,
          told.map(([, fact]) => fact),
        )
        this.#revision = revision
        for (const fact of facts) this.#take(fact)
      } catch (error) {
        const later = this.#waiting
        this.#waiting = new Map(told)
        for (const fact of later.values()) this.#wait(fact)
        throw error
      }
    } while (this.#waiting.size >= learnedFactItems)
  }

  /** What is not told yet counts on top. */
  #take(fact: LearnedFact): void {
    const own = this.#waiting.get(idOf(fact))
    const value = own === undefined ? fact.value : withNews(learnedRules[fact.kind], fact.value, own.value)
    this.#apply(own === undefined ? fact : { ...fact, value, note: own.note })
  }

  #wait(fact: LearnedFact): void {
    const id = idOf(fact)
    const earlier = this.#waiting.get(id)
    const value =
      earlier === undefined ? fact.value : joinedNews(learnedRules[fact.kind], earlier.value, fact.value)
    this.#waiting.set(id, { ...fact, value })
    if (this.#waiting.size <= MOST_WAITING) return
    const oldest = this.#waiting.keys().next()
    if (!oldest.done) this.#waiting.delete(oldest.value)
  }
}

function idOf({ kind, key }: LearnedFact): string {
  return `${kind} ${key}`
}
