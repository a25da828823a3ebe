import { attackerRole, defaultMechanism, setCredential } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readParameters, withKeptSecrets } from './change-role.ts'
import { wireMechanism } from './wire-role.ts'

/** Sets the default credential of the role of the system. */
export const addAuthMechanism: Handler<'addAuthMechanism'> = async (input, call) => {
  const { app, caller } = call
  const sent = {
    type: input.type,
    parameters: readParameters(input.authParamData),
    steps: input.requestData,
    flow: null,
    headerPairs: {},
    urlRegex: null,
  }
  const credential = await withKeptSecrets(call, attackerRole, sent, null)
  await setCredential(app.store, app.sealer, attackerRole, credential, caller.login)
  const mechanism = await defaultMechanism(app.store, app.sealer)
  return { authMechanism: mechanism && wireMechanism(mechanism) }
}
