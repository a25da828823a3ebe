import { confirmSecondFactor } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'

/** Asks for one-time codes at sign-in from now on. */
export const enableSecondFactor: Handler<'enableSecondFactor'> = async (input, { app, caller, ip }) => ({
  recoveryCodes: await confirmSecondFactor(app.access, caller, ip, input.code.trim()),
})
