import { findUser } from '../../../access/index.ts'
import { assignIssues } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId, wireIssueId } from './wire-issue.ts'

/** Gives several issues to a person, or to nobody. */
export const bulkAssignIssues: Handler<'bulkAssignIssues'> = async (input, { app, caller }) => {
  const login = input.assignee?.trim().toLowerCase() || null
  if (login !== null && !(await findUser(app.access, login))) throw new Failure('ASSIGNEE_UNKNOWN', { login })
  const keys = input.issueIdArray.map(readIssueId)
  const change = { keys, visible: caller.collectionIds, actor: caller.login }
  if ((await assignIssues(app.store, change, login)) === 0) throw new Failure('ISSUE_NOT_FOUND', {})
  return { issueIdArray: keys.map(wireIssueId) }
}
