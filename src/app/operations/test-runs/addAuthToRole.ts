import { setCredential } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readCredential, readRoleName, requireRoleSeen, selectedRole } from './change-role.ts'

/** Gives a test role a credential. */
export const addAuthToRole: Handler<'addAuthToRole'> = async (input, call) => {
  const { app, caller } = call
  const name = readRoleName(input.roleName)
  await requireRoleSeen(call, name)
  await setCredential(app.store, app.sealer, name, readCredential(input), caller.login)
  return selectedRole(call, name)
}
