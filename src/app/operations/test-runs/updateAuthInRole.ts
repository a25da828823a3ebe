import { setCredential } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import {
  readCredential,
  readRoleName,
  requireRoleSeen,
  selectedRole,
  withKeptSecrets,
} from './change-role.ts'

/** Replaces a credential of a test role. */
export const updateAuthInRole: Handler<'updateAuthInRole'> = async (input, call) => {
  const { app, caller } = call
  const name = readRoleName(input.roleName)
  await requireRoleSeen(call, name)
  const credential = await withKeptSecrets(call, name, readCredential(input), input.index)
  await setCredential(app.store, app.sealer, name, credential, caller.login, input.index)
  return selectedRole(call, name)
}
