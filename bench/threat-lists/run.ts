/**
 * Lists and charts of threats over HTTP on a million events of 40,000 actors in 60 days. Prints the median and the 95th
 * percentile of each, and exits with 1 when one of an unrestricted caller is not below 150 ms.
 *
 *   node bench/threat-lists/run.ts [--events 1000000] [--rounds 40] [--only fetchThreatApis] [--data folder]
 *
 * Uses the embedded store, or the empty PostgreSQL database that VIGIL_DATABASE_URL names. A store that was filled
 * before, in the folder named or on the server, is measured as it is.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKey } from '../../src/access/index.ts'
import { boot } from '../../src/app/index.ts'
import { createLog, nowSeconds, readSettings } from '../../src/kit/index.ts'
import { startServer } from '../../src/server/index.ts'
import { type ThreatCase, threatCases } from './cases.ts'
import { SEED, seedEvents } from './seed.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    port: { type: 'string', default: '0' },
    data: { type: 'string', default: '' },
  },
})
const LIMIT_MS = 150
const KEY = 'threatsthreatsthreatsthreatsthreatsthrea'
const dataDir = values.data || mkdtempSync(join(tmpdir(), 'vigil-threat-lists-'))
const databaseUrl = process.env['VIGIL_DATABASE_URL']
const { settings } = readSettings(
  {},
  {
    port: values.port,
    'data-dir': dataDir,
    'api-key': KEY,
    ...(databaseUrl ? { 'database-url': databaseUrl } : {}),
  },
)
const running = await boot(settings, createLog('error'), () => {
  throw new Error('a part of the product died')
})
const started = performance.now()
const { store } = running.app
const filled = await store.pool.query<{ at: number | null }>('SELECT max(stored_at) AS at FROM threat_events')
const now = filled.rows[0]!.at ?? nowSeconds()
if (filled.rows[0]!.at === null) {
  await seedEvents(store, Number(values.events), now)
  console.log(`seeded in ${Math.round((performance.now() - started) / 1000)} s on ${store.kind}`)
}
const server = await startServer(running.app)
const restricted = await createKey(running.app.access, SEED.restrictedUser, 'EXTERNAL_API', 'granted')

async function call({ operation, body, isRestricted }: ThreatCase, round: number): Promise<number> {
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

let slow = 0
for (const item of threatCases(now)) {
  const name = `${item.operation} ${item.note ?? ''}`.trim()
  if (!name.includes(values.only)) continue
  const times: number[] = []
  await call(item, 0)
  for (let round = 0; round < Number(values.rounds); round++) times.push(await call(item, round))
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))]!
  if (at(0.95) >= LIMIT_MS && !item.isRestricted) slow++
  const mark = at(0.95) < LIMIT_MS ? '' : '   over the limit'
  console.log(
    `${name.padEnd(56)} median ${at(0.5).toFixed(1).padStart(7)} ms   p95 ${at(0.95).toFixed(1).padStart(7)} ms${mark}`,
  )
}
console.log(
  slow > 0
    ? `${slow} not below ${LIMIT_MS} ms at the 95th percentile`
    : `all of an unrestricted caller below ${LIMIT_MS} ms at the 95th percentile`,
)
await server.stop(1000)
await running.close()
if (!values.data) rmSync(dataDir, { recursive: true, force: true })
process.exitCode = slow > 0 ? 1 : 0
