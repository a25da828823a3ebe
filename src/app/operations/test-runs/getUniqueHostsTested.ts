import { Failure } from '../../../kit/index.ts'
import { findRun, testedHosts } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'

/** The hosts of a run, for the head of its report. */
export const getUniqueHostsTested: Handler<'getUniqueHostsTested'> = async (input, { app, caller }) => {
  const runId = readHexId(input.testingRunId, 'INVALID_TEST_RUN_ID')
  const run = await findRun(app.store, runId, caller.collectionIds)
  if (run === undefined) throw new Failure('TEST_RUN_NOT_FOUND', {})
  await app.testRuns.logWritten()
  return (await testedHosts(app.store, runId, run.collectionIds)).join(', ')
}
