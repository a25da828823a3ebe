/**
 * Takes the database away from a running server while batches are sent, gives it back, and checks that every answer
 * meanwhile was 503 with a hint when to come back, that every acknowledged message is there, that batches sent again
 * count once, and that the same process recovered by itself.
 *
 *   node test/faults/database-goes-away.ts
 *
 * Needs the programs of a PostgreSQL server.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.ts'
import { startCli } from '../cli-process.ts'
import { until } from '../until.ts'

const KEY = 'awayawayawayawayawayawayawayawayawayaway'
const BATCH = 20
const NAME = 'vigil_away'
const AWAY_MS = 3_000
const PATIENCE_MS = 30_000
/** Counts of a writer that lost its connection are taken over every 30 seconds. */
const FOLD_PATIENCE_MS = 45_000

/** What a run found; `problems` is empty when all is well. */
export interface AwayReport {
  acknowledged: number
  refused: number
  /** From the return of the database to the next batch taken. */
  recoveryMs: number
  /** From SIGTERM to the end of the process. */
  endMs: number
  problems: string[]
}

function batchOf(first: number): string {
  return JSON.stringify({
    batchData: Array.from({ length: BATCH }, (_, i) => ({
      id: `away-${first + i}`,
      method: 'GET',
      path: '/stock/count',
      requestHeaders: { host: 'away.example' },
      responseHeaders: { 'content-type': 'application/json' },
      responsePayload: `{"n":${first + i}}`,
      statusCode: 200,
      ip: '203.0.113.9',
      time: 1_795_000_000 + first + i,
      source: 'MIRRORING',
    })),
  })
}

/** Sends batches one after the other, each again until it is taken, until `isOver` and the last was taken. */
async function send(base: string, isOver: () => boolean, report: AwayReport): Promise<void> {
  for (let first = 1; !isOver(); first += BATCH) {
    const body = batchOf(first)
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const answer = await post(base, 'ingestData', body)
      const text = await answer.text()
      if (answer.ok) break
      report.refused++
      if (answer.status !== 503 || !answer.headers.has('retry-after')) {
        report.problems.push(`answered ${answer.status} without the hint: ${text}`)
      }
      if (Date.now() > deadline) throw new Error('the server did not recover')
      await pause(100)
    }
    report.acknowledged += BATCH
  }
}

function post(base: string, operation: string, body: string): Promise<Response> {
  return fetch(`${base}/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body,
  })
}

/** Runs once; null when the machine has no PostgreSQL server. */
export async function databaseGoesAway(): Promise<AwayReport | null> {
  const postgres = await startPostgres()
  if (postgres === null) return null
  const admin = new pg.Client({ connectionString: postgres.url })
  try {
    await admin.connect()
    await admin.query(`CREATE DATABASE ${NAME}`)
    const url = new URL(postgres.url)
    url.pathname = `/${NAME}`
    const server = await startCli(['--database-url', url.href, '--api-key', KEY])
    const report: AwayReport = { acknowledged: 0, refused: 0, recoveryMs: 0, endMs: 0, problems: [] }
    try {
      await takeAway(admin, server.baseUrl, report)
    } catch (error) {
      const { cause, message } = error as Error
      report.problems.push(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}`)
    }
    if (server.process.exitCode !== null)
      report.problems.push(`the process ended with ${server.process.exitCode}`)
    const ending = performance.now()
    server.process.kill('SIGTERM')
    const { stderr } = await server.ended
    report.endMs = Math.round(performance.now() - ending)
    if (report.problems.length > 0) report.problems.push(stderr)
    return report
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${NAME}_hidden WITH (FORCE)`).catch(() => {})
    await admin.query(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`).catch(() => {})
    await admin.end()
    postgres.stop()
  }
}

async function takeAway(admin: pg.Client, base: string, report: AwayReport): Promise<void> {
  let isOver = false
  const sending = send(base, () => isOver, report)
  const failed = sending.then(
    () => undefined,
    (error: unknown) => error,
  )
  await until('a batch is taken', () => report.acknowledged > 0)
  await admin.query(`ALTER DATABASE ${NAME} WITH ALLOW_CONNECTIONS false`)
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [NAME])
  await admin.query(`ALTER DATABASE ${NAME} RENAME TO ${NAME}_hidden`)
  await pause(AWAY_MS)
  // A batch under way waits for its connection first.
  await until('a batch meets the missing database', () => report.refused > 0)
  const health = await fetch(`${base}/health`)
  if (health.status !== 503) report.problems.push(`/health answered ${health.status} without a database`)
  const taken = report.acknowledged
  await admin.query(`ALTER DATABASE ${NAME}_hidden RENAME TO ${NAME}`)
  await admin.query(`ALTER DATABASE ${NAME} WITH ALLOW_CONNECTIONS true`)
  const back = performance.now()
  await until('a batch is taken again', () => report.acknowledged > taken)
  report.recoveryMs = Math.round(performance.now() - back)
  isOver = true
  const error = await failed
  if (error !== undefined) throw error
  const counted = await countWhenFolded(base, report.acknowledged)
  if (counted !== report.acknowledged) {
    report.problems.push(`${report.acknowledged} acknowledged, ${counted} counted`)
  }
}

/** Calls counted in all, once they are `expected` or patience is over: what a broken writer left is folded later. */
async function countWhenFolded(base: string, expected: number): Promise<number> {
  const deadline = performance.now() + FOLD_PATIENCE_MS
  for (;;) {
    const answer = await post(base, 'searchEndpoints', '{}')
    const { endpoints } = (await answer.json()) as { endpoints: { callCount: number }[] }
    const counted = endpoints.reduce((sum, endpoint) => sum + endpoint.callCount, 0)
    if (counted >= expected || performance.now() > deadline) return counted
    await pause(500)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const report = await databaseGoesAway()
  if (report === null) throw new Error('this machine has no PostgreSQL server')
  for (const problem of report.problems) console.error(problem)
  console.log(
    `${report.acknowledged} messages acknowledged, ${report.refused} batches refused while the database was away, taken again after ` +
      `${report.recoveryMs} ms, the server ended in ${report.endMs} ms; ${report.problems.length} problems`,
  )
  process.exitCode = report.problems.length === 0 ? 0 : 1
}
