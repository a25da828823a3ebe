import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { Failure, siblingModule } from '../../kit/index.ts'
import type { EmbeddedOptions } from './embedded.ts'
import type { EmbeddedWorkerData, EmbeddedWorkerMessage } from './embedded-worker.ts'
import { engineModule } from './engine-module.ts'
import { folderMark } from './folder-mark.ts'
import { SpaceGuard } from './space-guard.ts'

const LOOK_EVERY_MS = 1_000
const RESTART_AFTER_MS = 500
const RETRY_FULL_MS = 2_000
/** An engine that stops this often without having answered a statement in between cannot be helped by another try. */
const ATTEMPTS = 20
/** Time to write everything out at the end; the log has it in any case. */
const CLOSE_MS = 10_000

/** Keeps one thread with an engine running on a folder, and leads connections to it. */
export class Supervisor {
  readonly #options: EmbeddedOptions
  readonly #folder: string | undefined
  readonly #mark: number | undefined
  readonly #runningSince = new BigInt64Array(new SharedArrayBuffer(8))
  readonly #gates = new Set<MessagePort>()
  /** Null while the next engine is not ready. */
  #worker: Worker | null = null
  #starting: Worker | null = null
  #timer: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  #isClosing = false
  #failures = 0
  #patience = 0
  #lastCopy = 0
  #stopReason: string | null = null
  isFull = false

  constructor(options: EmbeddedOptions, folder: string | undefined) {
    this.#options = options
    this.#folder = folder
    this.#mark = folder === undefined ? undefined : folderMark(folder)
  }

  /** Opens the first engine; rejects with its error. */
  async start(): Promise<void> {
    await this.#open()
    this.#watch = setInterval(() => this.#check(), LOOK_EVERY_MS).unref()
  }

  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#takeOver(port2)
    return port1
  }

  gate(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    port1.on('message', (port: MessagePort) => this.#takeOver(port))
    port1.on('close', () => this.#gates.delete(port1))
    port1.unref()
    this.#gates.add(port1)
    return port2
  }

  async patiently<T>(work: () => Promise<T>): Promise<T> {
    this.#patience++
    try {
      return await work()
    } finally {
      this.#patience--
    }
  }

  async copyTo(folder: string): Promise<void> {
    const id = ++this.#lastCopy
    const worker = this.#worker
    if (worker === null)
      throw new Failure('SNAPSHOT_FAILED', { reason: 'the embedded database starts again' })
    const reason = await new Promise<string | undefined>((resolve) => {
      const finish = (why: string | undefined): void => {
        worker.off('message', listen).off('exit', onExit)
        resolve(why)
      }
      const listen = (message: EmbeddedWorkerMessage): void => {
        if (message.snapshot === id) finish(message.reason)
      }
      const onExit = (): void => finish('the embedded database ended')
      worker.on('message', listen).on('exit', onExit)
      worker.postMessage({ snapshot: { id, folder } })
    })
    if (reason !== undefined) throw new Failure('SNAPSHOT_FAILED', { reason })
  }

  async close(): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    clearTimeout(this.#timer)
    for (const gate of this.#gates) gate.close()
    await this.#starting?.terminate()
    const worker = this.#worker
    if (worker !== null) await this.#closeEngine(worker)
    clearInterval(this.#watch)
  }

  /** Statements keep their limit meanwhile. */
  #closeEngine(worker: Worker): Promise<void> {
    return new Promise((resolve) => {
      // An engine that spins no longer takes messages.
      const late = setTimeout(() => void worker.terminate(), CLOSE_MS)
      worker.once('exit', () => {
        clearTimeout(late)
        resolve()
      })
      worker.postMessage({ close: true })
    })
  }

  /** Leads a connection to the engine. While there is none it closes, and its owner hears that the store is away. */
  #takeOver(port: MessagePort): void {
    if (this.#worker === null) port.close()
    else this.#worker.postMessage({ connect: port }, [port])
  }

  async #open(): Promise<void> {
    const module = await engineModule()
    if (this.#isClosing) throw new Error('the embedded database ended')
    Atomics.store(this.#runningSince, 0, 0n)
    this.isFull = false
    const workerData: EmbeddedWorkerData = {
      module,
      dataDir: this.#folder,
      mark: this.#mark,
      isDurable: this.#options.isDurable,
      runningSince: this.#runningSince,
    }
    const worker = new Worker(siblingModule(import.meta.url, './embedded-worker'), {
      workerData,
      // Its own objects are few and short-lived: a small nursery keeps what it holds on to small.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    })
    this.#starting = worker
    let stopped: Error | null = null
    return new Promise((resolve, reject) => {
      worker.on('message', (message: EmbeddedWorkerMessage) => {
        if (message.ready) {
          this.#starting = null
          this.#worker = worker
          resolve()
        }
        if (message.isLow !== undefined) this.isFull = message.isLow
        if (message.stopped !== undefined) stopped = new Error(message.stopped)
        if (message.gone) stopped = this.#goneFailure()
      })
      worker.on('error', (error) => {
        stopped ??= error as Error
      })
      worker.once('exit', () => {
        const error = stopped ?? new Error(this.#stopReason ?? 'the embedded database ended')
        this.#stopReason = null
        const wasReady = this.#worker === worker
        if (wasReady) this.#worker = null
        if (this.#starting === worker) this.#starting = null
        if (wasReady && !this.#isClosing) this.#replace(error)
        reject(error)
      })
    })
  }

  #goneFailure(): Failure {
    return new Failure('DATA_FOLDER_GONE', { folder: this.#options.dataDir! })
  }

  /** The engine stopped: another one takes its place, unless its files are gone or were in memory only. */
  #replace(error: Error): void {
    if (error instanceof Failure || this.#isGone()) {
      this.#options.onDeath(this.#goneFailure())
      return
    }
    // Without room nothing can be recovered: tried until there is some, however long that takes.
    const hasRoom = this.#folder === undefined || new SpaceGuard(this.#folder).hasRoomForRecovery()
    if (hasRoom) this.#failures++
    if (this.#folder === undefined || this.#failures > ATTEMPTS) {
      this.#options.onDeath(error)
      return
    }
    this.#options.onError(error)
    this.#timer = setTimeout(
      () => {
        this.#open().catch((again: Error) => {
          if (!this.#isClosing) this.#replace(again)
        })
      },
      hasRoom ? RESTART_AFTER_MS : RETRY_FULL_MS,
    )
  }

  #isGone(): boolean {
    return this.#folder !== undefined && folderMark(this.#folder) !== this.#mark
  }

  /** From some states the engine's thread does not come back to tell: without its files, or in a statement without end. */
  #check(): void {
    const worker = this.#worker
    if (worker === null) return
    const since = Number(Atomics.load(this.#runningSince, 0))
    if (since === 0) this.#failures = 0
    if (this.#isGone()) this.#stopReason = 'the data folder is gone'
    else if (since > 0 && this.#patience === 0 && Date.now() - since > this.#options.statementMs) {
      const seconds = Math.round(this.#options.statementMs / 1000)
      this.#stopReason = `a statement ran for more than ${seconds} s (VIGIL_STATEMENT_SECONDS)`
    }
    if (this.#stopReason !== null) void worker.terminate()
  }
}
