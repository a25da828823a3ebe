import { readUser } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'
import { organisationId } from '../../organisation.ts'
import { wireUser } from './wire-user.ts'

/** Who calls, as stored now. */
export const fetchOwnUser: Handler<'fetchOwnUser'> = async (_input, { app, caller }) => ({
  user: wireUser(await readUser(app.access, caller.userId)),
  via: caller.via,
  accountId: organisationId,
})
