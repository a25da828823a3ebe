import { hasPassword, hasSecondFactor } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'

/** Whether the caller signs in with a second factor. */
export const fetchSecondFactor: Handler<'fetchSecondFactor'> = async (_input, { app, caller }) => ({
  isOn: await hasSecondFactor(app.access, caller.userId),
  isAvailable: app.settings.passwordSignIn && (await hasPassword(app.access, caller.userId)),
})
