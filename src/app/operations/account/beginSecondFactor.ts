import { beginSecondFactor as begin } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'

/** Makes the secret of an authenticator app. */
export const beginSecondFactor: Handler<'beginSecondFactor'> = async (_input, { app, caller }) => ({
  ...(await begin(app.access, caller)),
})
