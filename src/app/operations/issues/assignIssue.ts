import { findUser } from '../../../access/index.ts'
import { assignIssues } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId, wireIssueId } from './wire-issue.ts'

/** Gives an issue to a person, or to nobody. */
export const assignIssue: Handler<'assignIssue'> = async (input, { app, caller }) => {
  const login = input.assignee?.trim().toLowerCase() || null
  if (login !== null && !(await findUser(app.access, login))) throw new Failure('ASSIGNEE_UNKNOWN', { login })
  const key = readIssueId(input.issueId)
  const change = { keys: [key], visible: caller.collectionIds, actor: caller.login }
  if ((await assignIssues(app.store, change, login)) === 0) throw new Failure('ISSUE_NOT_FOUND', {})
  return { issueId: wireIssueId(key) }
}
