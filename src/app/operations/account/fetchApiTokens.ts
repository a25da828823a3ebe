import { listKeys, systemUserId } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'
import { wireKey } from './wire-key.ts'

/** The caller's keys, masked, newest first; administrators also see those made at start or on the command line. */
export const fetchApiTokens: Handler<'fetchApiTokens'> = async (_input, { app, caller }) => {
  const owners = caller.role === 'ADMIN' ? [caller.userId, systemUserId] : [caller.userId]
  const keys = await listKeys(app.access, owners)
  return { apiTokenList: keys.reverse().map(wireKey) }
}
