import { listProbes, trafficLedger } from '../../../inventory/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

const SECONDS_PER_DAY = 86_400

interface Counts {
  received: number
  accepted: number
  duplicates: number
  rejected: number
  dropped: Record<string, number>
}

/** Accepted, duplicates, rejected; every other outcome is the name of the rule that dropped the message. */
function countsOf(outcomes: Readonly<Record<string, number>>): Counts {
  const { accepted = 0, duplicate = 0, rejected = 0, ...dropped } = outcomes
  const sum = Object.values(dropped).reduce((total, count) => total + count, 0)
  return {
    received: accepted + duplicate + rejected + sum,
    accepted,
    duplicates: duplicate,
    rejected,
    dropped,
  }
}

function addUp(list: readonly Counts[]): Counts {
  const total: Counts = { received: 0, accepted: 0, duplicates: 0, rejected: 0, dropped: {} }
  for (const counts of list) {
    total.received += counts.received
    total.accepted += counts.accepted
    total.duplicates += counts.duplicates
    total.rejected += counts.rejected
    for (const [rule, count] of Object.entries(counts.dropped)) {
      total.dropped[rule] = (total.dropped[rule] ?? 0) + count
    }
  }
  return total
}

/** Accounts for every message received. */
export const fetchTrafficLedger: Handler<'fetchTrafficLedger'> = async (input, { app, caller }) => {
  const end = input.endTimestamp > 0 ? input.endTimestamp : nowSeconds()
  const rows = await trafficLedger(
    app,
    Math.floor(input.startTimestamp / SECONDS_PER_DAY),
    Math.floor(end / SECONDS_PER_DAY),
    input.sources ?? [],
  )
  const days = rows.map(({ day, source, outcomes }) => ({
    day: day * SECONDS_PER_DAY,
    source,
    ...countsOf(outcomes),
  }))
  const probes = await listProbes(app, caller.collectionIds, input.skip, input.limit)
  return { days, totals: addUp(days), probes: probes.probes, probesTotal: probes.total }
}
