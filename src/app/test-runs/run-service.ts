import { randomUUID } from 'node:crypto'
import { moveIssues } from '../../issues/index.ts'
import { type Log, nowSeconds, reportError, type Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  type ActiveExecution,
  activeExecutions,
  adoptExecution,
  type CallbackPort,
  type ClaimedExecution,
  claimExecution,
  type FlowPlayer,
  keepExecution,
  nextWave,
  noteTrouble,
  postponeRun,
  releaseExecution,
  type SigningKeys,
  waitingShards,
} from '../../testing/index.ts'
import { endRun } from '../alerts/end-run.ts'
import { AuditWriter } from './audit-writer.ts'
import type { RunDeps } from './execute-run.ts'
import { secondsOf } from './open-run.ts'
import { planExecution } from './plan-execution.ts'
import { Playground } from './playground.ts'
import { ShardQueue } from './shard-queue.ts'
import { ShardWorker } from './shard-worker.ts'
import { UndoWrites } from './undo-writes.ts'

const LOOK_EVERY_MS = 1_000
const SIGN_OF_LIFE_MS = 1_000
/** After so long without a heartbeat a planner counts as dead, and another process plans again. */
const SILENT_SECONDS = 10
/** Executions that one process plans at the same time. */
const MAX_PLANS = 2
/** Shards that nobody has worked on for so long have lost their jobs, as after a restored backup. */
const LOST_SECONDS = 60

/** What the service needs of the installation. */
export interface RunServiceDeps {
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

/**
 * Takes test runs whose time has come, on any number of processes: one plans an execution and puts its shards into the
 * queue, all of them work the shards off, and anyone who sees that the last one is done ends the execution.
 */
export class RunService {
  /** Tests that people try without a run. */
  readonly playground: Playground
  readonly #deps: RunServiceDeps
  readonly #runDeps: RunDeps & { readonly log: Log }
  readonly #worker = randomUUID()
  readonly #stop = new AbortController()
  readonly #plans = new Set<Promise<void>>()
  readonly #audit: AuditWriter
  readonly #undo: UndoWrites
  #parts: Promise<{ queue: ShardQueue; shards: ShardWorker }> | null = null
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null
  #looksAgain = false

  constructor(deps: RunServiceDeps) {
    this.#deps = deps
    this.#audit = new AuditWriter(deps.store, deps.log)
    this.#runDeps = {
      ...deps,
      audit: (entry) => this.#audit.add(entry),
      note: (runId, summaryId, trouble) => {
        deps.log.warn('run.trouble', { runId, trouble })
        noteTrouble(deps.store, summaryId, trouble, nowSeconds()).catch((error: unknown) => this.#warn(error))
      },
    }
    this.playground = new Playground(this.#runDeps)
    this.#undo = new UndoWrites(this.#runDeps)
  }

  begin(): void {
    this.#timer = setInterval(() => void this.#beat(), LOOK_EVERY_MS)
    this.#audit.begin()
    void this.look()
  }

  /** Looks for work now instead of at the next tick. */
  look(): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve()
    if (this.#looking !== null) {
      this.#looksAgain = true
      return this.#looking
    }
    this.#looking = this.#lookAround().finally(() => {
      this.#looking = null
      if (!this.#looksAgain) return
      this.#looksAgain = false
      void this.look()
    })
    return this.#looking
  }

  /** Resolves when every request that this process sent so far is in the log of its run. */
  logWritten(): Promise<void> {
    return this.#audit.write()
  }

