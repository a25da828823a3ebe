import { openOverTime } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { readFilter } from './issue-selection.ts'

/** Numbers of open issues at the end of each bucket, by severity. */
export const fetchOpenIssuesTrend: Handler<'fetchOpenIssuesTrend'> = async (input, call) => {
  const filter = { ...(await readFilter(call, input)), activeOnly: true }
  const { open, ...buckets } = await openOverTime(
    call.app.store,
    filter,
    input.startEpoch,
    input.endTimeStamp,
  )
  return { ...buckets, critical: open.CRITICAL, high: open.HIGH, medium: open.MEDIUM, low: open.LOW }
}
