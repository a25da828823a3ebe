import { listIssues } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId, wireIssue } from './wire-issue.ts'

const MAX_ISSUES = 1000

/** The issues of given ids that have one of the statuses, newest first. */
export const fetchIssuesFromResultIds: Handler<'fetchIssuesFromResultIds'> = async (
  input,
  { app, caller },
) => {
  if (input.issueStatusQuery.length === 0) return []
  const issues = await listIssues(
    app.store,
    {
      visible: caller.collectionIds,
      statuses: input.issueStatusQuery,
      keys: input.issuesIds?.map(readIssueId) ?? null,
    },
    {
      sort: 'creationTime',
      isAscending: false,
      skip: 0,
      limit: input.issuesIds?.length ? input.issuesIds.length : MAX_ISSUES,
    },
  )
  return issues.map((issue) => wireIssue(issue, caller))
}
