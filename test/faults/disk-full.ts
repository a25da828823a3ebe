/**
 * Fills the disk of the store while batches are sent, frees it again, and checks that nothing acknowledged is lost,
 * that what was refused was refused with 503 and a Retry-After header, and whether the same process took batches
 * again or needed a restart.
 *
 *   node test/faults/disk-full.ts [--store embedded|postgres] [--room 13.5] [--rounds 1] [--stop]
 *
 * --room: MB left free. With so much that a PostgreSQL server needs a new segment of its log first, that server itself
 * ends, and somebody has to start it. --stop ends the server with SIGTERM while the disk is full and starts it again when there is room.
 *
 * Makes a small file system in memory, so it needs the right to mount one; with a PostgreSQL server its programs too.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.ts'
import { type CliServer, startCli } from '../cli-process.ts'
import { freshStorePlace } from '../store-fixture.ts'

const KEY = 'fullfullfullfullfullfullfullfullfullfull'
const BATCH = 20
const DISK_MB = 300
const BALLAST_MB = 60
/** Sent while there is room, by several senders that go on while the disk fills. */
const FIRST_BATCHES = 10
const SENDERS = 3
/** A server that is told to end does so within this time. */
const END_MS = 25_000
const PATIENCE_MS = 150_000
/** A call that is not answered within this time was forgotten. */
const ANSWER_MS = 60_000
const MB = 1024 * 1024

/** What a run found; `problems` is empty when nothing was lost and every refusal was in order. */
export interface FullReport {
  store: string
  acknowledged: number
  /** Answers while the disk was full, by status and text. */
  refusals: Record<string, number>
  health: string
  listWhileFull: number
  /** How batches were taken again after space was freed. */
  recovery: 'the same process' | 'a restart' | 'never'
  problems: string[]
}

function batchOf(first: number): string {
  return JSON.stringify({
    batchData: Array.from({ length: BATCH }, (_, i) => ({
      id: `full-${first + i}`,
      method: 'GET',
      path: `/stock/w${(first + i).toString(36)}z/count`,
      requestHeaders: { host: `s${(first + i) % 5}.full.example` },
      responseHeaders: { 'content-type': 'application/json' },
      responsePayload: JSON.stringify({ n: first + i, text: `${first + i}-`.repeat(2500) }),
      statusCode: 200,
      ip: '203.0.113.9',
      time: 1_795_000_000 + first + i,
      source: 'MIRRORING',
    })),
  })
}

