import { stopAllAndTell } from '../../alerts/end-run.ts'
import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'

/** Stops every run that waits or runs. */
export const stopAllTests: Handler<'stopAllTests'> = async (_input, call) => {
  const ids = await stopAllAndTell(call.app.store, call.caller.collectionIds)
  call.app.notifier.wake()
  return { ...(await liveFieldsOf(call)), testRunIds: ids }
}
