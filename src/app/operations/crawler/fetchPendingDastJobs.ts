import type { CrawlerJob } from '../../../contract/index.ts'
import {
  claimCrawl,
  crawlerModuleKind,
  holdsCrawl,
  joinCrawl,
  leaveCrawl,
  logToCrawl,
  moduleLeaseSeconds,
  noteLogin,
  releaseCrawl,
  resumableLeaseSeconds,
  stopSharing,
} from '../../../crawler/index.ts'
import { joinedLine } from '../../crawler/crawl-helper.ts'
import { bearerOf, jobOfCrawl } from '../../crawler/job-of-crawl.ts'
import type { Call, Handler } from '../../handler.ts'
import { hasModuleKey } from '../../module-owner.ts'

/** So long a call waits for a recorded login; clients give up soon after. */
const PATIENCE_MS = 15_000

/** The next crawl of a module. */
export const fetchPendingDastJobs: Handler<'fetchPendingDastJobs'> = (input, call) => nextJob(input, call)

/** The same under its second name. */
export const fetchPendingDastJobsV2: Handler<'fetchPendingDastJobsV2'> = (input, call) => nextJob(input, call)

interface Asking {
  readonly moduleName: string
  readonly playsRecordings: boolean
  readonly worker: string | null
}

async function nextJob(
  { moduleName, playsRecordings, worker }: Asking,
  { app, caller }: Call,
): Promise<CrawlerJob[]> {
  if (!(await hasModuleKey({ app, caller }, crawlerModuleKind, moduleName))) return []
  if (await holdsCrawl(app.store, moduleName))
    return worker === null ? [] : joinedJob(moduleName, worker, { app, caller })
  const crawl = await claimCrawl(app.store, {
    moduleName,
    leaseOwner: moduleName,
    leaseSeconds: moduleLeaseSeconds,
    visible: caller.collectionIds,
  })
  if (crawl === null) return []
  const job = await jobOfCrawl(app.crawls.deps, crawl)
  if (job.recordedFlow === null || playsRecordings) return [job]
  const signedIn = await signedInJob(job, app)
  // The login continues, and the crawl is there for the next call.
  if (signedIn === null) await releaseCrawl(app.store, crawl.id, moduleName)
  return signedIn === null ? [] : [signedIn]
}

/** The crawl that another process of this name has, for a helper. */
async function joinedJob(
  moduleName: string,
  worker: string,
  { app, caller }: Pick<Call, 'app' | 'caller'>,
): Promise<CrawlerJob[]> {
  const joined = await joinCrawl(app.store, {
    moduleName,
    worker,
    leaseSeconds: resumableLeaseSeconds,
    most: app.settings.crawlWorkers,
    visible: caller.collectionIds,
    leaseOwner: null,
    afterSeconds: 0,
    exceptFor: [],
  })
  if (joined === null) return []
  const { crawl, workers } = joined
  let isRefused = false
  const job = await jobOfCrawl(app.crawls.deps, crawl, async (error) => {
    isRefused = error !== null
  })
  if (isRefused) {
    await stopSharing(app.store, crawl.id)
    await leaveCrawl(app.store, crawl.id, worker)
    return []
  }
  await logToCrawl(app.store, crawl.id, 'info', joinedLine(workers))
  return [{ ...job, helperOf: workers }]
}

/** The job with what its recorded login left; null when that takes longer than a call may. */
async function signedInJob(job: CrawlerJob, { store, flows }: Call['app']): Promise<CrawlerJob | null> {
  const flow = job.recordedFlow!
  const signIn = await flows.signIns.take(job.crawlId, () => flows.signIn(flow), PATIENCE_MS)
  if (signIn === null) return null
  const { cookies, headers, error } = signIn
  await noteLogin(store, job.crawlId, error)
  if (error !== null) await logToCrawl(store, job.crawlId, 'warning', error)
  return { ...job, cookies: cookies ?? bearerOf(headers), roleHeaders: { ...headers } }
}
