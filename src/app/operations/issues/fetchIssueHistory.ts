import { readHistory } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { requireIssue } from './issue-selection.ts'

/** What happened to an issue, newest first. */
export const fetchIssueHistory: Handler<'fetchIssueHistory'> = async (input, call) => {
  const issue = await requireIssue(call, input.issueId)
  const history = await readHistory(call.app.store, issue.id)
  return {
    issueHistory: history.map(({ summaryId, resultId, at, ...event }) => ({
      ...event,
      testingRunSummaryHexId: summaryId,
      testingRunResultHexId: resultId,
      timestamp: at,
    })),
    assignee: issue.assignee,
  }
}
