import { deleteAllEvents } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/** Deletes every event. */
export const deleteAllMaliciousEvents: Handler<'deleteAllMaliciousEvents'> = async (_input, { app }) => {
  await deleteAllEvents(app.store)
  return {}
}
