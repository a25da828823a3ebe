import { listIssues } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId } from '../issues/wire-issue.ts'
import { orderTicketsOf } from './order-tickets.ts'

/** Makes tickets of issues. */
export const bulkCreateJiraTickets: Handler<'bulkCreateJiraTickets'> = async (input, call) => {
  const keys = input.issueIdArray.map(readIssueId)
  const issues =
    keys.length === 0
      ? []
      : await listIssues(
          call.app.store,
          { visible: call.caller.collectionIds, keys },
          { sort: 'severity', isAscending: false, skip: 0, limit: keys.length },
        )
  const ordered = await orderTicketsOf(call, issues, input)
  return { ordered, existing: issues.length - ordered, unknown: keys.length - issues.length }
}
