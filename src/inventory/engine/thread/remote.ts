import { Worker } from 'node:worker_threads'
import { endsWithin, Failure, type FailureDetails, siblingModule } from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import type { InventoryPort } from '../port.ts'

/** Connections of the engine's thread: one for its line of work, one beside it, one to hold the writer's lock. */
const CONNECTIONS = 3

const YOUNG_GENERATION_MB = 48
const CLOSE_PATIENCE_MS = 10_000

/** A call to the engine's thread. */
export interface EngineCall {
  id: number
  method: keyof InventoryPort
  args: unknown[]
}

/** An error on its way between threads; `code` is null for errors that are no Failure. */
export interface RemoteError {
  code: string | null
  details: FailureDetails
  message: string
  stack?: string | undefined
  /** What the driver says of trouble with the store: its own or PostgreSQL's code, and the severity. */
  driver?: { code: string; severity: string | undefined }
}

/** What the engine's thread sends. */
export type EngineReply =
  | { ready: true }
  | { trouble: RemoteError }
  | { id: number; result: unknown }
  | { id: number; error: RemoteError }

function localError(error: RemoteError): Error {
  if (error.code !== null) return new Failure(error.code, error.details)
  const local = Object.assign(new Error(error.message), error.driver)
  if (error.stack !== undefined) local.stack = error.stack
  return local
}

/** What the owner of an engine wants to hear of. */
export interface EngineEvents {
  /** Trouble in background work; the engine goes on. */
  onTrouble?: (error: Error) => void
  /** The engine's thread died unasked; every waiting call was rejected, and no further one is answered. */
  onDeath?: (error: Error) => void
}

/**
 * Starts the inventory engine in a separate thread, on connections of the given store.
 *
 * @param module of the thread: calls `serveEngine`, with a hook when something is to be written with the messages
 */
export async function openInventory(
  store: Store,
  events: EngineEvents = {},
  module = siblingModule(import.meta.url, './engine-worker'),
): Promise<InventoryPort> {
  const address = store.addressFor(CONNECTIONS)
  const worker = new Worker(module, {
    workerData: { address },
    transferList: address.kind === 'embedded' ? [address.gate] : [],
    // What is read of a message dies before the next one is read; a nursery of this size holds a batch with ease.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
  const remote = new RemoteEngine(worker, events)
  await remote.ready
  return remote.port
}

/** A view of a larger buffer cannot be given away; copied just then. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

/** The calling side of the engine's thread. */
class RemoteEngine {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  #lastId = 0
  #end: Error | null = null
  readonly ready: Promise<void>

  constructor(worker: Worker, events: EngineEvents) {
    this.#worker = worker
    this.ready = new Promise((resolve, reject) => {
      worker.once('error', reject)
      worker.on('message', (reply: EngineReply) => {
        if ('ready' in reply) resolve()
        else if ('trouble' in reply) events.onTrouble?.(localError(reply.trouble))
        else this.#take(reply)
      })
    })
    worker.on('error', (error) => this.#die(error as Error, events))
    worker.on('exit', () => this.#die(new Error('the inventory engine ended'), events))
  }

  get port(): InventoryPort {
    return {
      ingest: (bytes, placement, source, allowed = null, findings = null) => {
        const given = [ownBytes(bytes), ...(findings === null ? [] : [ownBytes(findings)])]
        return this.#call(
          'ingest',
          [given[0], placement, source, allowed, given[1] ?? null],
          given.map(({ buffer }) => buffer as ArrayBuffer),
        )
      },
      observe: (exchanges, placement, importId, findings = null) =>
        this.#call('observe', [exchanges, placement, importId, findings]),
      addDeclared: (importId, operations) => this.#call('addDeclared', [importId, operations]),
      declare: (operations, collectionId, importId, source) =>
        this.#call('declare', [operations, collectionId, importId, source]),
      decide: (decision) => this.#call('decide', [decision]),
      explain: (collectionId, url) => this.#call('explain', [collectionId, url]),
      settle: () => this.#call('settle', []),
      forget: (ids) => this.#call('forget', [ids]),
      refreshSettings: () => this.#call('refreshSettings', []),
      figures: () => this.#call('figures', []),
      close: (patienceMs = CLOSE_PATIENCE_MS) => this.#close(patienceMs),
    }
  }

  async #close(patienceMs: number): Promise<void> {
    if (this.#end !== null) return
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
    const closed = this.#call('close', [])
    // Set before the wait: the thread may end before its answer is read, and that is no death.
    this.#end = new Failure('SHUTTING_DOWN', {})
    try {
      // A store that does not answer holds the thread for as long as it likes.
      if (
        !(await endsWithin(
          patienceMs,
          Promise.race([closed, ended]).then(() => ended),
        ))
      ) {
        throw new Error(`the inventory engine did not end in ${patienceMs} ms`)
      }
    } finally {
      await this.#worker.terminate()
    }
  }

  #call<T>(method: keyof InventoryPort, args: unknown[], transfer: ArrayBuffer[] = []): Promise<T> {
    if (this.#end !== null) return Promise.reject(this.#end)
    const id = ++this.#lastId
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: never) => void, reject })
      this.#worker.postMessage({ id, method, args } satisfies EngineCall, transfer)
    })
  }

  #take(reply: { id: number; result: unknown } | { id: number; error: RemoteError }): void {
    const waiting = this.#waiting.get(reply.id)
    if (waiting === undefined) return
    this.#waiting.delete(reply.id)
    if ('error' in reply) waiting.reject(localError(reply.error))
    else waiting.resolve(reply.result as never)
  }

  #die(error: Error, events: EngineEvents): void {
    if (this.#end !== null) return
    this.#end = error
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
    events.onDeath?.(error)
  }
}
