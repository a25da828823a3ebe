import { issuesByTime } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { readFilter } from './issue-selection.ts'

/** Numbers of issues by the time of their creation. */
export const findTotalIssuesByDay: Handler<'findTotalIssuesByDay'> = async (input, call) => {
  const filter = { ...(await readFilter(call, input)), activeOnly: true }
  const counts = await issuesByTime(call.app.store, filter, input.startEpoch, input.endTimeStamp)
  return {
    totalIssuesCountDayWise: counts.total,
    openIssuesCountDayWise: counts.open,
    criticalIssuesCountDayWise: counts.critical,
    response: { bucket: counts.bucket, bucketStarts: counts.bucketStarts },
  }
}