  /** Ends what is under way; another process, or the next start, continues with it. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#stop.abort()
    await this.#looking
    const parts = await this.#parts?.catch(() => null)
    await parts?.shards.close()
    await Promise.all([...this.#plans, this.playground.close()])
    await parts?.queue.close()
    await this.#undo.close()
    await this.#audit.close()
  }

  async #beat(): Promise<void> {
    try {
      const { shards } = await this.#opened()
      if (!this.#stop.signal.aborted) await shards.beat()
    } catch (error) {
      this.#warn(error)
    }
    await this.look()
  }

  async #lookAround(): Promise<void> {
    try {
      const parts = await this.#opened()
      this.#undo.look()
      await this.#claim(parts)
      await this.#settle(parts.queue)
      if (!this.#stop.signal.aborted) await parts.shards.take()
    } catch (error) {
      this.#warn(error)
    }
  }

  /** The queue, opened once; a store that was away is tried again at the next look. */
  #opened(): Promise<{ queue: ShardQueue; shards: ShardWorker }> {
    this.#parts ??= this.#open().catch((error: unknown) => {
      this.#parts = null
      throw error
    })
    return this.#parts
  }

  async #open(): Promise<{ queue: ShardQueue; shards: ShardWorker }> {
    const queue = await ShardQueue.open(this.#deps.store, this.#deps.log)
    const shards = new ShardWorker(this.#runDeps, queue, this.#worker, () => void this.look())
    await this.#undo.begin()
    await shards.takeBackOrphans()
    return { queue, shards }
  }

  async #claim(parts: { queue: ShardQueue; shards: ShardWorker }): Promise<void> {
    const { store } = this.#deps
    while (this.#plans.size < MAX_PLANS && !this.#stop.signal.aborted) {
      const claimed =
        (await claimExecution(store, this.#worker)) ??
        (await adoptExecution(store, this.#worker, SILENT_SECONDS))
      if (claimed === null) return
      const plan = this.#plan(claimed, parts).finally(() => {
        this.#plans.delete(plan)
        void this.look()
      })
      this.#plans.add(plan)
    }
  }

  async #plan(
    claimed: ClaimedExecution,
    { queue, shards }: { queue: ShardQueue; shards: ShardWorker },
  ): Promise<void> {
    const { store, log } = this.#deps
    const { id } = claimed.execution
    // From then on shards have their own heartbeats.
    let isPlanned = false
    const signs = setInterval(() => {
      keepExecution(store, id, this.#worker).then(
        (isOurs) => {
          if (!isOurs && !isPlanned) shards.abandon(id)
        },
        (error: unknown) => this.#warn(error),
      )
    }, SIGN_OF_LIFE_MS)
    try {
      await moveIssues(store)
      const open = await shards.open(claimed)
      if (open.kind === 'failed') {
        const runState = open.isRunDone === true ? 'COMPLETED' : 'FAILED'
        await endRun(store, id, { state: 'FAILED', runState, error: open.error })
      } else if (open.kind === 'nothing to do') {
        if (claimed.run.periodSeconds < 0) await postponeRun(store, id, claimed.execution.startedAt)
        else await this.#end(claimed.execution)
      } else {
        await planExecution(store, queue, open, () => {
          isPlanned = true
          void this.look()
        })
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return
      log.error('part.failed', { part: 'test runs', error: reportError(error) })
      await endRun(store, id, {
        state: 'FAILED',
        runState: 'FAILED',
        error: 'The execution broke off; the log says why.',
      }).catch(() => {}) // the store is what failed: another process takes the execution over
    } finally {
      clearInterval(signs)
      if (this.#stop.signal.aborted) await releaseExecution(store, id, this.#worker).catch(() => {})
    }
  }

  /** Ends executions that are done or out of time, and lets those go on whose wave is done. Any process may. */
  async #settle(queue: ShardQueue): Promise<void> {
    const { store } = this.#deps
    for (const execution of await activeExecutions(store)) {
      const { id, isWaveDone, hasMore } = execution
      const isLate = execution.startedAt + secondsOf(execution.runSeconds) <= nowSeconds()
      if (isLate || (isWaveDone && !hasMore && execution.isLeftOutDone)) {
        // A run that ends leaves the application as it was.
        if (this.#undo.isFinished(id, () => void this.look())) await this.#end(execution)
      } else if (isWaveDone && hasMore)
        await nextWave(store, id, (client, numbers) => queue.send(client, id, numbers))
      else if (!isWaveDone && execution.silentSeconds > LOST_SECONDS)
        await queue.send(store.pool, id, await waitingShards(store, id))
    }
  }

  async #end({ id, startedAt }: Pick<ActiveExecution, 'id' | 'startedAt'>): Promise<void> {
    await endRun(this.#deps.store, id, { state: 'COMPLETED', coveredUntil: startedAt })
  }

  #warn(error: unknown): void {
    if (this.#stop.signal.aborted) return
    this.#deps.log.warn('part.failed', { part: 'test runs', error: reportError(error) })
  }
}
