import { issueStatuses } from '../vocabulary.ts'
import { adapter } from './adapter.ts'

/** Without statuses, issues of every status. */
export const fetchIssuesFromResultIds = adapter('fetchIssuesFromResultIds', {
  defaults: { issueStatusQuery: [...issueStatuses] },
})
