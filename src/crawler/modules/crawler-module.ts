import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CallError, type Client } from '../../contract/client.ts'
import type { CrawlerJob } from '../../contract/index.ts'
import { crawlingSeconds } from '../../contract/limits.ts'
import { delay } from '../../http/sender/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import type { CrawlJob } from './crawl-job.ts'
import { deliverSpool } from './deliver-spool.ts'
import { HttpLink } from './http-link.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'
import { superviseCrawl } from './supervise-crawl.ts'
import type { CrawlEnding, CrawlPlace } from './worker-protocol.ts'

const HEARTBEAT_MS = 60_000
const LOOK_EVERY_MS = 3_000
/** Helpers have the time of a stop for what they have in hand; one that died is gone by then as well. */
const HELPER_PATIENCE_MS = 65_000
const HELPER_LOOK_MS = 500
const MOST_SECONDS = crawlingSeconds.most

/** What a module on its own needs. */
interface ModuleOptions {
  readonly client: Client
  /** Identifier of this process. */
  readonly id: string
  /** Name that crawls choose it by. */
  readonly name: string
  readonly version: string
  /** Folder for what waits for delivery. */
  readonly folder: string
  readonly place: Omit<CrawlPlace, 'spoolFolder'>
  /** Hears what happens, in sentences for people. */
  readonly log: (sentence: string) => void
}

/** Why a module ended: by its signal, or because the server asked it to start again. */
type ModuleEnd = 'stopped' | 'reboot'

/**
 * A crawler module of a server elsewhere: it says that it is alive, picks up crawls of its name one at a time, and works
 * on each in a separate process. While there is none it works along on the one that another process of its name has.
 *
 * @param signal ends it; the crawl in work goes to the next process
 * @throws CallError when the server refuses the key
 */
export async function runModule(options: ModuleOptions, signal: AbortSignal): Promise<ModuleEnd> {
  const startedTs = nowSeconds()
  const until = new AbortController()
  const stop = (): void => until.abort()
  signal.addEventListener('abort', stop, { once: true })
  let isRebootAsked = false
  const beat = async (): Promise<void> => {
    const { moduleInfo } = await options.client.op.updateModuleInfoForHeartbeat({
      moduleInfo: {
        id: options.id,
        moduleType: 'DAST',
        name: options.name,
        currentVersion: options.version,
        startedTs,
      },
    })
    if (moduleInfo.reboot === true) {
      isRebootAsked = true
      until.abort()
    }
  }
  // The first one tells whether server and key are right; what fails later is tried again a minute later.
  await beat()
  options.log(`Module ${options.name} is known to the server and waits for crawls`)
  const beats = setInterval(() => {
    beat().catch((error: unknown) => options.log(`Heartbeat failed: ${sentenceOf(error)}`))
  }, HEARTBEAT_MS)
  try {
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
    await deliverLeftovers(options, until.signal)
    while (!until.signal.aborted) {
      const worker = randomUUID()
      const job = await nextJob(options, worker)
      if (job !== null && job.helperOf !== null) await helpWithCrawl(options, job, worker, until.signal)
      else if (job !== null) await workOff(options, job, until.signal)
      else await delay(LOOK_EVERY_MS, until.signal).catch(() => {}) // the signal is looked at above
    }
  } finally {
    clearInterval(beats)
    signal.removeEventListener('abort', stop)
  }
  return isRebootAsked ? 'reboot' : 'stopped'
}

/** Brings in what an earlier process here captured last of crawls that have ended; of others anyone who continues does it. */
async function deliverLeftovers({ client, folder, log }: ModuleOptions, signal: AbortSignal): Promise<void> {
  for (const { crawlId, helper } of crawlsInSpool(folder)) {
    const place = spoolFolder(folder, crawlId, helper)
    try {
      const { crawlerRun } = await client.op.fetchCrawlerRun({ crawlId })
      if (crawlerRun.endTimestamp > 0 || helper !== null)
        await deliverSpool(place, new HttpLink(client, crawlerRun, signal), signal)
    } catch (error) {
      if (error instanceof CallError && error.code === 'CRAWL_NOT_FOUND') rmSync(place, { recursive: true })
      else log(`What crawl ${crawlId} captured last waits: ${sentenceOf(error)}`)
    }
  }
}

