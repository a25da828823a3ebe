import type { EpochSeconds } from '../../../kit/index.ts'
import type { EndpointState, Fact, PendingCounts, TouchedFacts } from '../state/index.ts'
import { areEqual, type CallTraits } from '../values/index.ts'

/**
 * Calls of an endpoint that are alike, all of whose traits it knows: what each of them adds to the facts that are no
 * parameters is counted once for all, instead of asking the endpoint's sets for every one.
 */
class CallProfile implements PendingCounts {
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

/** Kinds of calls of an endpoint that are counted together. */
const MAX_PROFILES = 4

/** The profiles of one endpoint. */
class CallProfiles {
  readonly #profiles: CallProfile[] = []
  #next = 0

  of(traits: CallTraits): CallProfile | null {
    for (const profile of this.#profiles) if (profile.fits(traits)) return profile
    return null
  }

  /** Keeps a profile, in place of the oldest when there are too many. */
  keep(profile: CallProfile): void {
    if (this.#profiles.length < MAX_PROFILES) this.#profiles.push(profile)
    else this.#profiles[this.#next++ % MAX_PROFILES] = profile
  }
}

/** Counts a call by its profile; false when none fits. */
export function countCall(
  endpoint: EndpointState,
  traits: CallTraits,
  at: EpochSeconds,
  pending: PendingCounts[],
): boolean {
  const profile = (endpoint.memory as CallProfiles | null)?.of(traits) ?? null
  profile?.add(at, pending)
  return profile !== null
}

/** Makes the profile of calls with these traits. */
export function noteCall(endpoint: EndpointState, traits: CallTraits, facts: readonly Fact[]): void {
  endpoint.memory ??= new CallProfiles()
  ;(endpoint.memory as CallProfiles).keep(new CallProfile(traits, facts))
}
