import { changeRole, findUser } from '../../../access/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'
import { wireUser } from './wire-user.ts'

/** Gives a person another role. */
export const updateUserRole: Handler<'updateUserRole'> = async (input, { app, caller }) => {
  const user = await findUser(app.access, input.email)
  if (!user) throw new Failure('NO_SUCH_USER')
  await changeRole(app.access, user.id, input.role, caller.userId)
  return { user: wireUser({ ...user, role: input.role }) }
}
