import { setStatus } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readUntil } from './ignore-until.ts'
import { readIssueId, wireIssueId } from './wire-issue.ts'

/** Sets the status of an issue. */
export const updateIssueStatus: Handler<'updateIssueStatus'> = async (input, { app, caller }) => {
  const key = readIssueId(input.issueId)
  const status = input.statusToBeUpdated
  const { found } = await setStatus(
    app.store,
    { keys: [key], visible: caller.collectionIds, actor: caller.login },
    { status, reason: input.ignoreReason, until: readUntil(status, input.ignoreUntil) },
  )
  if (found === 0) throw new Failure('ISSUE_NOT_FOUND', {})
  return {
    issueId: wireIssueId(key),
    statusToBeUpdated: status,
    ignoreReason: status === 'IGNORED' ? input.ignoreReason : '',
  }
}
