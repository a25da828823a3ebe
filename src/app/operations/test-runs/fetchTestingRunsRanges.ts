import { runsByWeek } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'

/** Numbers of runs by week. */
export const fetchTestingRunsRanges: Handler<'fetchTestingRunsRanges'> = async (input, call) => {
  const { startTimestamp, endTimestamp } = input
  const weeks = await runsByWeek(call.app.store, call.caller.collectionIds, startTimestamp, endTimestamp)
  return { ...(await liveFieldsOf(call, input)), allTestsCountsRanges: Object.fromEntries(weeks) }
}
