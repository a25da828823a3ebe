import { findUser, removeUser as remove, withdrawInvitation } from '../../../access/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Removes an account, or the invitation of someone who has none yet. */
export const removeUser: Handler<'removeUser'> = async (input, { app, caller }) => {
  const user = await findUser(app.access, input.email)
  if (user) await remove(app.access, user.id, caller.userId)
  else if (!(await withdrawInvitation(app.access, input.email))) throw new Failure('NO_SUCH_USER')
  return { email: user?.login ?? input.email }
}
