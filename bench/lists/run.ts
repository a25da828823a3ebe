/**
 * List operations over HTTP on a large inventory: 100,000 endpoints in 500 collections, 20,000 issues, 500 runs. Prints the median and the 95th
 * percentile of each.
 *
 *   node bench/lists/run.ts [--endpoints 100000] [--collections 500] [--rounds 40] [--only searchEndpoints]
 *
 * Uses the embedded store, or the empty PostgreSQL database that VIGIL_DATABASE_URL names.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKey } from '../../src/access/index.ts'
import { boot } from '../../src/app/index.ts'
import { createLog, readSettings } from '../../src/kit/index.ts'
import { startServer } from '../../src/server/index.ts'
import { type ListCase, listCases } from './cases.ts'
import { runCases } from './run-cases.ts'
import { SEED, seedInventory } from './seed.ts'
import { seedRuns } from './seed-runs.ts'

const { values } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '100000' },
    collections: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
  },
})
const LIMIT_MS = 100
const KEY = 'listslistslistslistslistslistslistslists'
const dataDir = mkdtempSync(join(tmpdir(), 'vigil-lists-'))
const databaseUrl = process.env['VIGIL_DATABASE_URL']
const { settings } = readSettings(
  {},
  { port: '0', 'data-dir': dataDir, 'api-key': KEY, ...(databaseUrl ? { 'database-url': databaseUrl } : {}) },
)
const log = createLog('error')
const running = await boot(settings, log, () => {
  throw new Error('a part of the product died')
})
const started = performance.now()
await seedInventory(running.app.store, Number(values.collections), Number(values.endpoints))
await seedRuns(running.app.store, Number(values.collections))
await running.app.store.pool.query('VACUUM ANALYZE')
console.log(`seeded in ${Math.round((performance.now() - started) / 1000)} s on ${running.app.store.kind}`)
const server = await startServer(running.app)

const restricted = await createKey(running.app.access, SEED.restrictedUser, 'EXTERNAL_API', 'granted')

async function call({ operation, body, isRestricted }: ListCase, round: number): Promise<number> {
  const text = JSON.stringify(body(round))
  const begun = performance.now()
  const answer = await fetch(`${server.address}/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': isRestricted ? restricted.key : KEY },
    body: text,
  })
  const answered = await answer.text()
  if (!answer.ok) throw new Error(`${operation} ${text}: ${answer.status} ${answered.slice(0, 300)}`)
  return performance.now() - begun
}

let isSlow = false
for (const item of [...listCases, ...runCases]) {
  const name = `${item.operation} ${item.note ?? ''}`.trim()
  if (!name.includes(values.only)) continue
  const times: number[] = []
  await call(item, 0)
  for (let round = 0; round < Number(values.rounds); round++) times.push(await call(item, round))
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))]!
  if (at(0.95) >= LIMIT_MS) isSlow = true
  console.log(
    `${name.padEnd(56)} median ${at(0.5).toFixed(1).padStart(7)} ms   p95 ${at(0.95).toFixed(1).padStart(7)} ms`,
  )
}
console.log(
  isSlow ? `over ${LIMIT_MS} ms at the 95th percentile` : `all below ${LIMIT_MS} ms at the 95th percentile`,
)
await server.stop(1000)
await running.close()
rmSync(dataDir, { recursive: true, force: true })
process.exitCode = isSlow ? 1 : 0
