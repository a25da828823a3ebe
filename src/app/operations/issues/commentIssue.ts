import { commentIssue as comment } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId, wireIssueId } from './wire-issue.ts'

/** Adds a comment to the history of an issue. */
export const commentIssue: Handler<'commentIssue'> = async (input, { app, caller }) => {
  const key = readIssueId(input.issueId)
  const isThere = await comment(
    app.store,
    { keys: [key], visible: caller.collectionIds, actor: caller.login },
    input.comment,
  )
  if (!isThere) throw new Failure('ISSUE_NOT_FOUND', {})
  return { issueId: wireIssueId(key) }
}
