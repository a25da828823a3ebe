/**
 * Records every change of files and every sync that the embedded store makes while it commits, and opens the store as the
 * disk would be found if the power failed just before the next sync, for every sync: with everything that was written,
 * with nothing that was not synced, and with any part of it. Every acknowledged commit must be there, whole.
 *
 *   node test/faults/power-loss.ts [--commits 1000] [--kept none,some,all] [--every 1] [--offset 0] [--seed 1]
 *     [--durability off]
 *
 * A long run can be cut into parts: --every 4 with --offset 0, 1, 2 and 3.
 * Disks are made in memory where there is /dev/shm.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { EngineFiles, syncParameters } from '../../src/store/engines/engine-files.ts'
import { environmentWithoutSettings } from '../start-program.ts'
import { freshStorePlace } from '../store-fixture.ts'
import { seeded } from './kill-during-ingest.ts'
import { LARGE_EVERY, LARGE_ROWS } from './power-loss-workload.ts'
import { type Kept, ReplayedDisk, readRecording } from './replayed-disk.ts'

/** What a run found; `problems` is empty when nothing acknowledged was lost. */
export interface PowerLossReport {
  commits: number
  syncPoints: number
  /** Disks that were opened. */
  opened: number
  slowestOpenMs: number
  problems: string[]
}

export interface PowerLossOptions {
  commits: number
  kept: readonly Kept[]
  /** Opens the disk of each so many syncs only; different ones for each kind of disk. */
  every: number
  offset?: number
  seed: number
  isDurable: boolean
}

const SHOW_EVERY = 100
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const engineFile = (file: string): URL => new URL(file, import.meta.resolve('@electric-sql/pglite'))

