import { randomUUID } from 'node:crypto'
import { describeFailure } from '../../contract/describe-failure.ts'
import { TargetScope } from '../../http/sender/index.ts'
import { Failure, nowSeconds } from '../../kit/index.ts'
import { CrawlGuard } from '../browser/crawl-guard.ts'
import { crawl } from '../explore/crawl.ts'
import type { CrawlMode, CrawlOptions, CrawlOutcome, CrawlSummary } from '../explore/crawl-options.ts'
import type { CrawlPorts, SessionKeeper } from '../explore/crawl-ports.ts'
import type { CredentialMask } from '../login/credential-mask.ts'
import { KeptSession } from '../login/kept-session.ts'
import type { HarmfulActions } from '../records/crawl-run.ts'
import { dialogAnswers } from '../safety/answer-dialog.ts'
import { ChangeFilter } from '../safety/change-filter.ts'
import { OwnAccount } from '../safety/own-account.ts'
import { CrawlScope } from '../scope/crawl-scope.ts'
import { splitList } from '../scope/split-list.ts'
import {
  authenticatorOf,
  isAnonymous,
  loginHostsOf,
  maskOf,
  unsendableHeaders,
} from './authenticator-of-job.ts'
import { CrawlingBrowser } from './crawl-browser.ts'
import type { CrawlJob } from './crawl-job.ts'
import type { CrawlLink } from './crawl-link.ts'
import { DurableFrontier } from './durable-frontier.ts'
import { durableHelperPort, durableMemory, sinkInto } from './durable-ports.ts'
import { LiveView } from './live-view.ts'
import { Outbox } from './outbox.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'
import { Spool } from './spool.ts'
import { WorkerPool } from './worker-pool.ts'
import type { CrawlEnding, CrawlPlace } from './worker-protocol.ts'

const BEAT_MS = 1_000
/** So long after a stop was asked for the browser is closed, whatever is in hand. */
const STOP_PATIENCE_MS = 60_000
const MODES: Readonly<Record<HarmfulActions, CrawlMode>> = { AVOID: 'safe', LAST: 'last', ALLOW: 'full' }
const SHOWN_WARNINGS = 5
/** Failures that say nothing about the crawl: its browser died, or somebody else has it. */
const PASSING = new Set(['CRAWL_NOT_FOUND', 'BROWSER_GONE', 'BROWSER_TIMED_OUT'])

/** One crawl in this process. */
interface Work {
  readonly job: CrawlJob
  readonly place: CrawlPlace
  readonly link: CrawlLink
  readonly outbox: Outbox
  /** Aborted when all is over. */
  readonly signal: AbortSignal
}

/**
 * Crawls what a job asks for, from where the frontier of the link stands. All that is captured is on disk before it is
 * sent, and work counts as done only when it is committed.
 *
 * @throws what keeps the server from taking anything; CRAWL_NOT_FOUND when the crawl was taken away
 */
export async function workOnCrawl(job: CrawlJob, place: CrawlPlace, link: CrawlLink): Promise<CrawlEnding> {
  const over = new AbortController()
  const { signal } = over
  const outbox = new Outbox(
    (leftovers) => new Spool(place.spoolFolder, leftovers),
    (batch) => link.deliver(batch),
    signal,
  )
  try {
    const ending = await run({ job, place, link, outbox, signal })
    await outbox.flushed()
    return ending
  } finally {
    over.abort()
    await outbox.close()
  }
}

