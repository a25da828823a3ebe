import { mkdirSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, type Log, nowMs, reportError, type Settings } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import { databaseFolder, writeBackup } from '../store/owner.ts'
import { instanceKeyFile } from './instance-key.ts'

/** Folder of the snapshots in the data folder. */
export const snapshotFolder = 'snapshots'
/** File in it that tells how the latest attempt ended; `vigil backup` waits for it. */
export const latestSnapshotFile = 'latest.json'

const SNAPSHOT_NAME = /^vigil-\d{8}T\d{6}Z(-\d+)?\.tar\.gz$/
const HOUR_MS = 3_600_000
const LOOK_EVERY_MS = 60_000

/** How the latest attempt ended. */
export interface LatestSnapshot {
  atMs: number
  file: string | null
  reason: string | null
}

/**
 * Snapshots of the embedded store: backup files in the data folder, the newest few of them. They are what is left when
 * the disk returns other bytes than were written, or somebody deletes what should have stayed.
 */
export class Snapshots {
  readonly #store: Store
  readonly #settings: Settings
  readonly #log: Log
  readonly #folder: string
  #timer: NodeJS.Timeout | null = null
  #current: Promise<string> | null = null

  constructor(store: Store, settings: Settings, log: Log) {
    this.#store = store
    this.#settings = settings
    this.#log = log
    this.#folder = join(settings.dataDir, snapshotFolder)
  }

  /** Takes one whenever the newest is older than the setting says. */
  schedule(): void {
    const everyMs = this.#settings.snapshotHours * HOUR_MS
    if (everyMs === 0) return
    const bornMs = nowMs()
    this.#timer = setInterval(() => {
      const newest = this.#list().at(-1)
      const newestMs = newest ? statSync(join(this.#folder, newest)).mtimeMs : bornMs
      // A failure is in the log and in latest.json; the next look tries again.
      if (nowMs() - newestMs >= everyMs) this.take().catch(() => {})
    }, LOOK_EVERY_MS).unref()
  }

  /**
   * Takes one now; callers at the same time get the same.
   *
   * @returns path of the file
   * @throws Failure SNAPSHOT_FAILED
   */
  take(): Promise<string> {
    this.#current ??= this.#take().finally(() => {
      this.#current = null
    })
    return this.#current
  }

  /** Ends the schedule and waits for the one under way. */
  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    await this.#current?.catch(() => {})
  }

  async #take(): Promise<string> {
    if (this.#store.kind !== 'embedded') throw new Failure('NO_EMBEDDED_STORE')
    const startedMs = performance.now()
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const copy = join(this.#folder, `copy-${process.pid}`)
    const file = join(this.#folder, this.#freeName())
    try {
      rmSync(copy, { recursive: true, force: true })
      this.#checkSpace()
      await this.#store.copyTo(copy)
      const bytes = await writeBackup(file, copy, join(this.#settings.dataDir, instanceKeyFile))
      this.#prune()
      this.#note({ atMs: nowMs(), file, reason: null })
      this.#log.info('snapshot.taken', { file, bytes, durationMs: Math.round(performance.now() - startedMs) })
      return file
    } catch (error) {
      this.#note({ atMs: nowMs(), file: null, reason: (error as Error).message })
      this.#log.error('snapshot.failed', { error: reportError(error) })
      throw error
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }

  /** The copy and the file are there at once for a moment: at most twice the size of the database. */
  #checkSpace(): void {
    const { bavail, bsize } = statfsSync(this.#folder)
    const needed = 2 * folderBytes(join(this.#settings.dataDir, databaseFolder))
    if (bavail * bsize < needed) {
      throw new Failure('SNAPSHOT_FAILED', { reason: `it needs ${needed} bytes of free space for a moment` })
    }
  }

  #freeName(): string {
    const stamp = `vigil-${new Date(nowMs()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
    const taken = new Set(this.#list())
    for (let i = 1; ; i++) {
      const name = `${stamp}${i === 1 ? '' : `-${i}`}.tar.gz`
      if (!taken.has(name)) return name
    }
  }

  #list(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => SNAPSHOT_NAME.test(name))
        .sort()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  #prune(): void {
    for (const name of this.#list().slice(0, -this.#settings.snapshotsKept)) rmSync(join(this.#folder, name))
  }

  #note(latest: LatestSnapshot): void {
    writeFileSync(join(this.#folder, latestSnapshotFile), JSON.stringify(latest), { mode: 0o600 })
  }
}

function folderBytes(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}
