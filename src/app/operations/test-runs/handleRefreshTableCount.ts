import { Failure } from '../../../kit/index.ts'
import { findExecution, recountExecution } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'
import { liveFieldsOf } from './live-fields.ts'

/** Counts the findings of an execution afresh. */
export const handleRefreshTableCount: Handler<'handleRefreshTableCount'> = async (input, call) => {
  const { app, caller } = call
  const id = readHexId(input.testingRunResultSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  if ((await findExecution(app.store, id, caller.collectionIds)) === undefined)
    throw new Failure('INVALID_TEST_SUMMARY_ID', {})
  await recountExecution(app.store, id)
  return { ...(await liveFieldsOf(call)), testingRunResultSummaryHexId: id }
}
