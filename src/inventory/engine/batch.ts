import { DEFAULT_RULES, type TypeRules } from '../data-types/index.ts'
import type { EndpointState } from './endpoint-state.ts'
import type { Fact, PendingCounts } from './fact.ts'
import type { FoundMessage } from './findings.ts'
import type { MessageHash } from './message-hashes.ts'
import { Tally } from './tallies.ts'
import type { Probe, SampleWrite } from './write-facts.ts'

/** Everything that one transaction has to write. */
export class Batch {
  readonly newEndpoints = new Set<EndpointState>()
  readonly changedEndpoints = new Set<EndpointState>()
  readonly touched: Fact[] = []
  /** What holds counts that facts do not have yet. */
  readonly pending: PendingCounts[] = []
  readonly samples: SampleWrite[] = []
  readonly hashes: MessageHash[] = []
  /** Calls by endpoint while ids are unknown: endpoint → what is counted of it. */
  readonly calls = new Map<EndpointState, CallCounts>()
  /** Source → outcome → messages. */
  readonly ledger = new Map<string, Map<string, number>>()
  readonly probes = new Map<string, Probe>()
  /** Messages in which something was found, in the order they were taken. */
  readonly found: FoundMessage[] = []
  /** Errors met while single messages were learned. */
  readonly troubles: unknown[] = []
  /** What people decided about data types. */
  readonly rules: TypeRules

  constructor(rules: TypeRules = DEFAULT_RULES) {
    this.rules = rules
  }

  /** Adds what is {@link pending} to the facts; before anything is written. */
  settle(): void {
    for (const counts of this.pending) counts.settle(this.touched)
    this.pending.length = 0
  }

  /** Counts an outcome of the conservation ledger: every message received ends in exactly one outcome. */
  count(source: string, outcome: string, times = 1): void {
    let byOutcome = this.ledger.get(source)
    if (byOutcome === undefined) {
      byOutcome = new Map()
      this.ledger.set(source, byOutcome)
    }
    byOutcome.set(outcome, (byOutcome.get(outcome) ?? 0) + times)
  }

  countCall(endpoint: EndpointState, at: number, status: number, address: string): void {
    const counts = this.#countsOf(endpoint, at)
    counts.count++
    if (at > counts.lastSeen) counts.lastSeen = at
    const minute = Math.floor(at / 60)
    const slot = minute * 10 + (status >= 100 && status < 1000 ? Math.floor(status / 100) : 0)
    counts.minutes.set(slot, (counts.minutes.get(slot) ?? 0) + 1)
    if (address === '') return
    const window = minute - (minute % 5)
    if (window !== counts.window) {
      let addresses = counts.addresses.get(window)
      if (addresses === undefined) {
        addresses = new Map()
        counts.addresses.set(window, addresses)
      }
      counts.window = window
      counts.latest = addresses
    }
    counts.latest.set(address, (counts.latest.get(address) ?? 0) + 1)
  }

  #countsOf(endpoint: EndpointState, at: number): CallCounts {
    const known = endpoint.counts
    if (known !== null && known.batch === this) return known
    const counts: CallCounts = {
      batch: this,
      count: 0,
      lastSeen: at,
      minutes: new Map(),
      window: -1,
      latest: new Map(),
      addresses: new Map(),
    }
    endpoint.counts = counts
    this.calls.set(endpoint, counts)
    return counts
  }

  /** Lets go of what only the time of the batch needed. */
  close(): void {
    for (const endpoint of this.calls.keys()) endpoint.counts = null
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
    for (const [endpoint, calls] of this.calls) {
      counts.addCall(endpoint.id, calls.count, calls.lastSeen)
      for (const [slot, count] of calls.minutes) {
        counts.addMinute(endpoint.id, Math.floor(slot / 10), slot % 10, count)
      }
      for (const [window, addresses] of calls.addresses) {
        details.addAddresses(endpoint.id, window, addresses)
      }
    }
    for (const [source, byOutcome] of this.ledger) {
      for (const [outcome, count] of byOutcome) counts.addLedger(day, source, outcome, count)
    }
    for (const fact of factsByTally) details.addFact(fact.id, fact.fresh, fact.lastSeen)
    return { COUNTS: counts, DETAILS: details }
  }
}

/** Calls of one endpoint in a batch. */
export interface CallCounts {
  readonly batch: Batch
  count: number
  lastSeen: number
  /** minute × 10 + status class → calls */
  minutes: Map<number, number>
  /** Start of the window met last, and its calls by address. */
  window: number
  latest: Map<string, number>
  /** window start → address → calls */
  addresses: Map<number, Map<string, number>>
}
