import { Worker } from 'node:worker_threads'
import { Failure, siblingModule, ThreadCalls } from '../../kit/index.ts'
import type { DetectionInput } from './detect-batch.ts'
import { type DetectedCall, type DetectionMethods, type DetectionSetup, PROGRESS } from './worker-messages.ts'

/** Bytes that may wait for detection; beyond, senders are asked to come back. */
const MAX_WAITING_BYTES = 96 * 1024 * 1024
const RETRY_AFTER_SECONDS = 2
const YOUNG_GENERATION_MB = 32
/** A thread that is at the same message for this many looks is stuck: the cost of a message is bounded far below. */
const LOOK_EVERY_MS = 250
const STUCK_LOOKS = 12
const MAX_ID = 2 ** 31 - 2
/** Messages of one call that may get threads stuck; then the rest of it is not looked at. */
const MAX_SKIPPED = 4

/** What the owner of a pool wants to hear of, and what tests set. */
interface DetectionEvents {
  /** Filters that cannot be used, after a setup. */
  onProblems?: (problems: readonly string[]) => void
  /** A thread was replaced; the message at which it was is passed over. */
  onReplaced?: (reason: string, message: number) => void
  /** Module of the threads. */
  module?: URL
  lookEveryMs?: number
}

/** Counts since start, for metrics. */
export interface DetectionFigures {
  readonly threads: number
  readonly filters: number
  readonly waitingBytes: number
  /** Some call is waiting or being looked at. */
  readonly isBusy: boolean
  readonly messages: number
  readonly found: number
  readonly truncated: number
  /** Messages or whole calls that were passed over because looking at them did not end. */
  readonly passedOver: number
  readonly replacedThreads: number
  /** CPU time of detection. */
  readonly microseconds: number
}

interface Call {
  readonly id: number
  readonly input: DetectionInput
  readonly bytes: number
  readonly skipped: number[]
  readonly resolve: (findings: Uint8Array<ArrayBuffer> | null) => void
  readonly reject: (error: Error) => void
}

interface WorkerHandle {
  worker: Worker
  thread: ThreadCalls<DetectionMethods>
  readonly progress: Int32Array
  readonly calls: Map<number, Call>
  bytes: number
  /** Order and message at the last look, and how often they were the same. */
  seen: [number, number, number]
}

/**
 * Threads that look for threats, each one call at a time. A thread that ends or does not come on is replaced and its
 * calls are given to the new one, without the message it was at: detection never holds traffic up for long, and one
 * message never costs more than itself.
 */
export class DetectionPool {
  readonly #handles: WorkerHandle[] = []
  readonly #events: DetectionEvents
  readonly #timer: NodeJS.Timeout
  #setup: DetectionSetup | null = null
  #lastId = 0
  #filters = 0
  #isClosed = false
  #waitingBytes = 0
  #counts = { messages: 0, found: 0, truncated: 0, passedOver: 0, replacedThreads: 0, microseconds: 0 }

  constructor(threads: number, events: DetectionEvents = {}) {
    this.#events = events
    for (let i = 0; i < threads; i++) this.#handles.push(this.#newHandle())
    this.#timer = setInterval(() => this.#check(), events.lookEveryMs ?? LOOK_EVERY_MS)
    this.#timer.unref()
  }

  /**
   * Looks for threats in the messages of a call, which keeps its input. Call {@link setUp} before.
   *
   * @returns packed findings for the inventory, null when there are none
   * @throws Failure OVERLOADED when too much is waiting
   */
  detect(input: DetectionInput): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = 'bytes' in input ? input.bytes.byteLength : 0
    if (this.#isClosed) return Promise.reject(new Failure('SHUTTING_DOWN', {}))
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      return Promise.reject(new Failure('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
    }
    return new Promise((resolve, reject) => {
      const handle = this.#handles.reduce((a, b) => (b.bytes < a.bytes ? b : a))
      this.#waitingBytes += bytes
      this.#send(handle, { id: this.#nextId(), input, bytes, skipped: [], resolve, reject })
    })
  }

  /** Changes what is looked for; settles when every thread goes by it. Calls that wait already may go by either. */
  async setUp(setup: DetectionSetup): Promise<void> {
    this.#setup = setup
    await Promise.all(this.#handles.map((handle) => this.#sendSetup(handle, setup)))
  }

  figures(): DetectionFigures {
    return {
      threads: this.#handles.length,
      filters: this.#filters,
      waitingBytes: this.#waitingBytes,
      isBusy: this.#handles.some(({ calls }) => calls.size > 0),
      ...this.#counts,
    }
  }

  /** Ends the threads. Calls that still wait are refused: a message that was not looked at must not be accepted. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    const workers = this.#handles.map(({ worker }) => worker)
    for (const handle of this.#handles) {
      for (const call of handle.calls.values()) call.reject(new Failure('SHUTTING_DOWN', {}))
      handle.calls.clear()
      handle.thread.end(new Failure('SHUTTING_DOWN', {}))
    }
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  /** Ids fit the memory that threads share. */
  #nextId(): number {
    this.#lastId = (this.#lastId % MAX_ID) + 1
    return this.#lastId
  }

  #newHandle(): WorkerHandle {
    const memory = new SharedArrayBuffer(PROGRESS.SLOTS * Int32Array.BYTES_PER_ELEMENT)
    const progress = new Int32Array(memory)
    const worker = this.#newWorker(progress)
    const thread = new ThreadCalls<DetectionMethods>(worker, {})
    const handle: WorkerHandle = { worker, thread, progress, calls: new Map(), bytes: 0, seen: [0, 0, 0] }
    this.#start(handle)
    return handle
  }

