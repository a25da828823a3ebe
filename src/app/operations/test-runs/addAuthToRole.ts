import { setCredential } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import {
  readCredential,
  readRoleName,
  requireRoleSeen,
  selectedRole,
  withKeptSecrets,
} from './change-role.ts'

/** Gives a test role a credential. */
export const addAuthToRole: Handler<'addAuthToRole'> = async (input, call) => {
  const { app, caller } = call
  const name = readRoleName(input.roleName)
  await requireRoleSeen(call, name)
  const credential = await withKeptSecrets(call, name, readCredential(input), null)
  await setCredential(app.store, app.sealer, name, credential, caller.login)
  return selectedRole(call, name)
}
