import { clearedRefreshCookie, endSession } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'

/** Ends the caller's session and clears its cookie. */
export const logout: Handler<'logout'> = async (_input, { app, caller, responseHeaders }) => {
  if (caller.sessionId !== null) await endSession(app.access, caller.sessionId)
  responseHeaders.set('set-cookie', clearedRefreshCookie)
  return undefined
}
