import { stopAllRuns } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'

/** Stops every run that waits or runs. */
export const stopAllTests: Handler<'stopAllTests'> = async (_input, call) => {
  const ids = await stopAllRuns(call.app.store, call.caller.collectionIds)
  return { ...(await liveFieldsOf(call)), testRunIds: ids }
}
