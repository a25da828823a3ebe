import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Log, nowSeconds, PollLoop, reportError, type Settings } from '../../kit/index.ts'
import { makePartitions, partitionedTables, type Store } from '../../store/index.ts'
import {
  addUpDrops,
  BLOCK_LIST_FILES,
  BLOCK_LIST_FORMATS,
  type BlockList,
  blockedActors,
  type EnforcementGap,
  endStatuses,
  enforcementGap,
  makeBlockList,
  purgeEvents,
  readThreatConfiguration,
  trustedBy,
  writeBlockList,
} from '../../threat/index.ts'
import { noteEvents } from '../archive/archive-records.ts'

const HOUR_MS = 3_600_000
/** Statuses whose time is over reach the files so soon; changes do at once where the store notifies of them. */
const LOOK_EVERY_MS = 5_000
const FOLDER = 0o755
/** Gateways run as other users. */
const READABLE = 0o644

/** What follows on its own: old events go, statuses end, and the files of the block list say who is blocked. */
export class ThreatMaintenance {
  readonly #store: Store
  readonly #settings: Settings
  readonly #log: Log
  readonly #isTrusted: (address: string) => boolean
  #timer: NodeJS.Timeout | undefined
  readonly #checks: PollLoop
  #purging: Promise<unknown> = Promise.resolve()
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(store: Store, settings: Settings, log: Log) {
    this.#store = store
    this.#settings = settings
    this.#log = log
    this.#isTrusted = trustedBy({
      trustedProxies: settings.trustedProxies,
      trustsPrivate: settings.trustPrivateProxies,
    })
    this.#checks = new PollLoop({
      everyMs: LOOK_EVERY_MS,
      pass: () => this.#check(),
      onError: (error) => this.#logError(error),
      isUnref: true,
      news: { from: store.news, topics: ['blocks', 'settings'], isTimed: true },
    })
  }

  /** Begins: looks at the block list every few seconds; one process of the store purges, every hour. */
  begin(isElected: () => boolean): void {
    const purge = (): void => {
      if (isElected()) this.purgeNow()
    }
    this.#checks.begin()
    this.#timer = setInterval(purge, HOUR_MS).unref()
  }

  /** Purges in the background. */
  purgeNow(): void {
    this.purge().catch((error: unknown) => this.#logError(error))
  }

  /** Removes what is kept no longer, after the purge under way. */
  purge(): Promise<void> {
    const done = this.#purging.then(() => this.#purge())
    this.#purging = done.catch(() => {}) // the caller hears of it
    return done
  }

  /** Who is blocked now. */
  async blockList(): Promise<BlockList> {
    return makeBlockList(await blockedActors(this.#store.pool), this.#isTrusted)
  }

  /** Why gateways let an actor through that is blocked until then (0: for ever); null when they refuse it. */
  enforcementGap(actor: string, until: number): EnforcementGap | null {
    return enforcementGap(actor, until, nowSeconds(), this.#isTrusted)
  }

  /** Writes the files of the block list where they are not true any more, one writer after the other. */
  writeBlockList(): Promise<void> {
    const done = this.#writing.then(() => this.#writeFiles())
    this.#writing = done.catch(() => {}) // the caller hears of it
    return done
  }

  /** Ends the schedules and waits for what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#checks.close()
    await this.#purging
    await this.#writing
  }

  async #check(): Promise<void> {
    await addUpDrops(this.#store.pool)
    await endStatuses(this.#store)
    await this.writeBlockList()
  }

  async #purge(): Promise<void> {
    await makePartitions(this.#store, partitionedTables.events, nowSeconds())
    const { isPurging, keptDays } = await readThreatConfiguration(this.#store.pool)
    if (!isPurging) return
    const startedMs = performance.now()
    const { events, messages } = await purgeEvents(this.#store, keptDays, {
      mayGoOn: () => !this.#isClosed,
      noteDetached: this.#settings.archiveUrl === null ? null : noteEvents,
    })
    if (events + messages === 0) return
    const durationMs = Math.round(performance.now() - startedMs)
    this.#log.info('retention.purged', {
      removed: [`threat_events ${events}`, `threat_messages ${messages}`],
      durationMs,
    })
  }

  async #writeFiles(): Promise<void> {
    if (this.#isClosed) return
    const list = await this.blockList()
    const folder = join(this.#settings.dataDir, 'blocklist')
    await mkdir(folder, { recursive: true, mode: FOLDER })
    for (const format of BLOCK_LIST_FORMATS) {
      const path = join(folder, BLOCK_LIST_FILES[format])
      const text = writeBlockList(list, format)
      if ((await textOf(path)) === text) continue
      // A reader sees the old file or the new one, never half of one.
      await writeFile(`${path}.new`, text, { mode: READABLE })
      await rename(`${path}.new`, path)
    }
  }

  #logError(error: unknown): void {
    if (!this.#isClosed) this.#log.warn('part.failed', { part: 'threats', error: reportError(error) })
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}
