import type { Handler } from '../../handler.ts'
import { currentStatus } from './live-fields.ts'

/** What the test engine does at this moment. */
export const fetchActiveTestRunsStatus: Handler<'fetchActiveTestRunsStatus'> = async (_input, call) => {
  const status = await currentStatus(call)
  return { ...status, currentTestsStatus: status }
}
