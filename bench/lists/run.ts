/**
 * List operations over HTTP on a large inventory: 100,000 endpoints in 500 collections. Prints the median and the 95th
 * percentile of each.
 *
 *   node bench/lists/run.ts [--endpoints 100000] [--collections 500] [--rounds 40]
 *
 * Uses the embedded store, or the empty PostgreSQL database that VIGIL_DATABASE_URL names.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { boot } from '../../src/app/index.ts'
import { createLog, readSettings } from '../../src/kit/index.ts'
import { startServer } from '../../src/server/index.ts'
import { seedInventory } from './seed.ts'

const { values } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '100000' },
    collections: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '40' },
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
console.log(`seeded in ${Math.round((performance.now() - started) / 1000)} s on ${running.app.store.kind}`)
const server = await startServer(running.app)

const first = 1_795_000_001
const calls: [string, (round: number) => unknown][] = [
  ['getAllCollectionsBasic', () => ({})],
  ['getAllCollections', () => ({})],
  ['getLastSeenTrafficInfoForCollections', () => ({})],
  ['getSensitiveInfoForCollections', () => ({})],
  ['getRiskScoreInfo', () => ({})],
  ['getCoverageInfoForCollections', () => ({})],
  ['fetchEndpointsCount', () => ({ startTimestamp: 1_795_000_000, endTimestamp: 1_795_050_000 })],
  ['fetchCollectionWiseApiEndpoints', (round) => ({ apiCollectionId: String(first + (round % 500)) })],
  ['fetchApiInfosForCollection', (round) => ({ apiCollectionId: first + (round % 500) })],
  ['fetchApiInfosFromSTIs', (round) => ({ apiCollectionId: first + (round % 500) })],
  ['searchEndpoints', (round) => ({ limit: 50, skip: (round % 10) * 50 })],
  [
    'searchEndpoints by risk',
    (round) => ({ limit: 50, sortKey: 'riskScore', sortOrder: -1, skip: (round % 10) * 50 }),
  ],
  ['searchEndpoints by text', (round) => ({ limit: 50, search: `/${round * 37}/` })],
  ['searchEndpoints of one', (round) => ({ limit: 50, apiCollectionId: first + (round % 500) })],
  ['loadRecentEndpoints', () => ({ startTimestamp: 1_795_080_000, endTimestamp: 0 })],
]

async function call(operation: string, body: unknown): Promise<number> {
  const begun = performance.now()
  const answer = await fetch(`${server.address}/api/${operation.split(' ')[0]}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${operation}: ${answer.status} ${text.slice(0, 300)}`)
  return performance.now() - begun
}

let isSlow = false
for (const [operation, body] of calls) {
  const times: number[] = []
  await call(operation, body(0))
  for (let round = 0; round < Number(values.rounds); round++) times.push(await call(operation, body(round)))
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))]!
  if (at(0.95) >= LIMIT_MS) isSlow = true
  console.log(
    `${operation.padEnd(40)} median ${at(0.5).toFixed(1).padStart(7)} ms   p95 ${at(0.95).toFixed(1).padStart(7)} ms`,
  )
}
console.log(
  isSlow ? `over ${LIMIT_MS} ms at the 95th percentile` : `all below ${LIMIT_MS} ms at the 95th percentile`,
)
await server.stop(1000)
await running.close()
rmSync(dataDir, { recursive: true, force: true })
process.exitCode = isSlow ? 1 : 0
