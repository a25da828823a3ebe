import type { DataSource } from '../../../http/index.ts'
import type { EpochSeconds } from '../../../kit/index.ts'
import {
  areEqual,
  type CallOutcome,
  type Fact,
  type PendingCounts,
  type TouchedFacts,
  type TypeList,
} from '../learn/index.ts'

/** In what calls of an endpoint are alike: what they say beside their parameters. */
export interface CallTraits {
  readonly status: number
  /** What the answer says of the credentials. */
  readonly outcome: CallOutcome
  /** Combination of credentials. */
  readonly credential: string
  /** Access class; null when nothing tells it. */
  readonly access: string | null
  readonly source: DataSource
  /** Sensitive types, in the order they were met. */
  readonly sensitiveInRequest: TypeList
  readonly sensitiveInResponse: TypeList
}

/**
 * Calls of an endpoint that are alike, all of whose traits it knows: what each of them adds to the facts that are no
 * parameters is counted once for all, instead of asking the endpoint's sets for every one.
 */
export class CallRoutine implements PendingCounts {
  readonly #traits: CallTraits
  readonly #facts: readonly Fact[]
  #count = 0
  #first: EpochSeconds = 0
  #last: EpochSeconds = 0

  /** @param facts that each call counts for */
  constructor(traits: CallTraits, facts: readonly Fact[]) {
    this.#traits = { ...traits }
    this.#facts = facts
  }

  fits(traits: CallTraits): boolean {
    const own = this.#traits
    return (
      own.status === traits.status &&
      own.outcome === traits.outcome &&
      own.credential === traits.credential &&
      own.access === traits.access &&
      own.source === traits.source &&
      areEqual(own.sensitiveInRequest, traits.sensitiveInRequest) &&
      areEqual(own.sensitiveInResponse, traits.sensitiveInResponse)
    )
  }

  /** Counts a call. */
  add(at: EpochSeconds, pending: PendingCounts[]): void {
    if (this.#count++ === 0) {
      pending.push(this)
      this.#first = at
      this.#last = at
    } else if (at > this.#last) this.#last = at
    else if (at < this.#first) this.#first = at
  }

  settle(touched: TouchedFacts): void {
    const count = this.#count
    this.#count = 0
    for (const fact of this.#facts) fact.add(count, this.#first, this.#last, touched)
  }
}