/** @param worker joins the crawl of another process of this name under this identifier; null joins none */
async function nextJob(
  { client, name, log }: ModuleOptions,
  worker: string | null,
): Promise<CrawlerJob | null> {
  try {
    const asked = { moduleName: name, playsRecordings: true, worker }
    const [job] = await client.op.fetchPendingDastJobsV2(asked)
    return job ?? null
  } catch (error) {
    if (error instanceof CallError && (error.status === 401 || error.status === 403)) throw error
    log(`The server could not be asked for crawls: ${sentenceOf(error)}`)
    return null
  }
}

async function workOff(options: ModuleOptions, sent: CrawlerJob, signal: AbortSignal): Promise<void> {
  const { client, log } = options
  const { crawlId } = sent
  log(`Crawl ${crawlId} of ${new URL(sent.hostname).host} begins`)
  try {
    if (sent.status === 'PENDING')
      await retryWithBackoff(() => client.op.updateCrawlerStatus({ crawlId, status: 'RUNNING' }), signal)
    const ending = await supervise(options, sent, null, signal)
    if (ending === null) return log(`Crawl ${crawlId} was given back`)
    await dismissed(client, crawlId, signal)
    if (ending.note !== null)
      await retryWithBackoff(() => client.op.insertDastLog({ crawlId, log: { log: ending.note! } }), signal)
    await retryWithBackoff(() => client.op.updateCrawlerStatus({ crawlId, ...reportOf(ending) }), signal)
    log(`Crawl ${crawlId} ended: ${ending.end}`)
  } catch (error) {
    // A crawl that was removed meanwhile is over for us; anything else the lease brings back to somebody.
    log(`Crawl ${crawlId} broke off: ${sentenceOf(error)}`)
  }
}

/** Waits until helpers have brought in what they had, or are gone: nothing comes after the end. */
async function dismissed(client: Client, crawlId: string, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + HELPER_PATIENCE_MS
  while (performance.now() < untilMs && !signal.aborted) {
    const { workers } = await retryWithBackoff(
      () => client.op.checkCrawlStatus({ crawlId, isEnding: true }),
      signal,
    )
    if (workers <= 1) return
    await delay(HELPER_LOOK_MS, signal).catch(() => {}) // the signal is looked at above
  }
}

/**
 * Helps with a crawl that another process of this name owns. When that one died, or another crawl waits, this process
 * takes it, and leaves what it was at.
 */
async function helpWithCrawl(
  options: ModuleOptions,
  sent: CrawlerJob,
  worker: string,
  signal: AbortSignal,
): Promise<void> {
  const { client, log } = options
  const { crawlId } = sent
  const leave = new AbortController()
  log(`Helps with crawl ${crawlId} of ${new URL(sent.hostname).host}`)
  let isOver = false
  const working = supervise(options, sent, { worker, leave: leave.signal }, signal)
    .catch((error: unknown) => log(`Crawl ${crawlId} was left: ${sentenceOf(error)}`))
    .finally(() => {
      isOver = true
    })
  let own: CrawlerJob | null = null
  while (!isOver && own === null && !signal.aborted) {
    await Promise.race([working, delay(LOOK_EVERY_MS, signal).catch(() => {})]) // the signal is looked at above
    if (!isOver) own = await nextJob(options, null)
  }
  leave.abort()
  await working
  try {
    await retryWithBackoff(() => client.op.syncCrawlWork({ crawlId, worker, leaves: true }), signal)
    log(`Crawl ${crawlId} was left`)
  } catch (error) {
    // Its place is free in a minute, whatever became of the crawl.
    log(`Crawl ${crawlId} was left: ${sentenceOf(error)}`)
  }
  if (own !== null) await workOff(options, own, signal)
}

