import { delay } from '../../http/sender/index.ts'
import type { CrawlJob } from './crawl-job.ts'
import type { CrawlLink } from './crawl-link.ts'
import { untilStalled } from './stall-watchdog.ts'
import { startWorker, type WorkerExit, type WorkerProcess } from './worker-process.ts'
import type { CrawlEnding, CrawlPlace } from './worker-protocol.ts'

/** Workers that may die one after the other without getting anything done. */
const MAX_VAIN_DEATHS = 8
const PAUSE_MS = 200
/** Longest pause after deaths without progress. */
const MAX_PAUSE_MS = 5_000

/**
 * A worker that gets nothing done for so long is replaced, whatever it waits for. Longer than the longest step that
 * captures nothing: a recorded login is given up after five minutes.
 */
const STALL_MS = 6 * 60_000

/** One crawl to be worked on by worker processes until it ends. */
interface Supervision {
  readonly place: CrawlPlace
  readonly link: CrawlLink
  /** What the next worker is to do; null: the crawl is no longer ours, or has ended. */
  job(): Promise<CrawlJob | null>
  /** A worker died; what it had in work is to be free again. */
  died(how: string, trace: string): Promise<void>
  /** A number that grows with what gets done. */
  progress(): Promise<number>
}

/**
 * Works on a crawl in a separate process, and starts another one whenever it dies.
 *
 * @param signal ends the work at once; what is stored lets somebody else go on
 * @returns how it ended; null when it was taken away or the signal came
 */
export async function superviseCrawl(
  supervision: Supervision,
  signal: AbortSignal,
): Promise<CrawlEnding | null> {
  const { place, link } = supervision
  let vainDeaths = 0
  let before = await supervision.progress()
  for (;;) {
    const job = signal.aborted ? null : await supervision.job()
    if (job === null) return null
    const worker = startWorker(job, place, link)
    const kill = (): void => worker.kill()
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    const exit = await exitOf(worker, supervision)
    signal.removeEventListener('abort', kill)
    if (exit.kind === 'ended') return exit.ending
    await supervision.died(exit.how, exit.trace)
    if (signal.aborted) return null
    const now = await supervision.progress()
    vainDeaths = now > before ? 1 : vainDeaths + 1
    before = now
    if (vainDeaths > MAX_VAIN_DEATHS) {
      const problem = `The crawler broke off ${vainDeaths} times without getting on (${exit.how}).`
      return { end: 'failed', problem, note: null }
    }
    const pauseMs = Math.min(PAUSE_MS * 2 ** (vainDeaths - 1), MAX_PAUSE_MS)
    await delay(pauseMs, signal).catch(() => {}) // the signal is looked at above
  }
}

/** How a worker went; one that gets nothing done for long is made to go. */
async function exitOf(worker: WorkerProcess, supervision: Supervision): Promise<WorkerExit> {
  const gone = new AbortController()
  const stalled = untilStalled(() => supervision.progress(), STALL_MS, gone.signal)
  const first = await Promise.race([worker.exited, stalled])
  gone.abort()
  if (first !== 'stalled') return worker.exited
  worker.kill()
  const exit = await worker.exited
  return exit.kind === 'ended' ? exit : { ...exit, how: `no progress for ${STALL_MS / 60_000} minutes` }
}
