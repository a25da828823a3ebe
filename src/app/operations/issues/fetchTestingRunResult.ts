import { markRead } from '../../../issues/index.ts'
import { findResultOfIssue } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { wireFullResult } from '../test-runs/wire-result.ts'
import { requireIssue } from './issue-selection.ts'
import { wireIssueId } from './wire-issue.ts'

/** The evidence behind an issue; it counts as read once a member or administrator asks. */
export const fetchTestingRunResult: Handler<'fetchTestingRunResult'> = async (input, call) => {
  const { store } = call.app
  const issue = await requireIssue(call, input.issueId)
  const result =
    issue.latestSummaryId === null
      ? undefined
      : await findResultOfIssue(store, issue.id, issue.latestSummaryId)
  if (call.caller.role !== 'GUEST') await markRead(store, issue.id)
  return { testingRunResult: result ? wireFullResult(result) : null, issueId: wireIssueId(issue) }
}
