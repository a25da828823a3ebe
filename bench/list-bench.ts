import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '../src/access/index.ts'
import { type App, boot } from '../src/app/index.ts'
import { readSettings } from '../src/kit/index.ts'
import { createLog } from '../src/kit/log.ts'
import { startServer } from '../src/server/index.ts'

const SLOWEST = 5
const KEY = 'listslistslistslistslistslistslistslists'

/** One call of a list as people make it. */
export interface ListCase {
  readonly operation: string
  /** What of the operation it asks for. */
  readonly note?: string
  /** Body of the given round. */
  readonly body: (round: number) => unknown
  /** Asked by somebody who sees a part of the collections only. */
  readonly isRestricted?: boolean
}

/** What to measure, and how. */
export interface ListRun {
  readonly cases: readonly ListCase[]
  readonly rounds: number
  /** Part of the names of the cases to measure; '' for all. */
  readonly only: string
  /** Milliseconds that the 95th percentile has to stay below. */
  readonly limitMs: number
  /** Whether those who see a part of the collections count as well. */
  readonly judgesRestricted: boolean
  /** CPU seconds that the database used so far; printed for each call. */
  readonly databaseCpu?: () => number
  /** Called after the last round of each case, with what was printed. */
  readonly afterCase?: (name: string, figures: string) => void
}

/** A server over a store filled for measuring: the embedded one, or the database that VIGIL_DATABASE_URL names. */
export interface ListBench {
  /** Prints median and 95th percentile of each case over HTTP; the number of those over the limit. */
  measure(run: ListRun): Promise<number>
  close(): Promise<void>
}

/**
 * Opens it.
 *
 * @param data folder that is kept; '' for one that goes
 * @param restrictedUser user whose key asks the restricted cases; made by `fill`
 */
export async function openListBench(
  data: string,
  restrictedUser: number,
  fill: (app: App) => Promise<void>,
): Promise<ListBench> {
  const dataDir = data || mkdtempSync(join(tmpdir(), 'vigil-lists-'))
  const databaseUrl = process.env['VIGIL_DATABASE_URL']
  const { settings } = readSettings(
    {},
    {
      port: '0',
      'data-dir': dataDir,
      'api-key': KEY,
      // Without the role that removes what nothing refers to yet.
      ...(databaseUrl ? { 'database-url': databaseUrl, roles: 'serve' } : {}),
    },
  )
  const { app, close } = await boot(settings, createLog('error'), () => {
    throw new Error('a part of the product died')
  })
  const started = performance.now()
  await fill(app)
  console.log(`seeded in ${Math.round((performance.now() - started) / 1000)} s on ${app.store.kind}`)
  const server = await startServer(app)
  const restricted = await createKey(app.access, restrictedUser, 'EXTERNAL_API', 'granted')

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

  return {
    async measure({ cases, rounds, only, limitMs, judgesRestricted, databaseCpu, afterCase }) {
      let slow = 0
      const all: { name: string; p95: number }[] = []
      for (const item of cases) {
        const name = `${item.operation} ${item.note ?? ''}`.trim()
        if (!name.includes(only)) continue
        const times: number[] = []
        await call(item, 0)
        const cpuBefore = databaseCpu?.() ?? 0
        for (let round = 0; round < rounds; round++) times.push(await call(item, round))
        const cpuMs = (((databaseCpu?.() ?? 0) - cpuBefore) * 1000) / rounds
        times.sort((a, b) => a - b)
        const at = (share: number): number =>
          times[Math.min(times.length - 1, Math.floor(share * times.length))]!
        all.push({ name, p95: at(0.95) })
        const isSlow = at(0.95) >= limitMs
        if (isSlow && (judgesRestricted || !item.isRestricted)) slow++
        const cpu =
          databaseCpu === undefined ? '' : `   CPU of the database ${cpuMs.toFixed(0).padStart(5)} ms`
        const figures = `median ${at(0.5).toFixed(1).padStart(7)} ms   p95 ${at(0.95).toFixed(1).padStart(7)} ms${cpu}`
        afterCase?.(name, figures)
        console.log(`${name.padEnd(56)} ${figures}${isSlow ? '   over the limit' : ''}`)
      }
      const slowest = all.sort((a, b) => b.p95 - a.p95).slice(0, SLOWEST)
      console.log(`slowest: ${slowest.map(({ name, p95 }) => `${name} ${p95.toFixed(0)} ms`).join(', ')}`)
      const told = slow === 0 ? 'all' : `${slow} not`
      console.log(`${told} below ${limitMs} ms at the 95th percentile`)
      return slow
    },
    async close() {
      await server.stop(1000)
      await close()
      if (data === '') rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
