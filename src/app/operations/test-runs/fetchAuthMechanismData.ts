import type { Handler } from '../../handler.ts'
import { shownMechanism } from './wire-role.ts'

/** How tests attack by default. */
export const fetchAuthMechanismData: Handler<'fetchAuthMechanismData'> = async (_input, { app, caller }) => {
  return { authMechanism: await shownMechanism(app, caller) }
}
