import { inSpan, type Log, reportError } from '../../kit/index.ts'
import { isUnavailable } from '../../store/connection-error.ts'
import type { Store } from '../../store/index.ts'
import {
  type ClaimedExecution,
  type ClaimedShard,
  claimShard,
  executePairs,
  findClaimed,
  finishShard,
  giveBackShard,
  giveBackShards,
  keepShards,
  pairsOf,
  runTools,
} from '../../testing/index.ts'
import { endRun } from '../alerts/end-run.ts'
import type { RunDeps } from './execute-run.ts'
import { type OpenRun, openRun, type RunObstacle } from './open-run.ts'
import { duePairs } from './plan-execution.ts'

/** A process counts as working on an execution for so long after its last heartbeat or the end of its last shard. */
const SILENT_SECONDS = 10
/** An open execution of which this process has no shard is closed after this many heartbeats. */
const IDLE_BEATS = 5
/** A shard that failed so often through a fault of Vigil fails its execution. */
const MAX_TRIES = 3
/** What one try counts that lost its connection, mostly to a database that ended it. */
const LOST_TRY = 0.25

/** An execution that this process has shards of. */
interface Work {
  readonly open: Promise<OpenRun | RunObstacle>
  readonly letGo: AbortController
  readonly shards: Map<number, AbortController>
  /** What `open` came to, once it did. */
  opened: OpenRun | null
  idleBeats: number
}

/** Takes shards of any execution and works them off; several processes do so at the same time. */
export class ShardWorker {
  readonly #deps: RunDeps
  readonly #store: Store
  readonly #log: Log
  readonly #worker: string
  readonly #work = new Map<string, Work>()
  readonly #running = new Set<Promise<void>>()
  readonly #tries = new Map<string, number>()
  readonly #onDone: () => void
  #isClosing = false

  /** @param onDone called when a shard has ended */
  constructor(deps: RunDeps & { readonly log: Log }, worker: string, onDone: () => void) {
    this.#deps = deps
    this.#store = deps.store
    this.#log = deps.log
    this.#worker = worker
    this.#onDone = onDone
  }

