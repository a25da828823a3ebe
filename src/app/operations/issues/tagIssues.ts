import { tagIssues as tag } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId, wireIssueId } from './wire-issue.ts'

/** Adds and removes tags of issues. */
export const tagIssues: Handler<'tagIssues'> = async (input, { app, caller }) => {
  const keys = input.issueIdArray.map(readIssueId)
  const clean = (tags: readonly string[] | null): string[] =>
    (tags ?? []).map((one) => one.trim()).filter((one) => one !== '')
  const found = await tag(
    app.store,
    { keys, visible: caller.collectionIds, actor: caller.login },
    { add: clean(input.addTags), remove: clean(input.removeTags) },
  )
  if (found === 0) throw new Failure('ISSUE_NOT_FOUND', {})
  return { issueIdArray: keys.map(wireIssueId) }
}
