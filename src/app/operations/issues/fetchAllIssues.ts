import { countByStatus, listIssues } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { readFilter } from './issue-selection.ts'
import { wireIssue } from './wire-issue.ts'

/** One page of the issues, and their numbers by status. */
export const fetchAllIssues: Handler<'fetchAllIssues'> = async (input, call) => {
  const { store } = call.app
  const { filterEndpoint: endpoint } = input
  const filter = {
    ...(await readFilter(call, input)),
    statuses: input.filterStatus,
    causeKeys: input.filterCauseId ?? null,
    createdFrom: input.startEpoch,
    createdBefore: input.endTimeStamp,
    activeOnly: input.activeCollections,
    endpoint: endpoint
      ? { collectionId: endpoint.apiCollectionId, method: endpoint.method, url: endpoint.url }
      : null,
  }
  const issues = await listIssues(store, filter, {
    sort: input.sortKey,
    isAscending: input.sortOrder === 1,
    skip: input.skip,
    limit: input.limit,
  })
  const counts = await countByStatus(store, filter)
  return {
    issues: issues.map((issue) => wireIssue(issue, call.caller)),
    openIssuesCount: counts.OPEN,
    fixedIssuesCount: counts.FIXED,
    ignoredIssuesCount: counts.IGNORED,
  }
}
