import type { AnswerOf } from '../../contract/index.ts'
import { OnDemandThread, siblingModule } from '../../kit/index.ts'
import { readTraces, type TraceBatches, type TraceEncoding } from '../../traffic/index.ts'
import { answerCall } from '../answer-call.ts'
import type { Call } from '../handler.ts'
import type { TraceMethods } from './trace-worker.ts'

/** Requests up to this size are read where they are: that takes a few milliseconds, whatever they hold. */
const READ_HERE_BYTES = 64 * 1024
const IDLE_MS = 30_000
/** Heap of the thread; 2 MiB of JSON that are nothing but small objects need a few hundred. */
const MAX_HEAP_MB = 1024

/** A request of OpenTelemetry's protocol over HTTP. */
interface TraceRequest {
  /** Given away. */
  readonly bytes: Uint8Array
  readonly encoding: TraceEncoding
  /** One collection for all; null to go by host. */
  readonly apiCollectionId: number | null
}

/**
 * Takes what traces tell of HTTP requests as live traffic without bodies. Large requests are read in a thread that
 * starts on demand and ends when idle: millions of empty fields fit into one.
 */
export class TraceIntake {
  readonly #thread = new OnDemandThread<TraceMethods>({
    module: siblingModule(import.meta.url, './trace-worker'),
    limits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    idleMs: IDLE_MS,
  })

  /**
   * Takes a request with the rights and limits of `ingestData`.
   *
   * @returns spans that were refused, and why the first was
   * @throws Failure INVALID_TRACES, INVALID_JSON_BODY, and those of `ingestData`
   */
  async take(request: TraceRequest, call: Call): Promise<TraceBatches['refused']> {
    const { bodies, refused } = await this.#read(request)
    let { count, reason } = refused
    for (const rawBody of bodies) {
      const answer = await answerCall('ingestData', {} as never, { ...call, rawBody })
      const { rejected } = answer as AnswerOf<'ingestData'>
      count += rejected.length
      reason ||= rejected[0]?.reason ?? ''
    }
    return { count, reason }
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.end()
  }

  async #read({ bytes, encoding, apiCollectionId }: TraceRequest): Promise<TraceBatches> {
    if (bytes.length <= READ_HERE_BYTES) return readTraces(bytes, encoding, apiCollectionId)
    const transfer = [bytes.buffer as ArrayBuffer]
    return this.#thread.use((calls) => calls.call('read', [bytes, encoding, apiCollectionId], { transfer }))
  }
}
