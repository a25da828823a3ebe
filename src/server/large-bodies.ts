import type { Compatibility, OperationName, RequestOf } from '../contract/index.ts'
import { OnDemandThread, siblingModule } from '../kit/index.ts'
import type { LargeBodyMethods } from './large-body-worker.ts'

/** Bodies up to this size are read where they are: that takes a few milliseconds, whatever they hold. */
export const largeBodyBytes = 256 * 1024

const IDLE_MS = 30_000
/** Heap of the thread; a body of 10 MiB that holds nothing but empty objects needs a few hundred. */
const MAX_HEAP_MB = 1024

/**
 * Reads large JSON bodies in a thread, because parsing and checking 10 MiB would hold up every other call for half a
 * second. Unknown fields end there, and lists are bounded by the contract, so what is returned is small. The thread
 * starts on demand and ends when idle.
 */
export class LargeBodies {
  readonly #thread = new OnDemandThread<LargeBodyMethods>({
    module: siblingModule(import.meta.url, './large-body-worker'),
    limits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    idleMs: IDLE_MS,
  })

  /** The checked request of an operation; the bytes are given away. @throws Failure as `readRequest` does */
  read<Name extends OperationName>(
    operation: Name,
    bytes: Uint8Array,
    compatibility: Compatibility = 'specification',
  ): Promise<RequestOf<Name>> {
    const transfer = [bytes.buffer as ArrayBuffer]
    return this.#thread.use(
      (calls) =>
        calls.call('read', [operation, bytes, compatibility], { transfer }) as Promise<RequestOf<Name>>,
    )
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.end()
  }
}
