import { setStatus } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readUntil } from './ignore-until.ts'
import { readIssueId, wireIssueId } from './wire-issue.ts'

/** Sets the status of several issues in one step. */
export const bulkUpdateIssueStatus: Handler<'bulkUpdateIssueStatus'> = async (input, { app, caller }) => {
  const keys = input.issueIdArray.map(readIssueId)
  const status = input.statusToBeUpdated
  const { found, changed } = await setStatus(
    app.store,
    { keys, visible: caller.collectionIds, actor: caller.login },
    {
      status,
      reason: input.ignoreReason,
      until: readUntil(status, input.ignoreUntil),
      description: input.description,
    },
  )
  if (found === 0) throw new Failure('ISSUE_NOT_FOUND', {})
  return {
    issueIdArray: keys.map(wireIssueId),
    changedCount: changed,
    statusToBeUpdated: status,
    ignoreReason: status === 'IGNORED' ? input.ignoreReason : '',
  }
}
