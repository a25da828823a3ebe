import { endpointsTrend } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { readFilter } from './issue-selection.ts'

/** Numbers of endpoints with new open issues over time. */
export const fetchCriticalIssuesTrend: Handler<'fetchCriticalIssuesTrend'> = async (input, call) => {
  const severities = input.severityToFetch?.length ? input.severityToFetch : ['CRITICAL', 'HIGH']
  const filter = await readFilter(call, {
    filterCollectionsId: input.apiCollectionIds,
    filterSeverity: severities,
  })
  const { key, trend } = await endpointsTrend(
    call.app.store,
    { ...filter, activeOnly: true },
    input.startTimeStamp,
    input.endTimeStamp,
  )
  return { epochKey: key, issuesTrend: trend }
}
