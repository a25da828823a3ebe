import { Worker } from 'node:worker_threads'
import type { Compatibility, OperationName, RequestOf } from '../contract/index.ts'
import { Failure, type FailureDetails, siblingModule } from '../kit/index.ts'

/** Bodies up to this size are read where they are: that takes a few milliseconds, whatever they hold. */
export const largeBodyBytes = 256 * 1024

const IDLE_MS = 30_000
/** Heap of the thread; a body of 10 MiB that holds nothing but empty objects needs a few hundred. */
const MAX_HEAP_MB = 1024

/** A body for the thread. */
export interface BodyToRead {
  id: number
  operation: OperationName
  bytes: Uint8Array
  compatibility: Compatibility
}

/** What the thread made of it; `code` is null for faults of Vigil. */
export type BodyAnswer =
  | { id: number; input: unknown }
  | { id: number; code: string | null; details: FailureDetails; message: string }

interface Waiting {
  resolve: (input: never) => void
  reject: (error: unknown) => void
}

/**
 * Reads large JSON bodies in a thread, because parsing and checking 10 MiB would hold up every other call for half a
 * second. Unknown fields end there, and lists are bounded by the contract, so what is returned is small. The thread
 * starts on demand and ends when idle.
 */
export class LargeBodies {
  #worker: Worker | null = null
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #idle: NodeJS.Timeout | null = null

  /** The checked request of an operation; the bytes are given away. @throws Failure as `readRequest` does */
  read<Name extends OperationName>(
    operation: Name,
    bytes: Uint8Array,
    compatibility: Compatibility = 'specification',
  ): Promise<RequestOf<Name>> {
    if (this.#idle) clearTimeout(this.#idle)
    const worker = this.#start()
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      const body: BodyToRead = { id, operation, bytes, compatibility }
      worker.postMessage(body, [bytes.buffer as ArrayBuffer])
    })
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(siblingModule(import.meta.url, './large-body-worker'), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    worker.on('message', (answer: BodyAnswer) => this.#take(answer))
    worker.on('error', (error) => this.#end(worker, error))
    worker.on('exit', () => this.#end(worker, new Failure('SHUTTING_DOWN')))
    worker.unref()
    this.#worker = worker
    return worker
  }

  #take(answer: BodyAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('input' in answer) waiting?.resolve(answer.input as never)
    else
      waiting?.reject(
        answer.code === null ? new Error(answer.message) : new Failure(answer.code, answer.details),
      )
    if (this.#waiting.size === 0)
      this.#idle = setTimeout(() => void this.#worker?.terminate(), IDLE_MS).unref()
  }

  #end(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
  }
}
