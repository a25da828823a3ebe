import { type AnswerOverview, answerOverviews } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'

/** What the results of executions hint at: unreachable hosts, missing configuration, error codes, block pages. */
export const fetchTestRunStatusSummaries: Handler<'fetchTestRunStatusSummaries'> = async (
  input,
  { app, caller },
) => {
  const ids = input.testingRunResultSummaryHexIds.map((id) => readHexId(id, 'INVALID_TEST_SUMMARY_ID'))
  const overviews = await answerOverviews(app.store, ids, caller.collectionIds)
  return Object.fromEntries(overviews.map((one) => [one.summaryId, countsOf(one)]))
}

function countsOf({ unreachable, skipped, needConfig, blockPages, codes }: AnswerOverview) {
  return {
    domainUnreachable: unreachable,
    skipped,
    needConfig,
    cloudflare: blockPages,
    ...Object.fromEntries(Object.entries(codes).map(([code, count]) => [`http_${code}`, count])),
  }
}
