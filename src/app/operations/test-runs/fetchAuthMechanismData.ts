import { defaultMechanism } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { wireMechanism } from './wire-role.ts'

/** How tests attack by default. */
export const fetchAuthMechanismData: Handler<'fetchAuthMechanismData'> = async (_input, { app, caller }) => {
  const mechanism = await defaultMechanism(app.store, app.sealer)
  return { authMechanism: mechanism && wireMechanism(mechanism, caller) }
}
