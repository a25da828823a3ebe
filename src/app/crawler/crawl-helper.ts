import {
  type CrawlJob,
  findCrawl,
  freeWork,
  hasEnded,
  isHelper,
  type JoinedCrawl,
  leaveCrawl,
  logToCrawl,
  noteRestart,
  readJob,
  StoreLink,
  stopSharing,
  superviseCrawl,
  workCounts,
} from '../../crawler/index.ts'
import { urlMask } from '../shown-urls.ts'
import type { BuiltInDeps } from './built-in-crawl.ts'
import { jobOfCrawl } from './job-of-crawl.ts'

/** How a helper of a crawl works. */
interface HelperDeps extends Omit<BuiltInDeps, 'leaseOwner'> {
  /** Its identifier, which has its pieces of work. */
  readonly worker: string
  /** Aborts when its place is needed: it ends what it has in hand. */
  readonly leave: AbortSignal
}

/**
 * Helps with a crawl whose lease another process owns, until that one ends it or there is no use for a helper.
 *
 * @param signal ends it at once
 * @returns whether it may come back: false when it got nothing done
 */
export async function helpWithCrawl(
  deps: HelperDeps,
  { crawl: { id }, workers }: JoinedCrawl,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, worker, leave } = deps
  const intake = { take: deps.take, urlMask: () => urlMask(store) }
  const link = new StoreLink(store, id, worker, intake, { leave })
  await logToCrawl(store, id, 'info', joinedLine(workers))
  try {
    const ending = await superviseCrawl(
      {
        place: deps.place,
        link,
        job: () => jobOf(deps, id, workers),
        async died(how, trace) {
          await freeWork(store, id, worker)
          if (signal.aborted) return
          await noteRestart(store, id)
          const tail = trace.trim() === '' ? '' : `\n${trace.trim()}`
          const line = `Another crawl process died (${how}); a new one continues.${tail}`
          await logToCrawl(store, id, 'warning', line)
        },
        async progress() {
          const crawl = await findCrawl(store, id)
          const { done } = await workCounts(store.pool, id)
          return done + (crawl?.capturedExchanges ?? 0)
        },
      },
      signal,
    )
    if (ending?.end !== 'failed') return true
    await logToCrawl(store, id, 'warning', `A further worker gave up: ${ending.problem}`)
    return false
  } finally {
    await leaveCrawl(store, id, worker)
    await logToCrawl(store, id, 'info', 'A worker left')
  }
}

/** What the log of a crawl says when one more process works on it. */
export function joinedLine(workers: number): string {
  return workers === 2 ? 'A second worker joined' : `A further worker joined: ${workers} now`
}

/** What it has to do; null when the crawl has ended, or cannot be worked on by two. */
async function jobOf(deps: HelperDeps, id: string, workers: number): Promise<CrawlJob | null> {
  const { store, worker } = deps
  const crawl = await findCrawl(store, id)
  if (crawl === undefined || hasEnded(crawl) || !(await isHelper(store, id, worker))) return null
  let isRefused = false
  const job = await jobOfCrawl(deps, crawl, async (error) => {
    isRefused = error !== null
  })
  if (!isRefused) return readJob(job, crawl.activeMs / 1000, workers)
  await stopSharing(store, id)
  return null
}
