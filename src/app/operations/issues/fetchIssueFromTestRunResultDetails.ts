import { issueOfResult } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from '../test-runs/live-fields.ts'
import { requireResult } from './require-result.ts'
import { wireIssue } from './wire-issue.ts'

/** The issue that a result belongs to; the test editor makes none. */
export const fetchIssueFromTestRunResultDetails: Handler<'fetchIssueFromTestRunResultDetails'> = async (
  input,
  call,
) => {
  const result = await requireResult(call, input.testingRunResultHexId)
  const isFinding = result.selection === 'VULNERABLE' && !input.testRunByTestEditor
  const issue = isFinding ? await issueOfResult(call.app.store, result.id) : undefined
  return { ...(await liveFieldsOf(call)), runIssues: issue ? wireIssue(issue, call.caller) : null }
}
