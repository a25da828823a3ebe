import { setSeverity } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId, wireIssueId } from './wire-issue.ts'

/** Sets the severity of several issues, for later runs too. */
export const bulkUpdateIssueSeverity: Handler<'bulkUpdateIssueSeverity'> = async (input, { app, caller }) => {
  const keys = input.issueIdArray.map(readIssueId)
  const { found, changed } = await setSeverity(
    app.store,
    { keys, visible: caller.collectionIds, actor: caller.login },
    input.severityToBeUpdated,
  )
  if (found === 0) throw new Failure('ISSUE_NOT_FOUND', {})
  return { issueIdArray: keys.map(wireIssueId), changedCount: changed }
}
