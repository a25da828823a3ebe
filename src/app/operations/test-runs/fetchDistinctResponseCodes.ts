import { Failure } from '../../../kit/index.ts'
import { answerOverviews, findExecution } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'

/** The error codes that an execution was answered with. */
export const fetchDistinctResponseCodes: Handler<'fetchDistinctResponseCodes'> = async (
  input,
  { app, caller },
) => {
  const id = readHexId(input.testingRunResultSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  const execution = await findExecution(app.store, id, caller.collectionIds)
  if (execution === undefined) throw new Failure('TEST_RUN_SUMMARY_NOT_FOUND', {})
  const [overview] = await answerOverviews(app.store, [id], caller.collectionIds)
  return Object.keys(overview?.codes ?? {}).sort()
}