export async function powerLoss(options: PowerLossOptions): Promise<PowerLossReport> {
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'vigil-power-'))
  try {
    const [before, folder, recording] = ['before', 'data', 'recording'].map((name) => join(scratch, name))
    const place = await freshStorePlace()
    cpSync(place.dataDir, before!, { recursive: true })
    cpSync(place.dataDir, folder!, { recursive: true })
    await place.dispose()
    runRecorded(folder!, recording!, options)
    const run = new Replay(new ReplayedDisk(before!), join(scratch, 'found'), options)
    return await run.play(recording!, folder!)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function runRecorded(folder: string, recording: string, { commits, isDurable }: PowerLossOptions): void {
  const args = [here('power-loss-program.ts'), folder, String(commits), String(isDurable)]
  const done = spawnSync(process.execPath, args, {
    env: {
      ...environmentWithoutSettings(),
      NODE_OPTIONS: `--import ${pathToFileURL(here('record-files.ts')).href}`,
      RECORDED_FOLDER: folder,
      RECORDING: recording,
    },
    encoding: 'utf8',
  })
  if (done.status !== 0) throw new Error(`the recorded program ended with ${done.status}: ${done.stderr}`)
}

class Replay {
  readonly #disk: ReplayedDisk
  readonly #found: string
  readonly #options: PowerLossOptions
  readonly #random: () => number
  readonly #report: PowerLossReport
  // Compiled once: most of the time that opening a store takes.
  readonly #engine = new WebAssembly.Module(readFileSync(engineFile('pglite.wasm')))
  readonly #bundle = new Blob([readFileSync(engineFile('pglite.data'))])
  #acknowledged = 0

  constructor(disk: ReplayedDisk, found: string, options: PowerLossOptions) {
    this.#disk = disk
    this.#found = found
    this.#options = options
    this.#random = seeded(options.seed)
    this.#report = { commits: options.commits, syncPoints: 0, opened: 0, slowestOpenMs: 0, problems: [] }
  }

  async play(recording: string, folder: string): Promise<PowerLossReport> {
    const report = this.#report
    for (const { step, data } of readRecording(recording)) {
      if (step.op === 'sync') {
        await this.#fail()
        report.syncPoints++
      }
      this.#disk.play(step, data)
      if (step.op === 'acknowledged') this.#acknowledged = step.number
    }
    await this.#fail()
    if (this.#acknowledged !== report.commits)
      report.problems.push(`${this.#acknowledged} of ${report.commits} commits were recorded`)
    const differences = this.#disk.differencesFrom(folder)
    if (differences.length > 0) report.problems.push(`not recorded in full: ${differences.join(', ')}`)
    return report
  }

  /** The power fails now. */
  async #fail(): Promise<void> {
    const { kept, every, offset = 0 } = this.#options
    for (const [index, kind] of kept.entries()) {
      if ((this.#report.syncPoints + index + offset) % every !== 0) continue
      rmSync(this.#found, { recursive: true, force: true })
      mkdirSync(this.#found)
      this.#disk.copyTo(this.#found, kind, this.#random)
      await this.#open(`before sync ${this.#report.syncPoints + 1}, ${kind} kept`)
    }
  }

  async #open(moment: string): Promise<void> {
    const report = this.#report
    const startedMs = performance.now()
    try {
      const engine = await PGlite.create({
        fs: new EngineFiles(join(this.#found, 'database'), { isDurable: false, makeRoom: () => false }),
        startParams: syncParameters(PGlite.defaultStartParams, false),
        pgliteWasmModule: this.#engine,
        fsBundle: this.#bundle,
      })
      const problem = await readBack(engine, this.#acknowledged)
      if (problem !== null) report.problems.push(`${moment}: ${problem}`)
      await engine.close()
    } catch (error) {
      report.problems.push(`${moment}: the store does not open: ${(error as Error).message}`)
    }
    report.opened++
    report.slowestOpenMs = Math.max(report.slowestOpenMs, Math.round(performance.now() - startedMs))
    if (report.opened % SHOW_EVERY === 0)
      console.error(
        `${report.opened} disks opened, ${this.#acknowledged} commits, ${report.problems.length} problems`,
      )
  }
}

/** Compares rows with what was acknowledged, once by the table and once by its index. */
async function readBack(engine: PGlite, acknowledged: number): Promise<string | null> {
  const table = await engine.query<{ name: string | null }>(`SELECT to_regclass('kept')::text AS name`)
  if (table.rows[0]!.name === null) return acknowledged === 0 ? null : 'the table is gone'
  const { rows } = await engine.query<{ commit: number; rows: number; whole: number }>(
    `SELECT n / 1000 AS "commit", count(*)::integer AS rows,
            (count(*) FILTER (WHERE text = repeat(md5(part::text || (n / 1000)::text), 12)))::integer AS whole
       FROM kept GROUP BY 1 ORDER BY 1`,
  )
  for (const [index, { commit, rows: count, whole }] of rows.entries()) {
    const expected = (index + 1) % LARGE_EVERY === 0 ? LARGE_ROWS : 1
    if (commit !== index + 1) return `commit ${index + 1} is missing`
    if (count !== expected || whole !== expected) return `commit ${commit} has ${whole} of ${expected} rows`
  }
  // One commit may have been written and not acknowledged yet.
  if (rows.length < acknowledged || rows.length > acknowledged + 1)
    return `${acknowledged} acknowledged, ${rows.length} there`
  await engine.query('SET enable_seqscan = off')
  const byIndex = await engine.query<{ rows: number }>(
    'SELECT count(*)::integer AS rows FROM kept WHERE n > 0',
  )
  const all = rows.reduce((sum, { rows: count }) => sum + count, 0)
  return byIndex.rows[0]!.rows === all ? null : `the index finds ${byIndex.rows[0]!.rows} of ${all} rows`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      commits: { type: 'string', default: '1000' },
      kept: { type: 'string', default: 'none,some,all' },
      every: { type: 'string', default: '1' },
      offset: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      durability: { type: 'string', default: 'on' },
    },
  })
  const report = await powerLoss({
    commits: Number(values.commits),
    kept: values.kept.split(',') as Kept[],
    every: Number(values.every),
    offset: Number(values.offset),
    seed: Number(values.seed),
    isDurable: values.durability !== 'off',
  })
  for (const problem of report.problems.slice(0, 20)) console.error(problem)
  console.log(
    `${report.commits} commits, ${report.syncPoints} syncs: ${report.opened} disks opened, slowest ${report.slowestOpenMs} ms; ${report.problems.length} problems`,
  )
  process.exitCode = report.problems.length === 0 ? 0 : 1
}
