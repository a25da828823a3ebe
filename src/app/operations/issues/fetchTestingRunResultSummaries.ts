import { Failure } from '../../../kit/index.ts'
import { findRun, listExecutions } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from '../test-runs/hex-id.ts'
import { liveFieldsOf } from '../test-runs/live-fields.ts'
import { wireRun, wireSummary } from '../test-runs/wire-run.ts'

const NEWEST = 20

/** The newest executions of a run. */
export const fetchTestingRunResultSummaries: Handler<'fetchTestingRunResultSummaries'> = async (
  input,
  call,
) => {
  const { app, caller } = call
  const runId = readHexId(input.testingRunHexId, 'INVALID_TEST_RUN_ID')
  const run = await findRun(app.store, runId, caller.collectionIds)
  if (run === undefined) throw new Failure('TEST_RUN_NOT_FOUND', {})
  const executions = await listExecutions(app.store, runId, input.startTimestamp, input.endTimestamp, NEWEST)
  return {
    ...(await liveFieldsOf(call, input)),
    testingRunResultSummaries: executions.map(wireSummary),
    testingRun: wireRun(run),
    testingRunType: run.type,
  }
}
