import { undoSeverity } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId } from './wire-issue.ts'

/** Takes the caller's last change of severity back. */
export const undoIssueSeverity: Handler<'undoIssueSeverity'> = async (input, { app, caller }) => ({
  undoneCount: await undoSeverity(app.store, {
    keys: input.issueIdArray.map(readIssueId),
    visible: caller.collectionIds,
    actor: caller.login,
  }),
})
