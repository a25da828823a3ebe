import { requireAllCollections } from '../../../inventory/index.ts'
import { shareRole } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readRoleName, requireRoleSeen, selectedRole } from './change-role.ts'

/** Says who may use a test role. */
export const shareTestRole: Handler<'shareTestRole'> = async (input, call) => {
  const { app, caller } = call
  const name = readRoleName(input.roleName)
  await requireRoleSeen(call, name)
  const ids = [...new Set(input.apiCollectionIds)]
  await requireAllCollections(app.store, ids)
  await shareRole(app.store, name, ids, caller.login)
  return selectedRole(call, name)
}
