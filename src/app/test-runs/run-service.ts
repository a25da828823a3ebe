import { randomUUID } from 'node:crypto'
import { moveIssues } from '../../issues/index.ts'
import {
  inSpan,
  type Log,
  nowSeconds,
  PollLoop,
  reportError,
  type Sealer,
  Slots,
  withHeartbeat,
} from '../../kit/index.ts'
import { isUnavailable } from '../../store/connection-error.ts'
import type { Store } from '../../store/index.ts'
import {
  type ActiveExecution,
  activeExecutions,
  type CallbackPort,
  type ClaimedExecution,
  claimExecution,
  type FlowPlayer,
  keepExecution,
  nextStage,
  noteProblem,
  type OneTimeCodes,
  postponeRun,
  releaseExecution,
  type SigningKeys,
  takeOverExecution,
} from '../../testing/index.ts'
import { endRun } from '../alerts/end-run.ts'
import { AuditWriter } from './audit-writer.ts'
import { DryRuns } from './dry-runs.ts'
import type { RunDeps } from './execute-run.ts'
import { type OpenRun, type RunObstacle, secondsOf } from './open-run.ts'
import { planExecution } from './plan-execution.ts'
import { Playground } from './playground.ts'
import { ShardWorker } from './shard-worker.ts'
import { type SentLogin, type TriedLogin, tryLogin } from './try-login.ts'
import { UndoWrites } from './undo-writes.ts'

const POLL_EVERY_MS = 1_000
const HEARTBEAT_MS = 1_000
/** After so long without a heartbeat a planner counts as dead, and another process plans again. */
const SILENT_SECONDS = 10
/** Executions that one process plans at the same time. */
const MAX_PLANS = 2
/** An execution whose plan lost its connection so often fails: it may be the fault of more than the database. */
const MAX_LOST_PLANS = 10
/** Logins that wait to be tried; they run one after the other, so that a target meets one at a time. */
const MAX_WAITING_LOGINS = 4

/** What the service needs of the installation. */
interface RunServiceDeps {
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
  readonly oneTimeCode: OneTimeCodes
}

/**
 * Takes test runs whose time has come, on any number of processes: one plans an execution and stores its shards, all
 * of them work the shards off, and anyone who sees that the last one is done ends the execution.
 */
export class RunService {
  /** Tests that people try without a run. */
  readonly playground: Playground
  /** What runs would send. */
  readonly dryRuns: DryRuns
  readonly #deps: RunServiceDeps
  readonly #runDeps: RunDeps & { readonly log: Log }
  readonly #worker = randomUUID()
  readonly #plans = new Set<Promise<void>>()
  /** How often plans of an execution lost their connection. */
  readonly #lost = new Map<string, number>()
  readonly #audit: AuditWriter
  readonly #undo: UndoWrites
  readonly #logins = new Slots(1, MAX_WAITING_LOGINS)
  #shards: Promise<ShardWorker> | null = null
  readonly #beats: PollLoop
  readonly #passes: PollLoop