  #newWorker(progress: Int32Array): Worker {
    return new Worker(this.#events.module ?? siblingModule(import.meta.url, './detection-worker'), {
      workerData: { progress },
      // Leaves and texts of a message die before the next one is read.
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
  }

  #start(handle: WorkerHandle): void {
    const { worker } = handle
    handle.progress.fill(0)
    handle.seen = [0, 0, 0]
    worker.on('error', (error) => this.#replace(handle, worker, (error as Error).message))
    worker.on('exit', () => this.#replace(handle, worker, 'the thread ended'))
    if (this.#setup !== null) void this.#sendSetup(handle, this.#setup)
  }

  async #sendSetup(handle: WorkerHandle, setup: DetectionSetup): Promise<void> {
    const { worker } = handle
    try {
      const { filters, problems } = await handle.thread.call('setUp', [setup])
      this.#filters = filters
      if (handle === this.#handles[0] && problems.length > 0) this.#events.onProblems?.(problems)
    } catch (error) {
      // A thread that was replaced has the setup of the one in its place.
      this.#replace(handle, worker, (error as Error).message)
    }
  }

  #send(handle: WorkerHandle, call: Call): void {
    handle.calls.set(call.id, call)
    handle.bytes += call.bytes
    const { input } = call
    // A copy: the bytes themselves go to the inventory afterwards.
    const given = 'bytes' in input ? { ...input, bytes: new Uint8Array(input.bytes) } : input
    const transfer = 'bytes' in given ? [given.bytes.buffer as ArrayBuffer] : []
    const { worker } = handle
    handle.thread.call('detect', [call.id, given, call.skipped], { transfer }).then(
      (detected) => this.#take(handle, call, detected),
      (error: Error) => this.#replace(handle, worker, error.message),
    )
  }

  #take(handle: WorkerHandle, call: Call, { batch, microseconds }: DetectedCall): void {
    const { messages, found, truncated, findings } = batch
    this.#counts.messages += messages
    this.#counts.found += found
    this.#counts.truncated += truncated
    this.#counts.microseconds += microseconds
    this.#finish(handle, call, findings)
  }

  #finish(handle: WorkerHandle, call: Call, findings: Uint8Array<ArrayBuffer> | null): void {
    handle.calls.delete(call.id)
    handle.bytes -= call.bytes
    this.#waitingBytes -= call.bytes
    call.resolve(findings)
  }

  #check(): void {
    for (const handle of this.#handles) {
      const order = Atomics.load(handle.progress, PROGRESS.ORDER)
      const message = Atomics.load(handle.progress, PROGRESS.MESSAGE)
      const isSame = order !== 0 && order === handle.seen[0] && message === handle.seen[1]
      handle.seen = [order, message, isSame ? handle.seen[2] + 1 : 0]
      if (handle.seen[2] >= STUCK_LOOKS) this.#replace(handle, handle.worker, 'the thread did not come on')
    }
  }

  /** Puts a new thread in the place of one that ended or does not come on. */
  #replace(handle: WorkerHandle, worker: Worker, reason: string): void {
    if (this.#isClosed || handle.worker !== worker) return
    const order = Atomics.load(handle.progress, PROGRESS.ORDER)
    const message = Atomics.load(handle.progress, PROGRESS.MESSAGE)
    const calls = [...handle.calls.values()]
    const { thread } = handle
    handle.calls.clear()
    handle.bytes = 0
    this.#counts.replacedThreads++
    handle.worker = this.#newWorker(handle.progress)
    handle.thread = new ThreadCalls<DetectionMethods>(handle.worker, {})
    this.#start(handle)
    thread.end(new Error(reason))
    void worker.terminate()
    this.#events.onReplaced?.(reason, message)
    for (const call of calls) {
      if (call.id === order) this.#counts.passedOver++
      if (call.id === order && (message < 0 || call.skipped.length >= MAX_SKIPPED)) {
        handle.bytes += call.bytes
        this.#finish(handle, call, null)
        continue
      }
      if (call.id === order) call.skipped.push(message)
      this.#send(handle, call)
    }
  }
}
