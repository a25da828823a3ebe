import { removeCredential } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readRoleName, requireRoleSeen, selectedRole } from './change-role.ts'

/** Takes a credential from a test role. */
export const deleteAuthFromRole: Handler<'deleteAuthFromRole'> = async (input, call) => {
  const name = readRoleName(input.roleName)
  await requireRoleSeen(call, name)
  await removeCredential(call.app.store, name, input.index, call.caller.login)
  return selectedRole(call, name)
}
