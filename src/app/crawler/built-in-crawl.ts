import {
  type CrawlEnding,
  type CrawlPlace,
  type CrawlRun,
  dismissCompanions,
  findCrawl,
  freeWork,
  hasEnded,
  keepCrawl,
  noteRestart,
  readJob,
  releaseCrawl,
  reportStatus,
  resumableLeaseSeconds,
  StoreLink,
  superviseCrawl,
  type TakeMessages,
  tellCrawl,
  workCounts,
} from '../../crawler/index.ts'
import { delay } from '../../http/index.ts'
import { urlMask } from '../shown-urls.ts'
import { jobOfCrawl } from './job-of-crawl.ts'
import type { RoleLoginDeps } from './role-login.ts'

/** Companions have the time of a stop for what they have in hand; one that died is gone by then as well. */
const COMPANION_PATIENCE_MS = 65_000
const COMPANION_LOOK_MS = 250

/** How a built-in crawl is worked on. */
export interface BuiltInDeps extends RoleLoginDeps {
  readonly place: CrawlPlace
  readonly holder: string
  readonly take: TakeMessages
}

/**
 * Works on a crawl that was claimed until it ends, and reports how. At the signal it is given back for another process.
 */
export async function workOffCrawl(deps: BuiltInDeps, claimed: CrawlRun, signal: AbortSignal): Promise<void> {
  const { store, holder } = deps
  const { id } = claimed
  const link = new StoreLink(store, id, holder, { take: deps.take, urlMask: () => urlMask(store) })
  const ours = async (): Promise<CrawlRun | null> => {
    const crawl = await findCrawl(store, id)
    return crawl === undefined || hasEnded(crawl) || crawl.holder !== holder ? null : crawl
  }
  // Whatever an earlier process of this holder's name had in work is free.
  await freeWork(store, id, holder)
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
        await freeWork(store, id, holder)
        if (signal.aborted) return
        await noteRestart(store, id)
        const tail = trace.trim() === '' ? '' : `\n${trace.trim()}`
        await tellCrawl(
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
    await freeWork(store, id, holder)
    await releaseCrawl(store, id, holder)
  } else {
    await dismissed(deps, id, signal)
    if ((await ours()) !== null) await report(deps, id, ending)
  }
}

/** Waits until companions have brought in what they had, or are gone: nothing comes after the end. */
async function dismissed({ store, holder }: BuiltInDeps, id: string, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + COMPANION_PATIENCE_MS
  while ((await dismissCompanions(store, id)) > 0 && performance.now() < untilMs && !signal.aborted) {
    await keepCrawl(store, id, { holder, leaseSeconds: resumableLeaseSeconds, activeMs: 0 })
    await delay(COMPANION_LOOK_MS, signal).catch(() => {}) // the signal is looked at above
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
