import { checkAlertUrl, saveTracker } from '../../../alerts/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { wireTracker } from './wire-alerts.ts'

/** Sets up where tickets are made. */
export const saveTicketTracker: Handler<'saveTicketTracker'> = async (input, { app, caller }) => {
  const reason = checkAlertUrl(input.baseUrl, app.settings.allowedAlertTargets)
  if (reason !== null) throw new Failure('WEBHOOK_URL_INVALID', { reason })
  const token = input.apiToken.trim()
  if (token === '' || /[^\x21-\x7e]/.test(token)) throw new Failure('TRACKER_TOKEN_EMPTY', {})
  const { origin, pathname } = new URL(input.baseUrl.trim())
  const saved = await saveTracker(
    app.store,
    app.sealer,
    input.trackerType,
    { baseUrl: `${origin}${pathname}`.replace(/\/$/, ''), login: input.userEmail.trim(), token },
    caller.login,
  )
  return { integration: wireTracker(saved) }
}
