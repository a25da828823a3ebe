import { type CrawlSummary, reportedCrawlStatuses } from '../../../contract/index.ts'
import { type ReportedStatus, reportStatus } from '../../../crawler/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { requireCrawl } from './require-crawl.ts'

/** Takes what a crawler reports about the state of its crawl. */
export const updateCrawlerStatus: Handler<'updateCrawlerStatus'> = async (input, call) => {
  await takeStatus(input, call)
}

/** The same under its old name. */
export const updateDastJobStatus: Handler<'updateDastJobStatus'> = async (input, call) => {
  await takeStatus(input, call)
}

async function takeStatus(
  input: {
    readonly crawlId: string
    readonly status: string
    readonly errorMessage: string | null
    readonly end: string | null
    readonly summary?: CrawlSummary | null
  },
  call: Call,
): Promise<void> {
  const crawl = await requireCrawl(call, input.crawlId)
  const status = readStatus(input.status)
  await reportStatus(call.app.store, crawl.id, status, {
    errorMessage: input.errorMessage,
    endReason: input.end,
    summary: input.summary ?? null,
  })
  if (status === 'COMPLETED') call.app.crawls.wake()
}

function readStatus(text: string): ReportedStatus {
  const known = reportedCrawlStatuses.find((status) => status === text)
  if (known === undefined) throw new Failure('INVALID_CRAWL_STATUS', {})
  return known
}
