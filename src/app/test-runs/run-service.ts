import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '../../http/index.ts'
import { type Log, reportError, type Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  adoptExecution,
  type CallbackPort,
  type ClaimedExecution,
  claimExecution,
  endExecution,
  type FlowPlayer,
  keepExecution,
  postponeRun,
  releaseExecution,
  type SigningKeys,
} from '../../testing/index.ts'
import { executeRun, type RunGround } from './execute-run.ts'
import { Playground } from './playground.ts'

const LOOK_EVERY_MS = 1_000
const SIGN_OF_LIFE_MS = 1_000
/** After so long without a sign of life a process counts as dead, and another takes its execution. */
const SILENT_SECONDS = 10
/** Executions that one process works on at the same time. */
const MAX_AT_ONCE = 2
const AUDIT_EVERY_MS = 1_000
const MAX_AUDIT_WAITING = 5_000

/** What the service needs of the installation. */
export interface RunServiceGround {
  readonly store: Store
  readonly sealer: Sealer
  readonly log: Log
  readonly keys: SigningKeys
  readonly callback: CallbackPort | null
  readonly own: readonly string[]
  readonly allowed: readonly string[]
  readonly verifiesTls: boolean
  readonly requestsPerMinute: number
  readonly player: FlowPlayer | null
}

/** Takes test runs whose time has come, on any number of processes, and works them off. */
export class RunService {
  /** Tests that people try without a run. */
  readonly playground: Playground
  readonly #ground: RunServiceGround
  readonly #runGround: RunGround
  readonly #worker = randomUUID()
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #audit: AuditEntry[] = []
  #timer: NodeJS.Timeout | null = null
  #auditTimer: NodeJS.Timeout | null = null
  #isLooking = false

  constructor(ground: RunServiceGround) {
    this.#ground = ground
    this.#runGround = {
      ...ground,
      audit: (entry) => this.#note(entry),
      note: (runId, trouble) => ground.log.warn('run.trouble', { runId, trouble }),
    }
    this.playground = new Playground(this.#runGround)
  }

  begin(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS)
    this.#auditTimer = setInterval(() => void this.#writeAudit(), AUDIT_EVERY_MS)
  }

  /** Looks for work now instead of at the next tick. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#stop.signal.aborted) return
    this.#isLooking = true
    try {
      while (this.#running.size < MAX_AT_ONCE && !this.#stop.signal.aborted) {
        const { store } = this.#ground
        const claimed =
          (await claimExecution(store, this.#worker)) ??
          (await adoptExecution(store, this.#worker, SILENT_SECONDS))
        if (claimed === null) return
        const work = this.#work(claimed).finally(() => this.#running.delete(work))
        this.#running.add(work)
      }
    } catch (error) {
      this.#ground.log.warn('part.failed', { part: 'test runs', error: reportError(error) })
    } finally {
      this.#isLooking = false
    }
  }

  /** Ends what is under way; another process, or the next start, goes on with it. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    if (this.#auditTimer !== null) clearInterval(this.#auditTimer)
    this.#stop.abort()
    await Promise.all([...this.#running, this.playground.close()])
    await this.#writeAudit()
  }

  async #work(claimed: ClaimedExecution): Promise<void> {
    const { store, log } = this.#ground
    const { id } = claimed.execution
    const letGo = new AbortController()
    const signs = setInterval(() => {
      keepExecution(store, id, this.#worker).then(
        (isOurs) => {
          if (!isOurs) letGo.abort()
        },
        (error: unknown) => log.warn('part.failed', { part: 'test runs', error: reportError(error) }),
      )
    }, SIGN_OF_LIFE_MS)
    const signal = AbortSignal.any([this.#stop.signal, letGo.signal])
    try {
      const end = await executeRun(this.#runGround, claimed, signal)
      if (end.kind === 'failed') {
        const runState = end.isRunDone === true ? 'COMPLETED' : 'FAILED'
        await endExecution(store, id, { state: 'FAILED', runState, error: end.error })
      } else if (end.kind === 'nothing to do' && claimed.run.periodSeconds < 0)
        await postponeRun(store, id, claimed.execution.startedAt)
      else if (end.kind !== 'let go')
        await endExecution(store, id, { state: 'COMPLETED', coveredUntil: claimed.execution.startedAt })
      else if (this.#stop.signal.aborted) await releaseExecution(store, id, this.#worker)
    } catch (error) {
      log.error('part.failed', { part: 'test runs', error: reportError(error) })
      await endExecution(store, id, {
        state: 'FAILED',
        runState: 'FAILED',
        error: 'The execution broke off; the log says why.',
      }).catch(() => {}) // the store is what failed: another process takes the execution over
    } finally {
      clearInterval(signs)
    }
  }

  #note(entry: AuditEntry): void {
    this.#audit.push(entry)
    if (this.#audit.length >= MAX_AUDIT_WAITING) void this.#writeAudit()
  }

  async #writeAudit(): Promise<void> {
    const entries = this.#audit
    if (entries.length === 0) return
    this.#audit = []
    try {
      await this.#ground.store.pool.query(
        `INSERT INTO outgoing_requests (sent_at, purpose, run_id, summary_id, test_id, user_login, method, host, url,
           status_code, failure, duration_ms)
         SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
           $8::text[], $9::text[], $10::integer[], $11::text[], $12::integer[])`,
        [
          entries.map((e) => e.atSeconds),
          entries.map((e) => e.kind),
          entries.map((e) => e.runId),
          entries.map((e) => e.summaryId),
          entries.map((e) => e.testId),
          entries.map((e) => e.user),
          entries.map((e) => e.method),
          entries.map((e) => e.host),
          entries.map((e) => e.url),
          entries.map((e) => e.status),
          entries.map((e) => e.failure),
          entries.map((e) => Math.round(e.durationMs)),
        ],
      )
    } catch (error) {
      this.#audit = [...entries, ...this.#audit].slice(0, MAX_AUDIT_WAITING)
      this.#ground.log.warn('part.failed', { part: 'audit', error: reportError(error) })
    }
  }
}
