import { changePassword } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'

/** Changes the caller's password. */
export const updatePassword: Handler<'updatePassword'> = async (input, { app, caller, ip }) => {
  const apiTokensRevoked = await changePassword(app.access, caller, ip, {
    current: input.currentPassword,
    next: input.newPassword,
    revokesKeys: input.revokeApiTokens ?? false,
  })
  return { passwordUpdated: true, apiTokensRevoked }
}
