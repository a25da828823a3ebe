import {
  type CrawlEnding,
  type CrawlPlace,
  type CrawlRun,
  dismissHelpers,
  findCrawl,
  freeWork,
  hasEnded,
  keepCrawl,
  logToCrawl,
  noteRestart,
  readJob,
  releaseCrawl,
  reportStatus,
  resumableLeaseSeconds,
  StoreLink,
  superviseCrawl,
  type TakeMessages,
  workCounts,
} from '../../crawler/index.ts'
import { delay } from '../../http/sender/index.ts'
import { inSpan, restoredContext } from '../../kit/index.ts'
import { urlMask } from '../shown-urls.ts'
import { jobOfCrawl } from './job-of-crawl.ts'
import type { RoleLoginDeps } from './role-login.ts'

/** Helpers have the time of a stop for what they have in hand; one that died is gone by then as well. */
const HELPER_PATIENCE_MS = 65_000
const HELPER_LOOK_MS = 250

/** How a built-in crawl is worked on. */
export interface BuiltInDeps extends RoleLoginDeps {
  readonly place: CrawlPlace
  readonly leaseOwner: string
  readonly take: TakeMessages
}

/**
 * Works on a crawl that was claimed until it ends, and reports how. At the signal it is given back for another process.
 */
export function workOffCrawl(deps: BuiltInDeps, claimed: CrawlRun, signal: AbortSignal): Promise<void> {
  return inSpan(
    'crawl',
    {
      context: restoredContext(claimed.requestContext),
      mayBegin: true,
      attributes: { 'vigil.crawl.id': claimed.id },
    },
    () => crawlToEnd(deps, claimed, signal),
  )
}

async function crawlToEnd(deps: BuiltInDeps, claimed: CrawlRun, signal: AbortSignal): Promise<void> {
  const { store, leaseOwner } = deps
  const { id } = claimed
  const link = new StoreLink(store, id, leaseOwner, { take: deps.take, urlMask: () => urlMask(store) })
  const ours = async (): Promise<CrawlRun | null> => {
    const crawl = await findCrawl(store, id)
    return crawl === undefined || hasEnded(crawl) || crawl.leaseOwner !== leaseOwner ? null : crawl
  }
  // Whatever an earlier process of this lease owner's name had in work is free.
  await freeWork(store, id, leaseOwner)
  const ending = await superviseCrawl(
    {
      place: deps.place,
      link,
      async job() {
        const crawl = await ours()
        if (crawl === null) return null
        return readJob(await jobOfCrawl(deps, crawl), crawl.activeMs / 1000)
      },
      async died(how, trace) {
        await freeWork(store, id, leaseOwner)
        if (signal.aborted) return
        await noteRestart(store, id)
        const tail = trace.trim() === '' ? '' : `\n${trace.trim()}`
        await logToCrawl(
          store,
          id,
          'warning',
          `The crawl process died (${how}); another one continues.${tail}`,
        )
      },
      async progress() {
        const crawl = await findCrawl(store, id)
        const { done } = await workCounts(store.pool, id)
        return done + (crawl?.capturedExchanges ?? 0)
      },
    },
    signal,
  )
  if (ending === null) {
    await freeWork(store, id, leaseOwner)
    await releaseCrawl(store, id, leaseOwner)
  } else {
    await dismissed(deps, id, signal)
    if ((await ours()) !== null) await report(deps, id, ending)
  }
}

/** Waits until helpers have brought in what they had, or are gone: nothing comes after the end. */
async function dismissed({ store, leaseOwner }: BuiltInDeps, id: string, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + HELPER_PATIENCE_MS
  while ((await dismissHelpers(store, id)) > 0 && performance.now() < untilMs && !signal.aborted) {
    await keepCrawl(store, id, { leaseOwner, leaseSeconds: resumableLeaseSeconds, activeMs: 0 })
    await delay(HELPER_LOOK_MS, signal).catch(() => {}) // the signal is looked at above
  }
}

async function report({ store }: BuiltInDeps, id: string, ending: CrawlEnding): Promise<void> {
  const { end, problem, note, summary = null } = ending
  const status = end === 'failed' ? 'FAILED' : end === 'stopped' ? 'STOPPED' : 'COMPLETED'
  await reportStatus(store, id, status, {
    errorMessage: problem ?? 'The crawl failed.',
    note,
    endReason: end,
    summary,
  })
}