async function run(work: Work): Promise<CrawlEnding> {
  const { job, link, outbox, signal } = work
  const outscope = splitList(job.outScopeUrls)
  const templates = splitList(job.urlTemplatePatterns)
  const scope = CrawlScope.read({ start: job.hostname, outscope, templates })
  if (typeof scope === 'string') return { end: 'failed', problem: scope, note: null }
  const view = new LiveView((frame) => link.frame(frame))
  const pool = new WorkerPool(link, outbox, signal, job.helperOf ?? 1)
  const changes = job.harmfulActions === 'AVOID' ? new ChangeFilter() : null
  const { browser, session, guard } = openBrowser(work, scope, view, pool, changes)
  tellUnsendable(work)
  // A crawl that continues where another process died has heard of its application before.
  let isHeard = job.spentSeconds > 0 || job.helperOf !== null
  const stop = new AbortController()
  const lost = watch(work, view, guard, pool, stop)
  const sink = sinkInto(outbox, {
    crawlId: job.crawlId,
    worker: randomUUID(),
    mask: maskOf(job),
    isOurs: (url) => scope.hasHost(url),
    heard() {
      isHeard = true
    },
  })
  const options: CrawlOptions = {
    start: job.hostname,
    seeds: splitList(job.applicationPages),
    outscope,
    templates,
    hosts: [],
    budget: { seconds: job.crawlingSeconds, spentSeconds: job.spentSeconds },
    mode: MODES[job.harmfulActions],
    tabs: work.place.tabs,
    identity: identityOf(job),
  }
  const ports: CrawlPorts = {
    browser,
    frontier: new DurableFrontier(link, outbox, () => browser.crashedAtMs, signal),
    sink,
    session: session === null ? null : steadyKeeper(session),
    changes,
    memory: durableMemory(link, outbox, signal),
    helper: job.helperOf === null ? null : durableHelperPort(link, outbox, signal),
    ...(isAnonymous(job)
      ? { alone: () => pool.stopSharing('An account that the crawl makes is signed in in one browser') }
      : {}),
    delay: () => guard.delay,
    waitMs: (url) => guard.waitMs(url),
    stop: stop.signal,
  }
  const isGuest = job.helperOf !== null && session !== null
  const crawling = (isGuest ? browser.isLetIn(sink) : Promise.resolve(true)).then((isIn) =>
    isIn ? crawl(options, ports) : null,
  )
  try {
    const outcome = await Promise.race([crawling, lost])
    return outcome !== null && outcome.end !== 'stopped' && !isHeard
      ? unheard(outcome, browser.refusal)
      : endingOf(outcome, maskOf(job))
  } catch (error) {
    // What cannot be mended by trying again ends the crawl; after anything else another process continues.
    if (!(error instanceof Failure) || PASSING.has(error.code)) throw error
    return { end: 'failed', problem: describeFailure(error).messages.join(' '), note: null }
  } finally {
    crawling.catch(() => {}) // heard above, unless the crawl was lost or stopped by force first
    view.close()
    await browser.close()
  }
}

/** The name by which a crawl signs in, or that of its role. */
function identityOf(job: CrawlJob): string {
  return job.form?.username ?? job.roleName ?? 'anonymous'
}

/** The browser of a crawl with its guard, and the session of its identity; null for an anonymous crawl. */
function openBrowser(
  { job, place, link, outbox, signal }: Work,
  scope: CrawlScope,
  view: LiveView,
  pool: WorkerPool,
  changes: ChangeFilter | null,
): { browser: CrawlingBrowser; session: KeptSession | null; guard: CrawlGuard } {
  const start = new URL(job.hostname)
  const hosts = [start, ...loginHostsOf(job)]
  const targets = new TargetScope(
    hosts.map(({ host }) => host),
    place.own,
    place.allowed,
  )
  const guard = new CrawlGuard({
    scope,
    targets,
    changes,
    account: isAnonymous(job) ? null : new OwnAccount(identityOf(job)),
    headers: { ...job.customHeaders, ...(job.apiKey === null ? {} : { 'x-api-key': job.apiKey }) },
    requestsPerMinute: place.requestsPerMinute,
    requestsPerSecond: place.requestsPerSecond ?? 0,
  })
  guard.shareAmong(job.helperOf ?? 1)
  const authenticator = authenticatorOf(job, (digest, step) =>
    retryWithBackoff(() => link.takeCodeStep(digest, step), signal),
  )
  const username = job.form?.username ?? ''
  const session =
    authenticator === null
      ? null
      : new KeptSession({
          authenticator,
          guard,
          origin: start.origin,
          username,
          signal,
          ousted() {
            if (pool.workers > 1) pool.stopSharing('The application may let an account in only once')
          },
        })
  const browser = new CrawlingBrowser({
    place,
    hosts,
    targets,
    guard,
    session,
    view,
    answerDialog: dialogAnswers(changes, job.harmfulActions === 'ALLOW'),
    resumed: (line) => outbox.push({ log: { at: nowSeconds(), level: 'warning', line } }),
    async loggedIn(reason) {
      // A page may repeat what it refuses.
      const error = reason === null ? null : maskOf(job).text(reason)
      outbox.push({
        log: {
          at: nowSeconds(),
          level: error === null ? 'info' : 'warning',
          line: error === null ? 'Signed in' : `Not signed in: ${error}`,
        },
      })
      await retryWithBackoff(() => link.loggedIn(error), signal)
    },
  })
  return { browser, session, guard }
}

