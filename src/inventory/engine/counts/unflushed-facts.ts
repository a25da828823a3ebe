import type { Fact } from '../state/index.ts'
import type { Tally } from './tallies.ts'

/** Counts of facts that are committed as tallies and not folded yet: kept at the facts themselves. */
export class UnflushedFacts {
  #facts: Fact[] = []

  /** Notes what the last transaction carried of a fact. */
  add(fact: Fact): void {
    if (fact.unflushed === 0) this.#facts.push(fact)
    fact.unflushed += fact.fresh
  }

  /** Adds all of them to a tally. */
  addTo(tally: Tally): void {
    for (const fact of this.#facts) tally.addFact(fact.id, fact.unflushed, fact.lastSeen)
  }

  clear(): void {
    for (const fact of this.#facts) fact.unflushed = 0
    this.#facts = []
  }
}
