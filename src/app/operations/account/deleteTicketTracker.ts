import { deleteTracker } from '../../../alerts/index.ts'
import type { Handler } from '../../handler.ts'

/** Forgets a tracker. */
export const deleteTicketTracker: Handler<'deleteTicketTracker'> = async (input, { app }) => ({
  isDeleted: await deleteTracker(app.store, input.trackerType),
})
