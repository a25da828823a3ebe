import type pg from 'pg'
import { endsWithin, Failure, PollLoop } from '../../kit/index.ts'
import { isConnectionError } from '../connection-error.ts'
import { WRITES_CHANNEL } from '../news/news-connection.ts'
import { overPool, type Store, serverPool } from '../store.ts'

const LOOK_EVERY_MS = 500
/** A standby that takes longer to say how far it is counts as away. */
const ANSWER_MS = 3_000
const CATCH_UP_MS = 20
/** Places of the primary that are remembered; older ones are beyond every bound. */
const MAX_PLACES = 1_200

/** What a standby is read for, and how long its answers may lag behind. */
interface ReplicaOptions {
  readonly databaseUrl: string
  readonly maxLagMs: number
  readonly statementMs: number
  /** Lists are read from the standby from now on. */
  readonly onUsable: () => void
  /** They are read from the primary, for this reason. */
  readonly onUnusable: (error: unknown) => void
}

/** How the standby fares, for people. */
interface ReplicaFigures {
  readonly isUsable: boolean
  /** By how much its answers may lag behind; null before it had any place of the primary. */
  readonly lagMs: number | null
  /** Calls answered from it, from the primary though they could have been, and again from the primary, since start. */
  readonly reads: number
  readonly passedOver: number
  readonly repeated: number
  /** Why it is not used; null while it is. */
  readonly problem: string | null
}

interface Place {
  readonly atMs: number
  readonly lsn: bigint
}

/**
 * A standby of the database, from which lists are read while it is close behind. The lag is the age of the newest place
 * in the log of the primary that the standby has replayed: no clock of another machine is asked, and an idle primary
 * causes none. A caller that wrote reads the primary until the standby has what was committed by then.
 */
export class ReadReplica {
  readonly #primary: Store
  readonly #store: Store
  readonly #options: ReplicaOptions
  readonly #looks: PollLoop
  /** The oldest first. */
  readonly #places: Place[] = []
  /** When each caller wrote last. */
  readonly #writes = new Map<string, number>()
  /** What was committed by then is on the standby. */
  #coveredMs = Number.NEGATIVE_INFINITY
  /** Writes of callers before then are not known. */
  #knownFromMs = Number.NEGATIVE_INFINITY
  #problem: string | null = 'it was not looked at yet'
  /** End reads of the standby that are under way. */
  readonly #readers = new Set<(error: unknown) => void>()
  #counts = { reads: 0, passedOver: 0, repeated: 0 }

