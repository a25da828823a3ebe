/**
 * List operations over HTTP on a large inventory: 100,000 endpoints in 500 collections, 20,000 issues, 500 runs. Prints
 * the median and the 95th percentile of each and the slowest again, and exits with 1 when one is not below 100 ms.
 * `--results` adds that many results of tests over the twelve months before.
 *
 *   node bench/lists/run.ts [--endpoints 100000] [--collections 500] [--results 0] [--rounds 40] [--only searchEndpoints]
 *
 * Uses the embedded store, or the empty PostgreSQL database that VIGIL_DATABASE_URL names.
 */
import { parseArgs } from 'node:util'
import { openListBench } from '../list-bench.ts'
import { listCases } from './cases.ts'
import { runCases } from './run-cases.ts'
import { SEED, seedInventory } from './seed.ts'
import { seedOldResults, seedRuns } from './seed-runs.ts'

const { values } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '100000' },
    collections: { type: 'string', default: '500' },
    results: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
  },
})
const collections = Number(values.collections)
const bench = await openListBench('', SEED.restrictedUser, async ({ store }) => {
  await seedInventory(store, collections, Number(values.endpoints))
  await seedRuns(store, collections)
  await seedOldResults(store, Number(values.results))
  await store.pool.query('VACUUM ANALYZE')
})
const slow = await bench.measure({
  cases: [...listCases, ...runCases],
  rounds: Number(values.rounds),
  only: values.only,
  limitMs: 100,
  judgesRestricted: true,
})
await bench.close()
process.exitCode = slow > 0 ? 1 : 0
