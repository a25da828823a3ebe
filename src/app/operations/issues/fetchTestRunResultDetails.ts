import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from '../test-runs/live-fields.ts'
import { wireFullResult } from '../test-runs/wire-result.ts'
import { requireResult } from './require-result.ts'

/** One result with its full evidence. */
export const fetchTestRunResultDetails: Handler<'fetchTestRunResultDetails'> = async (input, call) => {
  const result = await requireResult(call, input.testingRunResultHexId)
  return { ...(await liveFieldsOf(call)), testingRunResult: wireFullResult(result) }
}
