import { Failure } from '../../../kit/index.ts'
import { findExecution } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from '../test-runs/hex-id.ts'
import { wireExplainedSummary } from '../test-runs/wire-run.ts'

/** One execution. */
export const fetchTestingRunResultsSummary: Handler<'fetchTestingRunResultsSummary'> = async (
  input,
  { app, caller },
) => {
  const id = readHexId(input.testingRunSummaryId, 'INVALID_TEST_RUN_SUMMARY_ID')
  const execution = await findExecution(app.store, id, caller.collectionIds)
  if (execution === undefined) throw new Failure('TEST_RUN_SUMMARY_NOT_FOUND', {})
  return wireExplainedSummary(app.store, execution, caller.collectionIds)
}
