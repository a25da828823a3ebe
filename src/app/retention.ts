import { Failure, type Log, nowSeconds, reportError, type Settings } from '../kit/index.ts'
import type { Store } from '../store/index.ts'
import { type ArchivePlace, openArchivePlace } from './archive/archive-place.ts'
import { AUDIT_TABLE, AUDIT_WAITS, listArchives, noteAuditSpans } from './archive/archive-records.ts'
import { writeArchives } from './archive/write-archives.ts'
import { type KeptKind, readOrganisation } from './organisation.ts'
import { keepPartitions } from './partition-retention.ts'

const HOUR_MS = 3_600_000
const DAY_SECONDS = 86_400
/** Rows of one statement, so that no other call waits long for it. */
const ROWS_PER_STATEMENT = 5_000

/** One table whose rows are kept for a time. */
interface Kept {
  readonly kind: KeptKind
  readonly table: string
  readonly column: string
  /** Setting and its unit in seconds. */
  readonly setting:
    | 'sampleDays'
    | 'callStatsDays'
    | 'addressStatsHours'
    | 'ledgerDays'
    | 'probeDays'
    | 'importDays'
    | 'crawlDays'
    | 'auditDays'
  readonly settingSeconds: number
  /** Unit of the column in seconds. */
  readonly columnSeconds: number
  /** Rows that stay whatever their age. */
  readonly except?: string
}

/** Tables whose old rows are deleted; calls per minute, results and the request log are in partitions. */
const keptTables: readonly Kept[] = [
  {
    kind: 'SAMPLES',
    table: 'samples',
    column: 'stored_at',
    setting: 'sampleDays',
    settingSeconds: DAY_SECONDS,
    columnSeconds: 1,
  },
  {
    kind: 'CALLS',
    table: 'endpoint_durations',
    column: 'hour',
    setting: 'callStatsDays',
    settingSeconds: DAY_SECONDS,
    columnSeconds: 3_600,
  },
  {
    kind: 'ADDRESSES',
    table: 'ip_windows',
    column: 'window_start',
    setting: 'addressStatsHours',
    settingSeconds: 3_600,
    columnSeconds: 60,
  },
  {
    kind: 'COUNTERS',
    table: 'traffic_ledger',
    column: 'day',
    setting: 'ledgerDays',
    settingSeconds: DAY_SECONDS,
    columnSeconds: DAY_SECONDS,
  },
  {
    kind: 'UNKNOWN_PATHS',
    table: 'probes',
    column: 'last_seen',
    setting: 'probeDays',
    settingSeconds: DAY_SECONDS,
    columnSeconds: 1,
  },
  {
    kind: 'IMPORTS',
    table: 'imports',
    column: 'created_at',
    setting: 'importDays',
    settingSeconds: DAY_SECONDS,
    columnSeconds: 1,
    except: "status = 'IN_PROGRESS'",
  },
  {
    kind: 'CRAWLS',
    table: 'crawls',
    column: 'ended_at',
    setting: 'crawlDays',
    settingSeconds: DAY_SECONDS,
    columnSeconds: 1,
    except: 'ended_at = 0',
  },
  {
    kind: 'AUDIT_LOG',
    table: AUDIT_TABLE,
    column: 'at',
    setting: 'auditDays',
    settingSeconds: DAY_SECONDS,
    columnSeconds: 1,
    except: AUDIT_WAITS,
  },
]

/** What is kept for a time, in the order in which people see it. */
export const keptKindSettings = [
  ...keptTables,
  { kind: 'TEST_RESULTS', setting: 'resultDays', settingSeconds: DAY_SECONDS },
  { kind: 'REQUEST_LOG', setting: 'requestLogDays', settingSeconds: DAY_SECONDS },
] as const

/** Removes what the organisation, or else the settings, say is kept no longer: when a process is elected for it, and every hour. */
export class Retention {
  readonly #store: Store
  readonly #settings: Settings
  readonly #log: Log
  readonly #archive: ArchivePlace | null
  #timer: NodeJS.Timeout | null = null
  #current: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(store: Store, settings: Settings, log: Log) {
    this.#store = store
    this.#settings = settings
    this.#log = log
    this.#archive = openArchivePlace(settings)
  }

  /** Begins: one process of the store purges, every hour. A failure is in the log, and the next hour tries again. */
  schedule(isElected: () => boolean): void {
    const run = (): void => {
      if (isElected()) this.purgeNow()
    }
    this.#timer = setInterval(run, HOUR_MS).unref()
  }

  /** Purges in the background. */
  purgeNow(): void {
    this.purge().catch((error: unknown) =>
      this.#log.warn('part.failed', { part: 'retention', error: reportError(error) }),
    )
  }

  /** Purges once, after the one under way. @returns rows removed by table; tables that lost none are absent */
  purge(): Promise<Record<string, number>> {
    const done = this.#current.then(() => this.#purge())
    this.#current = done.catch(() => {}) // the caller hears of it
    return done
  }

  /** Ends the schedule and waits for the statement under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#current
  }

  async #purge(): Promise<Record<string, number>> {
    const startedMs = performance.now()
    const removed: Record<string, number> = {}
    const chosen = (await readOrganisation(this.#store.pool)).kept
    for (const one of keptTables) {
      const seconds = (chosen[one.kind] ?? this.#settings[one.setting]) * one.settingSeconds
      if (seconds === 0) continue
      const before = Math.max(0, nowSeconds() - seconds)
      if (one.table === AUDIT_TABLE && this.#archive !== null) {
        await noteAuditSpans(this.#store.pool, before)
        continue
      }
      const count = await this.#remove(one, Math.floor(before / one.columnSeconds))
      if (count > 0) removed[one.table] = count
    }
    const mayGoOn = (): boolean => !this.#isClosed
    const isArchived = this.#archive !== null
    const days = {
      resultDays: chosen.TEST_RESULTS ?? this.#settings.resultDays,
      requestLogDays: chosen.REQUEST_LOG ?? this.#settings.requestLogDays,
      callStatsDays: chosen.CALLS ?? this.#settings.callStatsDays,
    }
    Object.assign(removed, await keepPartitions({ store: this.#store, days, isArchived, mayGoOn }))
    const told = Object.entries(removed).map(([table, count]) => `${table} ${count}`)
    const durationMs = Math.round(performance.now() - startedMs)
    if (told.length > 0) this.#log.info('retention.purged', { removed: told, durationMs })
    await this.#writeArchives(mayGoOn)
    return removed
  }

  /** What was taken out while there was an archive waits until there is one again. */
  async #writeArchives(mayGoOn: () => boolean): Promise<void> {
    if (this.#archive !== null) {
      for (const { partition, rows, bytes } of await writeArchives(this.#store, this.#archive, mayGoOn))
        this.#log.info('archive.written', { partition, rows, bytes })
      return
    }
    const waiting = (await listArchives(this.#store)).filter(({ state }) => state === 'DETACHED')
    if (waiting.length > 0)
      throw new Failure('ARCHIVE_FAILED', {
        reason: `VIGIL_ARCHIVE_URL is not set, and ${waiting.length} partitions wait for it`,
      })
  }

  async #remove({ table, column, except }: Kept, before: number): Promise<number> {
    let count = 0
    while (!this.#isClosed) {
      const { rowCount } = await this.#store.pool.query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE ${column} < $1 ${except === undefined ? '' : `AND NOT (${except})`} LIMIT $2))`,
        [before, ROWS_PER_STATEMENT],
      )
      count += rowCount ?? 0
      if ((rowCount ?? 0) < ROWS_PER_STATEMENT) break
    }
    return count
  }
}