/** Says which headers of the job are not sent, once. */
function tellUnsendable({ job, outbox }: Work): void {
  const names = unsendableHeaders(job).map((name) => name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100))
  if (names.length === 0 || job.spentSeconds > 0) return
  const line = `Not sent, because a browser writes these headers itself or cannot carry their values: ${names.join(', ')}`
  outbox.push({ log: { at: nowSeconds(), level: 'warning', line } })
}

/** A keeper that a dying browser does not end: the next one is looked after again. */
function steadyKeeper(session: KeptSession): SessionKeeper {
  return {
    get loginUrl() {
      return session.loginUrl
    },
    async check(context, suspicion) {
      try {
        return await session.check(context, suspicion)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (error.code === 'BROWSER_GONE') return 'unknown'
        if (PASSING.has(error.code)) return 'alive'
        throw error
      }
    },
  }
}

/** Sends heartbeats and hears of stops. Settles only when the crawl is lost, or a stop takes too long. */
function watch(
  { job, link, signal: over }: Work,
  view: LiveView,
  guard: CrawlGuard,
  pool: WorkerPool,
  stop: AbortController,
): Promise<CrawlOutcome | null> {
  const begunMs = performance.now()
  return new Promise((resolve, reject) => {
    let isBeating = false
    const beat = async (): Promise<void> => {
      const activeMs = job.spentSeconds * 1000 + performance.now() - begunMs
      const signal = await retryWithBackoff(() => link.beat(activeMs), over)
      if (signal === null && job.helperOf === null) throw new Failure('CRAWL_NOT_FOUND', {})
      if (signal === null) {
        // The crawl has ended: what was captured is delivered, and nothing else is of use.
        stop.abort()
        return resolve(null)
      }
      pool.workers = signal.workers
      guard.shareAmong(signal.workers)
      view.watch(signal.isWatched)
      if (!signal.isStopRequested || stop.signal.aborted) return
      stop.abort()
      setTimeout(() => resolve(null), STOP_PATIENCE_MS).unref()
    }
    const timer = setInterval(() => {
      if (isBeating) return
      isBeating = true
      beat()
        .catch(reject)
        .finally(() => {
          isBeating = false
        })
    }, BEAT_MS)
    over.addEventListener('abort', () => clearInterval(timer), { once: true })
  })
}

/** An application that never answered was not crawled. */
function unheard({ problem, warnings }: CrawlOutcome, refusal: string | null): CrawlEnding {
  const why = problem ?? warnings[0]
  const text = 'The application did not answer'
  if (refusal !== null) return { end: 'failed', problem: `${text}: ${refusal}`, note: null }
  return { end: 'failed', problem: why === undefined ? `${text}.` : `${text}: ${why}`, note: null }
}

/** Addresses may have credentials in them. */
function masked(summary: CrawlSummary, mask: CredentialMask): CrawlSummary {
  const texts = (list: readonly string[]): string[] => list.map((text) => mask.text(text))
  return {
    ...summary,
    unreached: texts(summary.unreached),
    leftOut: summary.leftOut.map((each) => ({ ...each, examples: texts(each.examples) })),
  }
}

function endingOf(outcome: CrawlOutcome | null, mask: CredentialMask): CrawlEnding {
  if (outcome === null)
    return { end: 'stopped', problem: null, note: 'The browser was closed over work in hand.' }
  const { end, problem, warnings, summary } = outcome
  const note = warnings.length === 0 ? null : warnings.slice(0, SHOWN_WARNINGS).join('\n')
  return { end, problem, note, summary: summary === null ? null : masked(summary, mask) }
}
