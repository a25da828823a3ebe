import { DEFAULT_RULES, type TypeRules } from '../../../data-types/index.ts'
import type { MessageHash } from '../counts/index.ts'
import { type Probe, type SampleWrite, Tally } from '../counts/index.ts'
import { type FastPaths, NO_FAST_PATHS } from '../learn/index.ts'
import type { CallCounts, EndpointState, Fact, PendingCounts } from '../state/index.ts'
import type { FoundMessage } from './findings.ts'

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

  countCall(endpoint: EndpointState, at: number, status: number, address: string): void {
    const counts = this.#countsOf(endpoint, at)
    counts.count++
    if (at > counts.lastSeen) counts.lastSeen = at
    const minute = Math.floor(at / 60)
    const slot = minute * 10 + (status >= 100 && status < 1000 ? Math.floor(status / 100) : 0)
    if (slot !== counts.slot) {
      settleMinutes(counts)
      counts.slot = slot
    }
    counts.inSlot++
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
      slot: 0,
      inSlot: 0,
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
    this.calls.forEach((calls, { id }) => {
      counts.addCall(id, calls.count, calls.lastSeen)
      settleMinutes(calls)
      calls.minutes.forEach((count, slot) => {
        counts.addMinute(id, Math.floor(slot / 10), slot % 10, count)
      })
      calls.addresses.forEach((addresses, window) => {
        details.addAddresses(id, window, addresses)
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

function settleMinutes(counts: CallCounts): void {
  const { slot, inSlot, minutes } = counts
  if (inSlot === 0) return
  counts.inSlot = 0
  minutes.set(slot, (minutes.get(slot) ?? 0) + inSlot)
}
