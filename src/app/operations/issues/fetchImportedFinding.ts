import { readImportedFinding } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { requireIssue } from './issue-selection.ts'

/** Shows what another scanner reported for an issue. */
export const fetchImportedFinding: Handler<'fetchImportedFinding'> = async (input, call) => {
  const issue = await requireIssue(call, input.issueId)
  const found = await readImportedFinding(call.app.store, issue.id)
  if (found === undefined) throw new Failure('NOT_IMPORTED', {})
  const { tool, importId, foundAt, evidence } = found
  return { tool, uploadId: importId, foundTs: foundAt, evidence }
}
