import { DEFAULT_RULES, type TypeRules } from '../../../data-types/index.ts'
import { DURATION_BUCKETS } from '../../durations.ts'
import type { MessageHash } from '../counts/index.ts'
import { type Probe, type SampleWrite, Tally } from '../counts/index.ts'
import { BatchCounts, type EndpointState, type Fact, settleMinutes } from '../state/index.ts'
import { type FastPaths, NO_FAST_PATHS } from '../values/index.ts'
import type { FoundMessage } from './findings.ts'

/** Everything that one transaction has to write. */
export class Batch extends BatchCounts {
  readonly newEndpoints = new Set<EndpointState>()
  readonly changedEndpoints = new Set<EndpointState>()
  readonly samples: SampleWrite[] = []
  readonly hashes: MessageHash[] = []
  /** Source → outcome → messages. */
  readonly #ledger = new Map<string, Map<string, number>>()
  /** The entry counted last, which one message after the other goes to, and what is not added to it yet. */
  #latestSource = ''
  #latestOutcome = ''
  #latestTimes = 0
  readonly probes = new Map<string, Probe>()
  /** Messages in which something was found, in the order they were taken. */
  readonly found: FoundMessage[] = []
  /** Errors met while single messages were learned. */
  readonly troubles: unknown[] = []
  /** What people decided about data types. */
  readonly rules: TypeRules
  readonly fastPaths: FastPaths

  constructor(rules: TypeRules = DEFAULT_RULES, fastPaths: FastPaths = NO_FAST_PATHS) {
    super()
    this.rules = rules
    this.fastPaths = fastPaths
  }

  /** Adds what is {@link pending} to the facts; before anything is written. */
  settle(): void {
    for (const counts of this.pending) counts.settle(this.touched)
    this.pending.length = 0
  }

  /** Counts an outcome of the conservation ledger: every message received ends in exactly one outcome. */
  count(source: string, outcome: string, times = 1): void {
    if (source !== this.#latestSource || outcome !== this.#latestOutcome) {
      this.#settleLedger()
      this.#latestSource = source
      this.#latestOutcome = outcome
    }
    this.#latestTimes += times
  }

  #settleLedger(): void {
    const times = this.#latestTimes
    if (times === 0) return
    this.#latestTimes = 0
    let byOutcome = this.#ledger.get(this.#latestSource)
    if (byOutcome === undefined) {
      byOutcome = new Map()
      this.#ledger.set(this.#latestSource, byOutcome)
    }
    byOutcome.set(this.#latestOutcome, (byOutcome.get(this.#latestOutcome) ?? 0) + times)
  }

  addProbe(probe: Probe): void {
    const key = `${probe.collectionId} ${probe.method} ${probe.path} ${probe.status}`
    const known = this.probes.get(key)
    if (known === undefined) this.probes.set(key, probe)
    else {
      known.count += probe.count
      known.at = Math.max(known.at, probe.at)
      known.ip = probe.ip
    }
  }

  /** The counts as tallies, once every endpoint and fact has its id. `day` is the UTC day of the ledger. */
  tallies(day: number, factsByTally: readonly Fact[]): { COUNTS: Tally; DETAILS: Tally } {
    const counts = new Tally()
    const details = new Tally()
    this.calls.forEach((calls, { id }) => {
      counts.addCall(id, calls.count, calls.lastSeen)
      settleMinutes(calls)
      calls.minutes.forEach((count, slot) => {
        counts.addMinute(id, Math.floor(slot / 10), slot % 10, count)
      })
      calls.addresses.forEach((addresses, window) => {
        details.addAddresses(id, window, addresses)
      })
      calls.durations?.forEach((count, slot) => {
        details.addDuration(id, Math.floor(slot / DURATION_BUCKETS), slot % DURATION_BUCKETS, count)
      })
    })
    this.#settleLedger()
    this.#ledger.forEach((byOutcome, source) => {
      byOutcome.forEach((count, outcome) => {
        counts.addLedger(day, source, outcome, count)
      })
    })
    for (const fact of factsByTally) details.addFact(fact.id, fact.fresh, fact.lastSeen)
    return { COUNTS: counts, DETAILS: details }
  }
}
