import { countSelections } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from '../test-runs/hex-id.ts'

/** Numbers of the results of an execution by selection. */
export const fetchTestRunResultsCount: Handler<'fetchTestRunResultsCount'> = async (
  input,
  { app, caller },
) => {
  const summaryId = readHexId(input.testingRunResultSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  const { bySelection, ignored } = await countSelections(app.store, summaryId, caller.collectionIds)
  return {
    VULNERABLE: bySelection.VULNERABLE,
    SKIPPED_EXEC_NEED_CONFIG: bySelection.SKIPPED_EXEC_NEED_CONFIG,
    SKIPPED_EXEC: bySelection.SKIPPED_EXEC,
    ALL: Object.values(bySelection).reduce((sum, count) => sum + count, 0),
    SKIPPED_EXEC_API_REQUEST_FAILED: bySelection.SKIPPED_EXEC_API_REQUEST_FAILED,
    IGNORED_ISSUES: ignored,
  }
}
