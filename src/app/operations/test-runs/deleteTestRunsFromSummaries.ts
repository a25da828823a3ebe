import { deleteRuns, findExecution } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'
import { liveFieldsOf } from './live-fields.ts'

/** Deletes the runs that executions belong to. */
export const deleteTestRunsFromSummaries: Handler<'deleteTestRunsFromSummaries'> = async (input, call) => {
  const { app, caller } = call
  const summaryIds = input.latestSummaryIds.map((id) => readHexId(id, 'INVALID_TEST_SUMMARY_ID'))
  const runIds = new Set<string>()
  for (const id of summaryIds) {
    const execution = await findExecution(app.store, id, caller.collectionIds)
    if (execution) runIds.add(execution.runId)
  }
  await deleteRuns(app.store, [...runIds], caller.collectionIds)
  return { ...(await liveFieldsOf(call)), testRunIds: [...runIds], latestSummaryIds: summaryIds }
}
