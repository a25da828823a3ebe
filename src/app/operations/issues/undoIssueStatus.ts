import { undoStatus } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId } from './wire-issue.ts'

/** Takes the caller's last change of status back. */
export const undoIssueStatus: Handler<'undoIssueStatus'> = async (input, { app, caller }) => ({
  undoneCount: await undoStatus(app.store, {
    keys: input.issueIdArray.map(readIssueId),
    visible: caller.collectionIds,
    actor: caller.login,
  }),
})
