import type { Handler } from '../../handler.ts'
import { requireChannel } from './wire-alerts.ts'

/** Sends a test message and waits for the answer. */
export const sendTestAlert: Handler<'sendTestAlert'> = async (input, { app, caller }) => {
  const outcome = await app.notifier.test(await requireChannel(app, input.id), caller.login)
  return { isDelivered: outcome.isDelivered, statusCode: outcome.status, problem: outcome.problem }
}
