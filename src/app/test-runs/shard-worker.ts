import { inSpan, type Log, reportError } from '../../kit/index.ts'
import { isUnavailable } from '../../store/connection-error.ts'
import type { Store } from '../../store/index.ts'
import {
  type ClaimedExecution,
  type ClaimedShard,
  claimShard,
  executePairs,
  executionsToOpen,
  findClaimed,
  finishShard,
  giveBackRequests,
  giveBackShard,
  giveBackShards,
  keepShards,
  pairsOf,
  runTools,
  shareRequests,
} from '../../testing/index.ts'
import { endRun } from '../alerts/end-run.ts'
import type { RunDeps } from './execute-run.ts'
import { concurrencyOf, type OpenRun, openRun, type RunObstacle } from './open-run.ts'
import { duePairs } from './plan-execution.ts'
import { RequestShare } from './request-share.ts'

/** A process has its shards and its share of the requests for so long after its last heartbeat. */
const SILENT_SECONDS = 10
/** A process that cannot send heartbeats sends no requests any more so long before others count on its share. */
const LAPSE_AFTER_MS = (SILENT_SECONDS - 1) * 1000
/** An open execution of which this process has no shard is closed after this many heartbeats. */
const IDLE_BEATS = 5
/** A shard that failed so often through a fault of Vigil fails its execution. */
const MAX_TRIES = 3
/** What one try counts that lost its connection, mostly to a database that ended it. */
const LOST_TRY = 0.25

/** An execution that this process works on, or is about to. */
interface Work {
  /** Begins when the process has a share of the requests. */
  readonly open: Promise<OpenRun | RunObstacle>
  readonly mayOpen: () => void
  readonly letGo: AbortController
  readonly shards: Map<number, AbortController>
  readonly share: RequestShare
  /** Requests at once of all processes together. */
  readonly limit: number
  readonly isPlanner: boolean
  state: 'opening' | 'opened' | 'failed'
  /** A shard was taken and its checks have not begun, so that nobody knows yet how much room they leave. */
  isPreparing: boolean
  /** Takes the share away when heartbeats do not reach the store any more: others use it then. */
  lapse: NodeJS.Timeout | undefined
  idleBeats: number
}

/** How an execution is joined. */
interface Joining {
  readonly limit: number
  readonly isPlanner: boolean
  readonly find: () => Promise<ClaimedExecution | null>
}

/** What a worker asks for. */
interface WorkerSignals {
  /** There may be room for another shard. */
  readonly onRoom: () => void
  /** A heartbeat is wanted now. */
  readonly onJoin: () => void
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
  readonly #signals: WorkerSignals
  #isClosing = false

  constructor(deps: RunDeps & { readonly log: Log }, worker: string, signals: WorkerSignals) {
    this.#deps = deps
    this.#store = deps.store
    this.#log = deps.log
    this.#worker = worker
    this.#signals = signals
  }

