/**
 * Kills the server with SIGKILL at random moments while batches are sent, over and over, and checks after each start
 * that every acknowledged message is there, that no count went down, and that batches sent again count once.
 *
 *   node test/faults/kill-during-ingest.ts [--rounds 50] [--seed 1]
 *
 * With VIGIL_DATABASE_URL set the server uses that PostgreSQL database, which must be empty.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startProgram } from '../start-program.ts'

const KEY = 'faultsfaultsfaultsfaultsfaultsfaultsfaul'
const root = new URL('../..', import.meta.url).pathname
const ENDPOINTS = 12
const BATCH = 40
const SENDERS = 4

/** What a run found; `problems` is empty when all is well. */
export interface KillReport {
  rounds: number
  acknowledged: number
  resent: number
  slowestStartMs: number
  problems: string[]
}

interface Batch {
  body: string
  messages: number
}

/** Random numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Longest start of a server: a busy machine takes tens of seconds. */
const START_MS = 240_000

/** A server of the command line on a folder or database, which is killed and started again. */
export class Target {
  #child: ChildProcess | null = null
  readonly #dataDir: string
  readonly #port: number

  constructor(dataDir: string, port: number) {
    this.#dataDir = dataDir
    this.#port = port
  }

  get base(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async start(): Promise<number> {
    // What a server left behind by somebody would answer says nothing.
    if (this.#child === null && (await this.#answers()))
      throw new Error(`another server listens at ${this.base}`)
    const started = Date.now()
    this.#child = startProgram(join(root, 'src/cli/main.ts'), ['start'], {
      cwd: root,
      env: {
        ...process.env,
        VIGIL_PORT: String(this.#port),
        VIGIL_API_KEY: KEY,
        VIGIL_LOG_LEVEL: 'error',
        VIGIL_DATA_DIR: this.#dataDir,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    while (Date.now() - started < START_MS) {
      if (await this.#answers()) return Date.now() - started
      if (this.#child.exitCode !== null)
        throw new Error(`the server ended with exit code ${this.#child.exitCode} before it was healthy`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error(`the server did not become healthy within ${START_MS / 1000} s`)
  }

  async #answers(): Promise<boolean> {
    try {
      return (await fetch(`${this.base}/health`)).ok
    } catch {
      return false // not listening
    }
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  async call<T>(operation: string, body: unknown): Promise<T> {
    const answer = await fetch(`${this.base}/api/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  async counts(): Promise<Map<string, number>> {
    const { endpoints } = await this.call<{
      endpoints: { id: { method: string; url: string }; callCount: number }[]
    }>('searchEndpoints', { limit: 500 })
    return new Map(endpoints.map((endpoint) => [endpoint.id.url, endpoint.callCount]))
  }
}

/** Runs the rounds; each sends for a random time, kills, starts again, checks, and sends again what was not answered. */
export async function killDuringIngest(rounds: number, seed: number, port = 19_191): Promise<KillReport> {
  const random = seeded(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'vigil-faults-'))
  const target = new Target(dataDir, port)
  const report: KillReport = { rounds, acknowledged: 0, resent: 0, slowestStartMs: 0, problems: [] }
  let made = 0
  let before = new Map<string, number>()
  const nextBatch = (): Batch => ({
    messages: BATCH,
    body: JSON.stringify({
      batchData: Array.from({ length: BATCH }, () => {
        made++
        return {
          id: `message-${seed}-${made}`,
          method: 'GET',
          path: `/stock/${['shelves', 'boxes', 'labels', 'pallets'][made % 4]}/${['count', 'list', 'audit'][made % 3]}`,
          requestHeaders: { host: 'faults.example' },
          responseHeaders: { 'content-type': 'application/json' },
          responsePayload: `{"n":${made}}`,
          statusCode: 200,
          ip: '203.0.113.9',
          time: 1_795_000_000 + made,
          source: 'MIRRORING',
        }
      }),
    }),
  })
  let unanswered: Batch[] = []
  try {
    report.slowestStartMs = await target.start()
    for (let round = 1; round <= rounds; round++) {
      let isOver = false
      const pending = new Set<Batch>()
      const sender = async (): Promise<void> => {
        while (!isOver) {
          const batch = nextBatch()
          pending.add(batch)
          try {
            await target.call('ingestData', batch.body)
            pending.delete(batch)
            report.acknowledged += batch.messages
          } catch (error) {
            if (!isOver) report.problems.push(`round ${round}: ${(error as Error).message}`)
            return
          }
        }
      }
      const senders = Array.from({ length: SENDERS }, sender)
      await new Promise((resolve) => setTimeout(resolve, 50 + random() * 900))
      isOver = true
      await target.kill('SIGKILL')
      await Promise.all(senders)
      unanswered = [...pending]
      report.slowestStartMs = Math.max(report.slowestStartMs, await target.start())
      const counts = await target.counts()
      for (const [url, count] of before) {
        if ((counts.get(url) ?? 0) < count)
          report.problems.push(`round ${round}: ${url} went from ${count} to ${counts.get(url)}`)
      }
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
      if (total < report.acknowledged) {
        report.problems.push(`round ${round}: ${report.acknowledged} acknowledged, ${total} there`)
      }
      for (const batch of unanswered) {
        await target.call('ingestData', batch.body)
        report.acknowledged += batch.messages
        report.resent += batch.messages
      }
      before = await target.counts()
      const settled = [...before.values()].reduce((sum, count) => sum + count, 0)
      if (settled !== report.acknowledged) {
        report.problems.push(`round ${round}: ${report.acknowledged} sent in all, ${settled} counted`)
      }
      if (before.size > ENDPOINTS)
        report.problems.push(`round ${round}: ${before.size} endpoints instead of ${ENDPOINTS}`)
    }
  } finally {
    await target.kill('SIGTERM')
    rmSync(dataDir, { recursive: true, force: true })
  }
  return report
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
  })
  const report = await killDuringIngest(Number(values.rounds), Number(values.seed))
  for (const problem of report.problems) console.error(problem)
  console.log(
    `${report.rounds} kills: ${report.acknowledged} messages acknowledged, ${report.resent} of them sent again after a kill; ` +
      `slowest start ${report.slowestStartMs} ms; ${report.problems.length} problems`,
  )
  process.exitCode = report.problems.length === 0 ? 0 : 1
}