  /** Where no other process can be at work, what was under way at the death of the last one is taken at once. */
  async takeBackOrphans(): Promise<void> {
    if (this.#store.kind === 'embedded') await giveBackShards(this.#store, null)
  }

  /** Opens an execution for its plan; its shards find it open. */
  open(claimed: ClaimedExecution): Promise<OpenRun | RunObstacle> {
    return this.#workOn(claimed.execution.id, () => Promise.resolve(claimed)).open
  }

  /** Lets go of an execution that this process opened for its plan. */
  abandon(summaryId: string): void {
    this.#work.get(summaryId)?.letGo.abort()
  }

  /** Takes shards while there is room for more pairs; @returns how many it took. */
  async take(): Promise<number> {
    for (let taken = 0; ; taken++) {
      if (this.#isClosing) return taken
      const full = [...this.#work].filter(([, work]) => !hasRoom(work)).map(([id]) => id)
      const shard = await claimShard(this.#store, {
        worker: this.#worker,
        but: full,
        silentSeconds: SILENT_SECONDS,
      })
      if (shard === null) return taken
      const { context, summaryId, number, pairs } = shard
      const attributes = {
        'vigil.execution.id': summaryId,
        'vigil.shard': number,
        'vigil.checks': pairsOf(pairs).length,
      }
      const running = inSpan('test run shard', { context, mayBegin: true, attributes }, () =>
        this.#run(shard),
      ).finally(() => {
        this.#running.delete(running)
        this.#onDone()
      })
      this.#running.add(running)
      // Its pairs take their places before the next shard is asked for.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Sends heartbeats, hears of stops, and shares limits with other processes; due every second. */
  async beat(): Promise<void> {
    for (const [summaryId, work] of this.#work) {
      const numbers = [...work.shards.keys()]
      // One that is being opened isn't idle: signing in and making requests from documents may take minutes.
      work.idleBeats = numbers.length === 0 && work.opened !== null ? work.idleBeats + 1 : 0
      const signs = await keepShards(this.#store, summaryId, this.#worker, numbers, SILENT_SECONDS)
      if (!signs.isRunning) work.letGo.abort()
      for (const [number, letGo] of work.shards) {
        if (numbers.includes(number) && !signs.kept.has(number)) letGo.abort()
      }
      work.opened?.share(signs.processes)
      if (numbers.length === 0 && (!signs.isRunning || work.idleBeats > IDLE_BEATS))
        await this.#close(summaryId)
    }
  }

  /** Ends what is under way; what is not done goes to other processes at once. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const { letGo } of this.#work.values()) letGo.abort()
    await Promise.all(this.#running)
    for (const summaryId of [...this.#work.keys()]) await this.#close(summaryId)
    await giveBackShards(this.#store, this.#worker)
  }

  /** @param processes that work on the execution already, this one among them: opening it sends requests as well */
  #workOn(summaryId: string, find: () => Promise<ClaimedExecution | null>, processes = 1): Work {
    const known = this.#work.get(summaryId)
    if (known !== undefined && !known.letGo.signal.aborted) return known
    if (known !== undefined) void closeWork(known)
    const letGo = new AbortController()
    const open = find().then((claimed): Promise<OpenRun | RunObstacle> | RunObstacle =>
      claimed === null ? { kind: 'nothing to do' } : openRun(this.#deps, claimed, letGo.signal, processes),
    )
    const work: Work = { open, letGo, shards: new Map(), opened: null, idleBeats: 0 }
    open.then(
      (opened) => {
        if (opened.kind === 'open') work.opened = opened
      },
      () => {
        // Anyone who waits for it hears the error. Another may have replaced it since it was let go.
        if (this.#work.get(summaryId) === work) this.#work.delete(summaryId)
      },
    )
    this.#work.set(summaryId, work)
    return work
  }

  async #close(summaryId: string): Promise<void> {
    const work = this.#work.get(summaryId)
    if (work === undefined) return
    this.#work.delete(summaryId)
    await closeWork(work)
  }

  async #run(shard: ClaimedShard): Promise<void> {
    const { summaryId, number } = shard
    try {
      const { processes } = await keepShards(this.#store, summaryId, this.#worker, [number], SILENT_SECONDS)
      const work = this.#workOn(summaryId, () => findClaimed(this.#store, summaryId), processes)
      const letGo = new AbortController()
      work.shards.set(number, letGo)
      try {
        const isEnded = await this.#execute(work, shard, letGo.signal)
        if (isEnded) await finishShard(this.#store, shard)
        else if (!this.#isClosing) await giveBackShard(this.#store, shard, this.#worker)
      } finally {
        work.shards.delete(number)
      }
    } catch (error) {
      await this.#failed(shard, error)
    }
  }

  /** @returns whether the shard needs no other process: it is done, or its execution is */
  async #execute(work: Work, shard: ClaimedShard, lost: AbortSignal): Promise<boolean> {
    const { summaryId, number, pairs } = shard
    const open = await work.open
    if (open.kind === 'nothing to do') return true
    if (open.kind === 'failed') {
      await this.#fail(summaryId, open.error, open.isRunDone === true)
      return true
    }
    // Others have continued since this process last had a shard; they hear of this one at their next heartbeat.
    const signs = await keepShards(this.#store, summaryId, this.#worker, [number], SILENT_SECONDS)
    open.share(signs.processes)
    const signal = AbortSignal.any([open.until, lost])
    await executePairs(await duePairs(this.#store, open, pairsOf(pairs)), {
      concurrency: open.concurrency,
      gate: open.gate,
      record: open.record,
      toolsWith: (pairSignal) => runTools(open.material, pairSignal),
      signal,
      templates: open.templates,
    })
    return !lost.aborted && !open.letGo.aborted
  }

  async #fail(summaryId: string, error: string, isRunDone: boolean): Promise<void> {
    const runState = isRunDone ? 'COMPLETED' : 'FAILED'
    await endRun(this.#store, summaryId, { state: 'FAILED', runState, error })
  }

  /** A shard that broke off is tried again; the store may be what failed, so nothing here may throw. */
  async #failed(shard: ClaimedShard, error: unknown): Promise<void> {
    this.#log.error('part.failed', { part: 'test runs', error: reportError(error) })
    const { summaryId, number } = shard
    const key = `${summaryId} ${number}`
    const before = this.#tries.get(key) ?? 0
    const isLost = isUnavailable(error)
    const tries = before + (isLost ? LOST_TRY : 1)
    this.#tries.set(key, tries)
    try {
      if (tries >= MAX_TRIES) await this.#fail(summaryId, 'The execution broke off; the log says why.', false)
      // Later, when no heartbeat came for it for a while.
      if (!isLost || before === 0) await giveBackShard(this.#store, shard, this.#worker)
    } catch (problem) {
      this.#log.warn('part.failed', { part: 'test runs', error: reportError(problem) })
    }
  }
}

/** An execution that is still being opened takes no second shard. */
function hasRoom({ opened, shards }: Work): boolean {
  return opened === null ? shards.size === 0 : opened.gate.hasRoom
}

async function closeWork({ letGo, open }: Work): Promise<void> {
  letGo.abort()
  const opened = await open.catch(() => null)
  if (opened?.kind === 'open') await opened.close()
}