  constructor(deps: RunServiceDeps) {
    this.#deps = deps
    this.#audit = new AuditWriter(deps.store, deps.log)
    this.#runDeps = {
      ...deps,
      audit: (entry) => this.#audit.add(entry),
      note: (runId, summaryId, problem) => {
        deps.log.warn('run.problem', { runId, problem })
        noteProblem(deps.store, summaryId, problem, nowSeconds()).catch((error: unknown) => this.#warn(error))
      },
    }
    this.playground = new Playground(this.#runDeps)
    this.dryRuns = new DryRuns(this.#runDeps)
    this.#undo = new UndoWrites(this.#runDeps)
    const onError = (error: unknown): void => this.#warn(error)
    this.#beats = new PollLoop({
      everyMs: HEARTBEAT_MS,
      pass: async () => (await this.#opened()).beat(),
      onError,
    })
    this.#passes = new PollLoop({
      everyMs: POLL_EVERY_MS,
      pass: (closing) => this.#pass(closing),
      onError,
      news: { from: deps.store.news, topics: ['runs'], isTimed: true },
    })
  }

  begin(): void {
    this.#audit.begin()
    this.#beats.begin()
    this.#passes.begin()
  }

  /** Looks for work now instead of at the next interval. */
  wake(): Promise<void> {
    return this.#passes.poll()
  }

  /** Signs a role in once, and keeps nothing. @throws Failure OVERLOADED, and those of {@link tryLogin} */
  tryLogin(login: SentLogin): Promise<TriedLogin> {
    return this.#logins.run(() => tryLogin(this.#runDeps, login))
  }

  /** Resolves when every request that this process sent so far is in the log of its run. */
  logWritten(): Promise<void> {
    return this.#audit.write()
  }

  /** Ends what is under way; another process, or the next start, continues with it. */
  async close(): Promise<void> {
    await Promise.all([this.#beats.close(), this.#passes.close()])
    const shards = await this.#shards?.catch(() => null)
    await shards?.close()
    await Promise.all([...this.#plans, this.playground.close(), this.dryRuns.close()])
    await this.#undo.close()
    await this.#audit.close()
  }

  async #pass(closing: AbortSignal): Promise<void> {
    const shards = await this.#opened()
    this.#undo.wake()
    await this.#claim(shards)
    await this.#settle()
    if (!closing.aborted) await shards.take()
  }

  /** Opened once; a store that was away is tried again at the next look. */
  #opened(): Promise<ShardWorker> {
    this.#shards ??= this.#open().catch((error: unknown) => {
      this.#shards = null
      throw error
    })
    return this.#shards
  }

  async #open(): Promise<ShardWorker> {
    const shards = new ShardWorker(this.#runDeps, this.#worker, () => void this.wake())
    await this.#undo.begin()
    await shards.takeBackOrphans()
    return shards
  }

  async #claim(shards: ShardWorker): Promise<void> {
    const { store } = this.#deps
    while (this.#plans.size < MAX_PLANS && !this.#passes.closing.aborted) {
      const claimed =
        (await claimExecution(store, this.#worker)) ??
        (await takeOverExecution(store, this.#worker, SILENT_SECONDS))
      if (claimed === null) return
      const { context, run, execution } = claimed
      const attributes = { 'vigil.run.id': run.id, 'vigil.execution.id': execution.id }
      const plan = inSpan('test run plan', { context, mayBegin: true, attributes }, () =>
        this.#plan(claimed, shards),
      ).finally(() => {
        this.#plans.delete(plan)
        void this.wake()
      })
      this.#plans.add(plan)
    }
  }

  /** Plans an execution; its shards have heartbeats of the process that works on them. */
  async #plan(claimed: ClaimedExecution, shards: ShardWorker): Promise<void> {
    const { store, log } = this.#deps
    const { id } = claimed.execution
    let isPlanned = false
    const heartbeat = {
      everyMs: HEARTBEAT_MS,
      beat: async () => (await keepExecution(store, id, this.#worker)) || isPlanned,
      onError: (error: unknown) => this.#warn(error),
    }
    try {
      await withHeartbeat(heartbeat, async (lost) => {
        await moveIssues(store)
        if (lost.aborted) return
        lost.addEventListener('abort', () => shards.abandon(id))
        await this.#planOpened(claimed, await shards.open(claimed), () => {
          isPlanned = true
          void this.wake()
        })
      })
      this.#lost.delete(id)
    } catch (error) {
      if (this.#passes.closing.aborted) return
      log.error('part.failed', { part: 'test runs', error: reportError(error) })
      const lost = (this.#lost.get(id) ?? 0) + 1
      if (isUnavailable(error) && lost < MAX_LOST_PLANS) {
        // Planned again by whichever process reaches the store: at once the first time, then when no heartbeat came for a while.
        this.#lost.set(id, lost)
        shards.abandon(id)
        if (lost === 1) await releaseExecution(store, id, this.#worker).catch(() => {})
        return
      }
      this.#lost.delete(id)
      await endRun(store, id, {
        state: 'FAILED',
        runState: 'FAILED',
        error: 'The execution broke off; the log says why.',
      }).catch(() => {}) // the store is what failed, too: another process takes the execution over
    } finally {
      if (this.#passes.closing.aborted) await releaseExecution(store, id, this.#worker).catch(() => {})
    }
  }

  async #planOpened(
    { run, execution }: ClaimedExecution,
    open: OpenRun | RunObstacle,
    onShards: () => void,
  ): Promise<void> {
    const { store } = this.#deps
    if (open.kind === 'open') await planExecution(store, open, onShards)
    else if (open.kind === 'failed') {
      const runState = open.isRunDone === true ? 'COMPLETED' : 'FAILED'
      await endRun(store, execution.id, { state: 'FAILED', runState, error: open.error })
    } else if (run.periodSeconds < 0) await postponeRun(store, execution.id, execution.startedAt)
    else await this.#end(execution)
  }

  /** Ends executions that are done or out of time, and lets those continue whose stage is done. Any process may. */
  async #settle(): Promise<void> {
    const { store } = this.#deps
    for (const execution of await activeExecutions(store)) {
      const { id, isStageDone, hasMore } = execution
      const isLate = execution.startedAt + secondsOf(execution.runSeconds) <= nowSeconds()
      if (isLate || (isStageDone && !hasMore && execution.isLeftOutDone)) {
        // A run that ends leaves the application as it was.
        if (this.#undo.isFinished(id, () => void this.wake())) await this.#end(execution)
      } else if (isStageDone && hasMore) await nextStage(store, id)
    }
  }

  async #end({ id, startedAt }: Pick<ActiveExecution, 'id' | 'startedAt'>): Promise<void> {
    await endRun(this.#deps.store, id, { state: 'COMPLETED', coveredUntil: startedAt })
  }

  #warn(error: unknown): void {
    if (this.#passes.closing.aborted) return
    this.#deps.log.warn('part.failed', { part: 'test runs', error: reportError(error) })
  }
}
