import type { Client } from '../../contract/client.ts'
import { crawlingSeconds } from '../../contract/limits.ts'
import type { ImportedFiles } from './import-files.ts'
import { ScanFailure } from './scan-failure.ts'
import type { ScanOptions } from './scan-options.ts'

const POLL_MS = 500
/** Time of a crawl unless --crawl-time is given. */
const DEFAULT_SECONDS = 300
const ENDED = new Set(['COMPLETED', 'STOPPED', 'FAILED'])

/** A crawl that is asked for. */
interface CrawlOrder {
  readonly start: URL
  /** Name of the collection that takes what is found. */
  readonly collectionName: string
  /** Identifier of the role to sign in as; null for nobody. */
  readonly roleId: string | null
}

/**
 * Crawls the target with a browser, until there is nothing more or the time is over.
 *
 * @param report called with progress, for people
 * @throws ScanFailure when the crawl failed or captured nothing; CallError
 */
export async function crawlTarget(
  client: Client,
  options: Pick<ScanOptions, 'crawlSeconds' | 'writeLevel'>,
  { start, collectionName, roleId }: CrawlOrder,
  { report, signal }: { report: (line: string) => void; signal: AbortSignal },
): Promise<ImportedFiles> {
  const seconds = options.crawlSeconds === 0 ? DEFAULT_SECONDS : options.crawlSeconds
  await client.op.initiateCrawler({
    hostname: start.href,
    crawlingTime: Math.max(seconds, crawlingSeconds.least),
    collectionName,
    testRoleHexId: roleId,
    // What cannot be undone is for targets that are thrown away.
    harmfulActions: options.writeLevel === 'ALL' ? 'ALLOW' : 'AVOID',
  })
  const { crawlerRuns } = await client.op.fetchAllDastScans({ includeAllStatuses: true })
  const begun = crawlerRuns
    .filter(({ hostname }) => hostname === start.href)
    .sort((a, b) => b.startTimestamp - a.startTimestamp)[0]
  if (begun === undefined) throw new ScanFailure('the crawl was not started')
  const { crawlId, collectionId } = begun
  report(`crawling ${start.href} for at most ${seconds} s`)
  const { crawlerRun, progress } = await ended(client, crawlId, { seconds, signal })
  if (crawlerRun.status === 'FAILED')
    throw new ScanFailure(`the crawl failed: ${crawlerRun.errorMessage ?? 'see the log'}`)
  if (crawlerRun.testRoleFailed) report(`signing in for the crawl failed: ${crawlerRun.testRoleError ?? ''}`)
  const taken = progress.capturedExchanges
  report(`crawl: ${progress.acceptedUrls} URLs, ${taken} requests captured`)
  if (taken === 0) throw new ScanFailure(`the crawl of ${start.href} captured no request`)
  return { collectionId, inputs: [{ file: start.href, format: 'CRAWL', taken, skipped: 0 }] }
}

async function ended(client: Client, crawlId: string, limit: { seconds: number; signal: AbortSignal }) {
  const untilMs = Date.now() + limit.seconds * 1000
  let isStopping = false
  for (;;) {
    const view = await client.op.fetchCrawlerRun({ crawlId })
    if (ENDED.has(view.crawlerRun.status ?? '')) return view
    if (!isStopping && (Date.now() >= untilMs || limit.signal.aborted)) {
      isStopping = true
      await client.op.stopCrawler({ crawlId })
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
