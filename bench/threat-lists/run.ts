/**
 * Lists and charts of threats over HTTP on a million events of 40,000 actors in 60 days. Prints the median and the 95th
 * percentile of each, and exits with 1 when one of an unrestricted caller is not below 150 ms.
 *
 *   node bench/threat-lists/run.ts [--events 1000000] [--rounds 40] [--only fetchThreatApis] [--data folder]
 *
 * Uses the embedded store, or the empty PostgreSQL database that VIGIL_DATABASE_URL names. A store that was filled
 * before, in the folder named or on the server, is measured as it is.
 */
import { parseArgs } from 'node:util'
import { nowSeconds } from '../../src/kit/index.ts'
import { openListBench } from '../list-bench.ts'
import { threatCases } from './cases.ts'
import { SEED, seedEvents } from './seed.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    data: { type: 'string', default: '' },
  },
})
let now = nowSeconds()
const bench = await openListBench(values.data, SEED.restrictedUser, async ({ store }) => {
  const { rows } = await store.pool.query<{ at: number | null }>(
    'SELECT max(stored_at) AS at FROM threat_events',
  )
  const filledAt = rows[0]?.at ?? null
  if (filledAt === null) await seedEvents(store, Number(values.events), now)
  else now = filledAt
})
const slow = await bench.measure({
  cases: threatCases(now),
  rounds: Number(values.rounds),
  only: values.only,
  limitMs: 150,
  judgesRestricted: false,
})
await bench.close()
process.exitCode = slow > 0 ? 1 : 0
