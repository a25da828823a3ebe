import { removeKey } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'

/** Takes a key back. */
export const deleteApiToken: Handler<'deleteApiToken'> = async (input, { app, caller }) => {
  await removeKey(app.access, input.apiTokenId, caller)
  return { apiTokenDeleted: true, apiTokenId: input.apiTokenId }
}
