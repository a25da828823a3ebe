import { Failure, isHexId } from '../../../kit/index.ts'
import { findRun } from '../../../testing/index.ts'
import { stopAndTell } from '../../alerts/end-run.ts'
import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'

/** Stops a run and its executions; what runs notices within two seconds. */
export const stopTest: Handler<'stopTest'> = async (input, call) => {
  const { app, caller } = call
  const id = (input.testingRunHexId ?? '').toLowerCase()
  if (!isHexId(id) || (await findRun(app.store, id, caller.collectionIds)) === undefined)
    throw new Failure('STOP_FAILED', {})
  await stopAndTell(app.store, id)
  app.notifier.wake()
  return liveFieldsOf(call)
}
