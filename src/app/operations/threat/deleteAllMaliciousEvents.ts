import { deleteAllEvents } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { requireUnrestricted } from '../../require-collection.ts'

/** Deletes every event. */
export const deleteAllMaliciousEvents: Handler<'deleteAllMaliciousEvents'> = async (
  _input,
  { app, caller },
) => {
  requireUnrestricted(caller)
  await deleteAllEvents(app.store)
  return {}
}
