import { deleteEvents } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { eventsText, readSelection } from './select-events.ts'

/** Deletes events. */
export const deleteMaliciousEvents: Handler<'deleteMaliciousEvents'> = async (input, { app, caller }) => {
  const count = await deleteEvents(app.store, readSelection(caller, input))
  return { deleteSuccess: true, deleteMessage: `${eventsText(count)} deleted`, deletedCount: count }
}
