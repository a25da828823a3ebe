import type { CrawlerJob } from '../../../contract/index.ts'
import { claimCrawl, holdsCrawl, moduleLeaseSeconds } from '../../../crawler/index.ts'
import { jobOfCrawl } from '../../crawler/job-of-crawl.ts'
import type { Call, Handler } from '../../handler.ts'

/** The next crawl of a module. */
export const fetchPendingDastJobs: Handler<'fetchPendingDastJobs'> = (input, call) => nextJob(input, call)

/** The same under its second name. */
export const fetchPendingDastJobsV2: Handler<'fetchPendingDastJobsV2'> = (input, call) => nextJob(input, call)

async function nextJob(
  { moduleName }: { readonly moduleName: string },
  { app, caller }: Call,
): Promise<CrawlerJob[]> {
  if (await holdsCrawl(app.store, moduleName)) return []
  const crawl = await claimCrawl(app.store, {
    moduleName,
    holder: moduleName,
    leaseSeconds: moduleLeaseSeconds,
    visible: caller.collectionIds,
  })
  return crawl === null ? [] : [await jobOfCrawl(app.crawls.ground, crawl)]
}
