import { beginSecondFactor as begin, requireCurrentPassword } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'

/** Makes the secret of an authenticator app; a session that was left open is not enough, it takes the password. */
export const beginSecondFactor: Handler<'beginSecondFactor'> = async (input, { app, caller, ip }) => {
  await requireCurrentPassword(app.access, caller, ip, input.currentPassword)
  return { ...(await begin(app.access, caller)) }
}
