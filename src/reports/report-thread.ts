import { OnDemandThread, siblingModule } from '../kit/index.ts'
import type { ReportContent } from './report-content.ts'
import type { ReportMethods } from './report-worker.ts'

/** Heap of the thread; a report that needs more ends its thread, not the process. */
const MAX_HEAP_MB = 1024
const DEADLINE_MS = 180_000

/**
 * Makes the PDF in a separate thread, which ends with it.
 *
 * @param signal aborted when nobody waits any more
 * @throws Error when it takes longer than three minutes or more than a gigabyte
 */
export async function renderInThread(content: ReportContent, signal: AbortSignal): Promise<Uint8Array> {
  if (signal.aborted) throw new Error('the report was given up')
  const thread = new OnDemandThread<ReportMethods>({
    module: siblingModule(import.meta.url, './report-worker'),
    limits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    idleMs: DEADLINE_MS,
  })
  const end = (reason: string) => (): void => void thread.end(new Error(reason))
  const timer = setTimeout(end('the report takes too long'), DEADLINE_MS)
  const stop = end('the report was given up')
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await thread.use((calls) => calls.call('render', [content]))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await thread.end()
  }
}
