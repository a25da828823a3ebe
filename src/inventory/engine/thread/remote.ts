import { Worker } from 'node:worker_threads'
import {
  endsWithin,
  Failure,
  localError,
  siblingModule,
  ThreadCalls,
  type ThreadError,
} from '../../../kit/index.ts'
import type { Store } from '../../../store/index.ts'
import type { InventoryPort } from '../port.ts'
import type { EngineMethods } from './serve-engine.ts'

/** Connections of the engine's thread: one for its line of work, one beside it, one to hold the writer's lock. */
const CONNECTIONS = 3

const YOUNG_GENERATION_MB = 48
const CLOSE_PATIENCE_MS = 10_000

/** What the owner of an engine wants to hear of. */
interface EngineEvents {
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

/** What the main thread answers. */
export type OwnerMethods = {
  trouble(error: ThreadError): void
}

/** The calling side of the engine's thread. */
class RemoteEngine {
  readonly #worker: Worker
  readonly #calls: ThreadCalls<EngineMethods>
  #isEnded = false
  readonly ready: Promise<void>

  constructor(worker: Worker, events: EngineEvents) {
    this.#worker = worker
    const methods: OwnerMethods = { trouble: (error) => events.onTrouble?.(localError(error)) }
    this.#calls = new ThreadCalls<EngineMethods>(worker, methods)
    worker.on('error', (error) => this.#die(error as Error, events))
    worker.on('exit', () => this.#die(new Error('the inventory engine ended'), events))
    this.ready = this.#calls.call('opened', [])
  }

  get port(): InventoryPort {
    const calls = this.#calls
    return {
      ingest: (bytes, placement, source, allowed = null, findings = null, deliveries = null) => {
        const given = [ownBytes(bytes), ...(findings === null ? [] : [ownBytes(findings)])]
        return calls.call('ingest', [given[0], placement, source, allowed, given[1] ?? null, deliveries], {
          transfer: given.map(({ buffer }) => buffer as ArrayBuffer),
        })
      },
      observe: (...args) => calls.call('observe', args),
      addDeclared: (...args) => calls.call('addDeclared', args),
      declare: (...args) => calls.call('declare', args),
      locate: (...args) => calls.call('locate', args),
      decide: (...args) => calls.call('decide', args),
      explain: (...args) => calls.call('explain', args),
      flush: () => calls.call('flush', []),
      forget: (...args) => calls.call('forget', args),
      refreshSettings: () => calls.call('refreshSettings', []),
      previewType: (...args) => calls.call('previewType', args),
      figures: () => calls.call('figures', []),
      close: (patienceMs = CLOSE_PATIENCE_MS) => this.#close(patienceMs),
    }
  }

  async #close(patienceMs: number): Promise<void> {
    if (this.#isEnded) return
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
    const closed = this.#calls.call('close', [])
    // Set before the wait: the thread may end before its answer is read, and that is not a death.
    this.#isEnded = true
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
      this.#calls.end(new Failure('SHUTTING_DOWN', {}))
      await this.#worker.terminate()
    }
  }

  #die(error: Error, events: EngineEvents): void {
    this.#calls.end(this.#isEnded ? new Failure('SHUTTING_DOWN', {}) : error)
    if (this.#isEnded) return
    this.#isEnded = true
    events.onDeath?.(error)
  }
}
