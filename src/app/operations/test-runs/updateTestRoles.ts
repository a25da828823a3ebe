import { changeRoleConditions } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readConditions, readRoleName, requireRoleSeen, selectedRole } from './change-role.ts'

/** Replaces the conditions of a test role. */
export const updateTestRoles: Handler<'updateTestRoles'> = async (input, call) => {
  const name = readRoleName(input.roleName)
  await requireRoleSeen(call, name)
  await changeRoleConditions(call.app.store, name, readConditions(input), call.caller.login)
  return selectedRole(call, name)
}
