import { DURATION_BUCKETS, durationBucket } from '../../durations.ts'
import { type CallCounts, type EndpointState, settleMinutes } from './endpoint-state.ts'
import type { Fact, PendingCounts } from './fact.ts'

/** What the messages of one transaction count, until it is written. */
export class BatchCounts {
  readonly touched: Fact[] = []
  /** What holds counts that facts do not have yet. */
  readonly pending: PendingCounts[] = []
  /** Calls by endpoint while ids are unknown: endpoint → what is counted of it. */
  readonly calls = new Map<EndpointState, CallCounts>()

  /** Counts a call: at an epoch second, with a status and the client's address ('' for none). */
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

  /** Counts how long a call took that {@link countCall} counted; of calls whose source does not know, nothing is counted. */
  countDuration(endpoint: EndpointState, at: number, durationMs: number): void {
    const counts = this.#countsOf(endpoint, at)
    const slot = Math.floor(at / 3600) * DURATION_BUCKETS + durationBucket(durationMs)
    counts.durations ??= new Map()
    counts.durations.set(slot, (counts.durations.get(slot) ?? 0) + 1)
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
      durations: null,
    }
    endpoint.counts = counts
    this.calls.set(endpoint, counts)
    return counts
  }

  /** Lets go of what only the time of the batch needed. */
  close(): void {
    for (const endpoint of this.calls.keys()) endpoint.counts = null
  }
}
