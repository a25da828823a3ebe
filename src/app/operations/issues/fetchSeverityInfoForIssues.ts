import { openBySeverity } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { readFilter } from './issue-selection.ts'

/** Numbers of open issues by collection and severity. */
export const fetchSeverityInfoForIssues: Handler<'fetchSeverityInfoForIssues'> = async (input, call) => {
  const info = await openBySeverity(call.app.store, {
    ...(await readFilter(call, input)),
    createdFrom: input.startEpoch,
    createdBefore: input.endTimeStamp,
    activeOnly: input.activeCollections,
  })
  return { severityInfo: Object.fromEntries(info) }
}
