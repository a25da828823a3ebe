import { deleteRole } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readRoleName, requireRoleSeen } from './change-role.ts'

/** Deletes a test role with its credentials. */
export const deleteTestRole: Handler<'deleteTestRole'> = async (input, call) => {
  const name = readRoleName(input.roleName)
  await requireRoleSeen(call, name)
  await deleteRole(call.app.store, name)
  return { selectedRole: null }
}
