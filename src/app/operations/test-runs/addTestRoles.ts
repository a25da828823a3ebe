import { createRole } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readConditions, readRoleName, selectedRole } from './change-role.ts'

/** Makes a test role. */
export const addTestRoles: Handler<'addTestRoles'> = async (input, call) => {
  const name = readRoleName(input.roleName)
  await createRole(call.app.store, name, readConditions(input), call.caller.login)
  return selectedRole(call, name)
}
