import { deleteRuns } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'
import { liveFieldsOf } from './live-fields.ts'

/** Deletes runs with everything they found. */
export const deleteTestRuns: Handler<'deleteTestRuns'> = async (input, call) => {
  const ids = input.testRunIds.map((id) => readHexId(id, 'INVALID_TEST_RUN_ID'))
  await deleteRuns(call.app.store, ids, call.caller.collectionIds)
  return { ...(await liveFieldsOf(call)), testRunIds: ids }
}