  /** Where no other process can be at work, what was under way at the death of the last one is taken at once. */
  async takeBackOrphans(): Promise<void> {
    if (this.#store.kind !== 'embedded') return
    await giveBackShards(this.#store, null)
    await giveBackRequests(this.#store, null, null)
  }

  /** Opens an execution for its plan; its shards find it open. */
  open(claimed: ClaimedExecution): Promise<OpenRun | RunObstacle> {
    const known = this.#work.get(claimed.execution.id)
    if (known !== undefined && !known.letGo.signal.aborted && known.state !== 'failed') return known.open
    if (known !== undefined) void closeWork(known)
    const find = () => Promise.resolve(claimed)
    return this.#join(claimed.execution.id, { limit: concurrencyOf(claimed.run), isPlanner: true, find }).open
  }

  /** Lets go of an execution that this process opened for its plan. */
  abandon(summaryId: string): void {
    this.#work.get(summaryId)?.letGo.abort()
  }

  /** Takes shards of opened executions while there is room for their checks, and opens executions that have more. */
  async take(): Promise<void> {
    while (!this.#isClosing) {
      const of = [...this.#work].filter(([, work]) => hasRoom(work)).map(([id]) => id)
      if (of.length === 0) break
      const claim = { worker: this.#worker, of, silentSeconds: SILENT_SECONDS }
      const shard = await claimShard(this.#store, claim)
      if (shard === null) break
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
        this.#signals.onRoom()
      })
      this.#running.add(running)
    }
    await this.#joinOthers()
  }

  /** Sends heartbeats, hears of stops, and shares limits with other processes; due every second. */
  async beat(): Promise<void> {
    for (const [summaryId, work] of this.#work) {
      const numbers = [...work.shards.keys()]
      // One that is being opened isn't idle: signing in and making requests from documents may take minutes.
      work.idleBeats = numbers.length === 0 && work.state !== 'opening' ? work.idleBeats + 1 : 0
      const signs = await keepShards(this.#store, summaryId, this.#worker, numbers)
      if (!signs.isRunning) work.letGo.abort()
      for (const [number, letGo] of work.shards) {
        if (numbers.includes(number) && !signs.kept.has(number)) letGo.abort()
      }
      const isOver = work.letGo.signal.aborted || work.idleBeats > IDLE_BEATS
      if (work.shards.size === 0 && isOver) await this.#close(summaryId, work)
      else await this.#renew(summaryId, work)
    }
  }

  /** Renews the share of an execution's requests. Only heartbeats do, which come one after the other. */
  async #renew(summaryId: string, work: Work): Promise<void> {
    const { share, limit, isPlanner } = work
    const isOpen = isPlanner || work.state !== 'opening'
    const sentAt = performance.now()
    const worker = { summaryId, worker: this.#worker, isOpen, held: share.held }
    const requests = await shareRequests(this.#store, worker, { limit, silentSeconds: SILENT_SECONDS })
    clearTimeout(work.lapse)
    if (this.#work.get(summaryId) !== work) return
    const hadRoom = share.gate.hasRoom
    share.set(requests)
    work.lapse = setTimeout(() => share.set(0), sentAt + LAPSE_AFTER_MS - performance.now())
    if (requests > 0) work.mayOpen()
    if (share.gate.hasRoom && !hadRoom) this.#signals.onRoom()
  }

  /** Ends what is under way; what is not done goes to other processes at once. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const { letGo } of this.#work.values()) letGo.abort()
    await Promise.all(this.#running)
    for (const [summaryId, work] of [...this.#work]) await this.#close(summaryId, work)
    await giveBackShards(this.#store, this.#worker)
  }

  /** Begins to open executions whose shards wait. */
  async #joinOthers(): Promise<void> {
    if (this.#isClosing) return
    const waiting = await executionsToOpen(this.#store, {
      but: [...this.#work.keys()],
      silentSeconds: SILENT_SECONDS,
    })
    for (const { id, maxConcurrent } of waiting) {
      if (this.#work.has(id)) continue
      const find = () => findClaimed(this.#store, id)
      this.#join(id, { limit: concurrencyOf({ maxConcurrent }), isPlanner: false, find })
    }
  }

  #join(summaryId: string, { limit, isPlanner, find }: Joining): Work {
    const letGo = new AbortController()
    const share = new RequestShare()
    const { promise, resolve: mayOpen } = Promise.withResolvers<void>()
    letGo.signal.addEventListener('abort', () => mayOpen())
    const open = promise
      .then(() => (letGo.signal.aborted ? null : find()))
      .then((claimed): Promise<OpenRun | RunObstacle> | RunObstacle =>
        claimed === null ? { kind: 'nothing to do' } : openRun(this.#deps, claimed, share, letGo.signal),
      )
    const work: Work = {
      open,
      mayOpen,
      letGo,
      shards: new Map(),
      share,
      limit,
      isPlanner,
      state: 'opening',
      isPreparing: false,
      lapse: undefined,
      idleBeats: 0,
    }
    const settle = (state: 'opened' | 'failed'): void => {
      work.state = state
      if (letGo.signal.aborted) return
      this.#signals.onJoin()
      this.#signals.onRoom()
    }
    // Anyone who waits for it hears the error.
    open.then(
      () => settle('opened'),
      () => settle('failed'),
    )
    this.#work.set(summaryId, work)
    this.#signals.onJoin()
    return work
  }

  async #close(summaryId: string, work: Work): Promise<void> {
    if (this.#work.get(summaryId) === work) this.#work.delete(summaryId)
    await closeWork(work)
    // It may have joined again meanwhile.
    if (!this.#work.has(summaryId)) await giveBackRequests(this.#store, this.#worker, summaryId)
  }

  async #run(shard: ClaimedShard): Promise<void> {
    const { summaryId, number } = shard
    const work = this.#work.get(summaryId)
    try {
      // Closed while the shard was taken.
      if (work === undefined) return await giveBackShard(this.#store, shard, this.#worker)
      const letGo = new AbortController()
      work.shards.set(number, letGo)
      work.isPreparing = true
      try {
        const isEnded = await this.#execute(work, shard, letGo.signal)
        if (isEnded) await finishShard(this.#store, shard)
        else if (!this.#isClosing) await giveBackShard(this.#store, shard, this.#worker)
      } finally {
        work.isPreparing = false
        work.shards.delete(number)
      }
    } catch (error) {
      await this.#failed(shard, error)
      // It is opened anew, by this process or another.
      if (work?.state === 'failed') work.letGo.abort()
    }
  }

  /** @returns whether the shard needs no other process: it is done, or its execution is */
  async #execute(work: Work, shard: ClaimedShard, lost: AbortSignal): Promise<boolean> {
    const { summaryId, pairs } = shard
    const open = await work.open
    if (open.kind === 'nothing to do') return true
    if (open.kind === 'failed') {
      await this.#fail(summaryId, open.error, open.isRunDone === true)
      return true
    }
    const due = await duePairs(this.#store, open, pairsOf(pairs))
    const done = executePairs(due, {
      concurrency: open.concurrency,
      gate: work.share.gate,
      record: open.record,
      toolsWith: (pairSignal) => runTools(open.material, pairSignal),
      signal: AbortSignal.any([open.until, lost]),
      templates: open.templates,
    })
    // Its checks have taken their places.
    work.isPreparing = false
    if (hasRoom(work)) this.#signals.onRoom()
    await done
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

/** Only an execution that is open takes shards, one at a time, until as many checks run as may. */
function hasRoom({ state, letGo, shards, isPreparing, share }: Work): boolean {
  if (state === 'opening' || letGo.signal.aborted || isPreparing) return false
  return share.gate.hasRoom && (state === 'opened' || shards.size === 0)
}

async function closeWork({ letGo, lapse, open }: Work): Promise<void> {
  clearTimeout(lapse)
  letGo.abort()
  const opened = await open.catch(() => null)
  if (opened?.kind === 'open') await opened.close()
}
