import { setEventStatus } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { eventsText, readSelection } from './select-events.ts'

/** Sets the status of events. */
export const updateMaliciousEventStatus: Handler<'updateMaliciousEventStatus'> = async (
  input,
  { app, caller },
) => {
  const selection = readSelection(caller, input)
  const { status, suppress } = input
  const count = await setEventStatus(app.store, selection, { status, suppress, login: caller.login })
  return { updateSuccess: true, updateMessage: `${eventsText(count)} updated`, updatedCount: count }
}
