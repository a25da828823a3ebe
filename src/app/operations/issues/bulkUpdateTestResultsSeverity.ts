import { issuesOfResults, setSeverity } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from '../test-runs/hex-id.ts'
import { wireIssueId } from './wire-issue.ts'

/** Sets the severity of the issues that results belong to. */
export const bulkUpdateTestResultsSeverity: Handler<'bulkUpdateTestResultsSeverity'> = async (
  input,
  { app, caller },
) => {
  const ids = input.testingRunResultHexIds.map((id) => readHexId(id, 'INVALID_TEST_RESULT_ID'))
  const issues = await issuesOfResults(app.store, ids, caller.collectionIds)
  if (issues.length === 0) throw new Failure('TEST_RESULT_NOT_FOUND', {})
  await setSeverity(
    app.store,
    { keys: issues, visible: caller.collectionIds, actor: caller.login },
    input.severityToBeUpdated,
  )
  return { issueIdArray: issues.map(wireIssueId) }
}
