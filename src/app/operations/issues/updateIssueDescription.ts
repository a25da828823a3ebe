import { setDescription } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId, wireIssueId } from './wire-issue.ts'

/** Sets the note on an issue. */
export const updateIssueDescription: Handler<'updateIssueDescription'> = async (input, { app, caller }) => {
  const key = readIssueId(input.issueId)
  const change = { keys: [key], visible: caller.collectionIds, actor: caller.login }
  if (!(await setDescription(app.store, change, input.description))) throw new Failure('ISSUE_NOT_FOUND', {})
  return { issueId: wireIssueId(key), description: input.description }
}