async function post(
  base: string,
  operation: string,
  body: string,
): Promise<{ status: number; text: string; retryAfter?: string | null }> {
  try {
    const answer = await fetch(`${base}/api/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    return {
      status: answer.status,
      text: await answer.text(),
      retryAfter: answer.headers.get('retry-after'),
    }
  } catch (error) {
    return { status: 0, text: `no answer: ${(error as Error).message}` }
  }
}

/** Where a run makes it hard. */
export interface FullOptions {
  store: 'embedded' | 'postgres'
  /** Left free when the disk has been filled, in MB: less than a segment of the log, or a bit more. */
  roomMb: number
  /** Ends the server while the disk is full. */
  stopsFull: boolean
}

/** A small file system for the run; null when this machine does not let us mount one. */
function mountSmall(): { folder: string; unmount: () => void } | null {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-full-'))
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0700`, 'tmpfs', folder])
  if (done.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return null
  }
  return {
    folder,
    unmount: () => {
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Takes all room but a little with files that {@link freeDisk} removes. */
function fillDisk(folder: string, roomMb: number): void {
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(BALLAST_MB * MB, 1))
  const stone = join(folder, 'stone')
  for (let tries = 0; ; tries++) {
    const { bavail, bsize } = statfsSync(folder)
    const room = Math.floor(bavail * bsize - roomMb * MB)
    try {
      if (room > 0) writeFileSync(stone, Buffer.alloc(room, 1))
      return
    } catch (error) {
      // The store took some of the room meanwhile.
      rmSync(stone, { force: true })
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || tries === 5) throw error
    }
  }
}

function freeDisk(folder: string): void {
  rmSync(join(folder, 'ballast'), { force: true })
}

/** Sends a few batches, of which some may be refused; returns the number of the next message. */
async function sendBatches(base: string, first: number, report: FullReport): Promise<number> {
  let next = first
  for (let i = 0; i < FIRST_BATCHES; i++) {
    const { status, text } = await post(base, 'ingestData', batchOf(next))
    if (status !== 200 && status !== 503) report.problems.push(`answered ${status} ${text.slice(0, 160)}`)
    if (status === 200) {
      report.acknowledged += BATCH
      next += BATCH
    }
  }
  return next
}

/** Sends batches until three in a row are refused; returns the number of the next message. */
async function sendUntilFull(base: string, first: number, report: FullReport): Promise<number> {
  const until = Date.now() + PATIENCE_MS
  let next = first
  let refused = 0
  while (refused < 3 && Date.now() < until) {
    const { status, text, retryAfter } = await post(base, 'ingestData', batchOf(next))
    if (status === 200) {
      refused = 0
      report.acknowledged += BATCH
      next += BATCH
      continue
    }
    refused++
    const words = `${status} ${text.slice(0, 160)}`
    report.refusals[words] = (report.refusals[words] ?? 0) + 1
    if (status !== 503) report.problems.push(`refused with ${words}`)
    if (!(Number(retryAfter) > 0)) report.problems.push(`refused with Retry-After ${retryAfter}: ${words}`)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  if (refused < 3) report.problems.push(`the disk was not full within ${PATIENCE_MS} ms`)
  return next
}

/** What /health says, once it says 503: it tells of the disk when what was accepted cannot be worked off. */
async function healthOnceFull(base: string): Promise<string> {
  for (const until = Date.now() + END_MS; ; await new Promise((resolve) => setTimeout(resolve, 300))) {
    const health = await fetch(`${base}/health`).then(
      async (answer) => `${answer.status} ${await answer.text()}`,
      (error: Error) => `no answer: ${error.message}`,
    )
    if (health.startsWith('503') || Date.now() > until) return health
  }
}

async function countOf(base: string): Promise<number> {
  let counted = 0
  for (let skip = 0; ; skip += 100) {
    const { status, text } = await post(base, 'searchEndpoints', JSON.stringify({ skip, limit: 100 }))
    if (status !== 200) throw new Error(`searchEndpoints answered ${status} ${text.slice(0, 200)}`)
    const { endpoints } = JSON.parse(text) as { endpoints: { callCount: number }[] }
    counted += endpoints.reduce((sum, { callCount }) => sum + callCount, 0)
    if (endpoints.length === 0) return counted
  }
}

/** Counts that a failed transaction left unfolded are taken over by the next read that the store can serve. */
async function countWhenFolded(base: string, expected: number): Promise<number> {
  const until = Date.now() + 45_000
  for (;;) {
    const counted = await countOf(base)
    if (counted >= expected || Date.now() > until) return counted
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

async function isTaken(base: string, first: number): Promise<boolean> {
  const until = Date.now() + 15_000
  while (Date.now() < until) {
    const { status } = await post(base, 'ingestData', batchOf(first))
    if (status === 200) return true
    if (status === 0) return false
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return false
}

async function end(server: CliServer, report: FullReport): Promise<void> {
  server.process.kill('SIGTERM')
  const late = setTimeout(() => {
    report.problems.push(`did not end within ${END_MS} ms of SIGTERM`)
    server.process.kill('SIGKILL')
  }, END_MS)
  await server.ended
  clearTimeout(late)
}

/** Runs once; null when the machine cannot: no right to mount, or no PostgreSQL server. */
export async function diskFull(options: FullOptions): Promise<FullReport | null> {
  const { store } = options
  const disk = mountSmall()
  if (disk === null) return null
  const report: FullReport = {
    store,
    acknowledged: 0,
    refusals: {},
    health: '',
    listWhileFull: 0,
    recovery: 'never',
    problems: [],
  }
  // Its server runs as an account of its own, below a folder that is closed to others.
  if (store === 'postgres') chmodSync(disk.folder, 0o711)
  const postgres = store === 'postgres' ? await startPostgres(disk.folder) : null
  try {
    if (store === 'postgres' && postgres === null) return null
    if (store === 'embedded') await copyStore(disk.folder)
    const dataDir = store === 'postgres' ? mkdtempSync(join(tmpdir(), 'vigil-full-data-')) : disk.folder
    const args = [
      '--data-dir',
      dataDir,
      '--api-key',
      KEY,
      ...(postgres ? ['--database-url', postgres.url] : []),
    ]
    await fillAndFree(disk.folder, args, options, report)
    if (postgres) rmSync(dataDir, { recursive: true, force: true })
    return report
  } finally {
    postgres?.stop()
    disk.unmount()
  }
}

/** Makes the store beforehand, which takes most of the time of a first start. */
async function copyStore(folder: string): Promise<void> {
  const place = await freshStorePlace()
  cpSync(place.dataDir, folder, { recursive: true })
  await place.dispose()
}

async function fillAndFree(
  folder: string,
  args: readonly string[],
  { roomMb, stopsFull }: FullOptions,
  report: FullReport,
): Promise<void> {
  let server = await startCli(args)
  try {
    let next = await sendBatches(server.baseUrl, 1, report)
    const senders = Array.from({ length: SENDERS }, (_, i) =>
      sendBatches(server.baseUrl, 10_000_000 * (i + 1), report),
    )
    fillDisk(folder, roomMb)
    await Promise.all(senders)
    next = await sendUntilFull(server.baseUrl, next, report)
    report.health = await healthOnceFull(server.baseUrl)
    if (!report.health.startsWith('503')) report.problems.push(`/health says ${report.health}`)
    const list = await post(server.baseUrl, 'searchEndpoints', JSON.stringify({ limit: 1 }))
    if (list.status !== 200 && list.status !== 503)
      report.problems.push(`a list answered ${list.status} ${list.text}`)
    report.listWhileFull = list.status
    if (stopsFull) await end(server, report)
    freeDisk(folder)
    if (stopsFull) server = await startCli(args)
    if (await isTaken(server.baseUrl, next)) {
      report.recovery = 'the same process'
    } else {
      await end(server, report)
      server = await startCli(args)
      if (await isTaken(server.baseUrl, next)) report.recovery = 'a restart'
      else report.problems.push('batches were not taken again after a restart')
    }
    if (report.recovery !== 'never') report.acknowledged += BATCH
    const counted = await countWhenFolded(server.baseUrl, report.acknowledged)
    if (counted < report.acknowledged)
      report.problems.push(`${report.acknowledged} acknowledged, ${counted} counted`)
  } catch (error) {
    report.problems.push((error as Error).message.slice(0, 2000))
  } finally {
    await end(server, report)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      store: { type: 'string', default: 'embedded' },
      room: { type: 'string', default: '13.5' },
      rounds: { type: 'string', default: '1' },
      stop: { type: 'boolean', default: false },
    },
  })
  const store = values.store === 'postgres' ? 'postgres' : 'embedded'
  for (let round = 0; round < Number(values.rounds); round++) {
    const report = await diskFull({ store, roomMb: Number(values.room), stopsFull: values.stop })
    if (report === null)
      throw new Error('this machine cannot mount a small file system, or has no PostgreSQL server')
    console.log(JSON.stringify(report))
    if (report.problems.length > 0) process.exitCode = 1
  }
}
