import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'
import { wireFullResult } from './wire-result.ts'

/** The result of a test that was tried, when it is there. */
export const fetchTestingRunPlaygroundStatus: Handler<'fetchTestingRunPlaygroundStatus'> = async (
  input,
  call,
) => {
  const trial = await call.app.testRuns.findTrial(input.testingRunPlaygroundHexId, call.caller.login)
  return {
    ...(await liveFieldsOf(call)),
    testingRunResult: trial.result === null ? null : wireFullResult(trial.result),
    testingRunPlaygroundStatus: trial.state,
  }
}