  constructor(primary: Store, options: ReplicaOptions) {
    this.#primary = primary
    this.#options = options
    const pool = serverPool(options.databaseUrl, options.statementMs)
    this.#store = overPool(pool, options.databaseUrl, options.statementMs)
    this.#looks = new PollLoop({
      everyMs: LOOK_EVERY_MS,
      pass: () => this.#look(),
      onError: (error) => this.#setProblem(error),
      isUnref: true,
    })
  }

  begin(): void {
    this.#looks.begin()
  }

  async close(): Promise<void> {
    await this.#looks.close()
    await this.#store.close()
  }

  /**
   * Reads for a caller: from the standby if it has what the caller wrote, else from the primary. What fails on the standby
   * is repeated on the primary, also when something is only not there yet, unless the primary would fail as well.
   */
  async read<T>(caller: string, run: (store: Store) => Promise<T>): Promise<T> {
    if (!this.#isFor(caller)) {
      this.#counts.passedOver++
      return run(this.#primary)
    }
    this.#counts.reads++
    let isStopped = false
    let stop: (error: unknown) => void = () => {}
    const stopped = new Promise<never>((_, reject) => {
      stop = (error) => {
        isStopped = true
        reject(error)
      }
    })
    this.#readers.add(stop)
    try {
      return await Promise.race([run(this.#store), stopped])
    } catch (error) {
      if (!isStopped && isFinal(error)) throw error
      this.#counts.repeated++
      if (!isStopped && isConnectionError(error)) this.#setProblem(error)
      return await run(this.#primary)
    } finally {
      this.#readers.delete(stop)
    }
  }

  /** Notes that a caller wrote just now. */
  noteWrite(caller: string): void {
    this.#writes.set(caller, performance.now())
  }

  /** Notes it, and tells the other processes; those that cannot be told read the primary. */
  async tellWrite(caller: string): Promise<void> {
    this.noteWrite(caller)
    await this.#primary.pool.query('SELECT pg_notify($1, $2)', [WRITES_CHANNEL, caller])
  }

  /** Resolves when the standby has what is committed now, or is not read any more. */
  async caughtUp(): Promise<void> {
    const nowMs = performance.now()
    while (this.#isUsable && this.#coveredMs < nowMs && !this.#looks.closing.aborted) {
      await new Promise((resolve) => setTimeout(resolve, CATCH_UP_MS))
      await this.#looks.poll()
    }
  }

  /** Writes by other processes may have been missed until now. */
  noteGap(): void {
    this.#knownFromMs = performance.now()
  }

  #isFor(caller: string): boolean {
    const from = Math.max(this.#writes.get(caller) ?? Number.NEGATIVE_INFINITY, this.#knownFromMs)
    return this.#isUsable && this.#primary.news.quietMs > 0 && from < this.#coveredMs
  }

  figures(): ReplicaFigures {
    const lagMs = Number.isFinite(this.#coveredMs) ? performance.now() - this.#coveredMs : null
    return { isUsable: this.#isUsable, lagMs, problem: this.#problem ?? this.#lateness(), ...this.#counts }
  }

  get #isUsable(): boolean {
    return this.#problem === null && this.#lateness() === null
  }

  #lateness(): string | null {
    const isLate = performance.now() - this.#coveredMs > this.#options.maxLagMs
    return isLate ? 'it lags behind the primary' : null
  }

  async #look(): Promise<void> {
    const atMs = performance.now()
    const primary = await within(ANSWER_MS, placeOfPrimary(this.#primary.pool))
    this.#places.push({ atMs, lsn: primary.lsn })
    if (this.#places.length > MAX_PLACES) this.#places.shift()
    const standby = await within(ANSWER_MS, placeOfStandby(this.#store.pool))
    if (standby.lsn === null) throw new Error('it is not a standby')
    if (standby.system !== primary.system) throw new Error('it is a standby of another database')
    while (this.#places.length > 0 && this.#places[0]!.lsn <= standby.lsn)
      this.#coveredMs = this.#places.shift()!.atMs
    for (const [caller, writtenMs] of this.#writes)
      if (writtenMs < this.#coveredMs) this.#writes.delete(caller)
    const wasUnusable = this.#problem !== null
    const late = this.#lateness()
    if (late !== null) throw new Error(late)
    this.#problem = null
    if (wasUnusable) this.#options.onUsable()
  }

  #setProblem(error: unknown): void {
    const isNew = this.#problem === null
    this.#problem = (error as Error).message
    for (const stop of this.#readers) stop(error)
    if (isNew) this.#options.onUnusable(error)
  }
}

/** SQLSTATE of a query that was cancelled at its time limit. */
const TIMED_OUT = '57014'
/** Codes of failures that say that something is not there, which may be there on the primary. */
const NOT_THERE = /NOT_FOUND|NO_SUCH|UNKNOWN|DENIED|INVALID_\w*_ID$/

/** Whether the primary would answer the same, or take as long to fail. */
function isFinal(error: unknown): boolean {
  if (error instanceof Failure) return !NOT_THERE.test(error.code)
  return (error as { code?: unknown }).code === TIMED_OUT
}

interface Position {
  readonly lsn: bigint
  /** Identifies the cluster; its standbys have the same. */
  readonly system: string
}

async function placeOfPrimary(pool: pg.Pool): Promise<Position> {
  const { rows } = await pool.query<{ lsn: string; system: string }>(
    `SELECT pg_current_wal_flush_lsn()::text AS lsn, system_identifier::text AS system FROM pg_control_system()`,
  )
  return { lsn: lsnOf(rows[0]!.lsn), system: rows[0]!.system }
}

/** The place is null on what is not a standby. */
async function placeOfStandby(pool: pg.Pool): Promise<{ lsn: bigint | null; system: string }> {
  const { rows } = await pool.query<{ lsn: string | null; system: string }>(
    `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END AS lsn,
       system_identifier::text AS system
     FROM pg_control_system()`,
  )
  const { lsn, system } = rows[0]!
  return { lsn: lsn === null ? null : lsnOf(lsn), system }
}

/** A place in the log as PostgreSQL writes it: two hexadecimal halves, as in 16/B374D848. */
function lsnOf(text: string): bigint {
  const [high, low] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  if (!(await endsWithin(ms, work))) throw new Error(`no answer within ${ms / 1000} s`)
  return work
}