async function supervise(
  { client, folder, place, log }: ModuleOptions,
  sent: CrawlerJob,
  helper: { readonly worker: string; readonly leave: AbortSignal } | null,
  signal: AbortSignal,
): Promise<CrawlEnding | null> {
  const { crawlId } = sent
  const worker = helper?.worker ?? null
  const link = new HttpLink(client, sent, signal, helper)
  let spentSeconds = sent.spentSeconds
  let isFirst = true
  return superviseCrawl(
    {
      place: { ...place, spoolFolder: spoolFolder(folder, crawlId, worker) },
      link,
      async job() {
        if (!isFirst) {
          const { crawlerRun, progress } = await retryWithBackoff(
            () => client.op.fetchCrawlerRun({ crawlId }),
            signal,
          )
          if (crawlerRun.endTimestamp > 0) return null
          spentSeconds = progress.activeSeconds
        }
        isFirst = false
        return readJob(sent, spentSeconds, sent.helperOf)
      },
      async died(how) {
        log(`The crawling process of ${crawlId} died (${how})`)
        const line = `The crawl process died (${how}); another one continues.`
        await retryWithBackoff(() => client.op.syncCrawlWork({ crawlId, worker, releaseAll: true }), signal)
        await retryWithBackoff(
          () => client.op.insertDastLog({ crawlId, log: { log: line, key: 'warning' } }),
          signal,
        )
      },
      async progress() {
        const { progress } = await retryWithBackoff(() => client.op.fetchCrawlerRun({ crawlId }), signal)
        return progress.done + progress.capturedExchanges
      },
    },
    signal,
  )
}

/**
 * What the worker needs of a job as it was sent.
 *
 * @param helperOf processes on the crawl of somebody else, this one among them; null for its own crawl
 */
export function readJob(sent: CrawlerJob, spentSeconds: number, helperOf: number | null = null): CrawlJob {
  const { username, password } = sent
  return {
    crawlId: sent.crawlId,
    hostname: sent.hostname,
    crawlingSeconds: sent.crawlingTime,
    spentSeconds: Math.min(spentSeconds, MOST_SECONDS),
    outScopeUrls: sent.outScopeUrls,
    urlTemplatePatterns: sent.urlTemplatePatterns,
    applicationPages: sent.applicationPages,
    harmfulActions: sent.harmfulActions,
    form: username !== null && password !== null ? { username, password } : null,
    apiKey: sent.isApiKeyForTarget ? sent.apiKey : null,
    customHeaders: sent.customHeaders,
    roleName: sent.testRoleName,
    roleHeaders: sent.roleHeaders,
    recordedFlow: sent.recordedFlow,
    helperOf,
  }
}

function reportOf({ end, problem, summary = null }: CrawlEnding): {
  status: 'COMPLETED' | 'STOPPED' | 'FAILED'
  end: CrawlEnding['end']
  summary: CrawlEnding['summary']
  errorMessage?: string
} {
  if (end === 'failed')
    return { status: 'FAILED', end, summary, errorMessage: problem ?? 'The crawl failed.' }
  return { status: end === 'stopped' ? 'STOPPED' : 'COMPLETED', end, summary }
}

/** Folder for what one crawl has to deliver; each helper has its own. */
export function spoolFolder(folder: string, crawlId: string, helper: string | null = null): string {
  const names = helper === null ? [crawlId] : [crawlId, helper]
  return join(folder, names.map((name) => name.replace(/[^0-9a-z-]/gi, '')).join('_'))
}

/** Crawls of which something waits for delivery in a folder, each with the helper that left it, if it was one. */
export function crawlsInSpool(folder: string): { crawlId: string; helper: string | null }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const [crawlId = '', helper = null] = entry.name.split('_')
      return entry.isDirectory() ? [{ crawlId, helper }] : []
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof CallError ? error.messages.join('; ') : (error as Error).message
}
