import { listRoles, mayUseRole } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { wireRole } from './wire-role.ts'

/** The test roles that the caller may use. */
export const fetchTestRoles: Handler<'fetchTestRoles'> = async (_input, { app, caller }) => {
  const roles = await listRoles(app.store, app.sealer)
  return {
    testRoles: roles.filter((role) => mayUseRole(role, caller)).map((role) => wireRole(role, caller)),
  }
}
