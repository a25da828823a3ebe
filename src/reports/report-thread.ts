import { Worker } from 'node:worker_threads'
import { siblingModule } from '../kit/index.ts'
import type { ReportContent } from './report-content.ts'

/** Heap of the thread; a report that needs more ends its thread, not the process. */
const MAX_HEAP_MB = 1024
const DEADLINE_MS = 180_000

/**
 * Makes the PDF in a separate thread, which ends with it.
 *
 * @param signal aborted when nobody waits any more
 * @throws Error when it takes longer than three minutes or more than a gigabyte
 */
export function renderInThread(content: ReportContent, signal: AbortSignal): Promise<Uint8Array> {
  const worker = new Worker(siblingModule(import.meta.url, './report-worker'), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  return new Promise<Uint8Array>((resolve, reject) => {
    const stop = (): void => reject(new Error('the report was given up'))
    const timer = setTimeout(() => reject(new Error('the report takes too long')), DEADLINE_MS)
    signal.addEventListener('abort', stop, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread of the report ended')))
    const settle = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      void worker.terminate()
    }
    worker.once('message', settle)
    worker.once('error', settle)
    if (signal.aborted) stop()
    else worker.postMessage(content)
  }).finally(() => worker.terminate())
}
