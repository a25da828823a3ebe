import { findUser, removeSecondFactor } from '../../../access/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Takes the second factor of a person away. */
export const resetSecondFactor: Handler<'resetSecondFactor'> = async (input, { app }) => {
  const user = await findUser(app.access, input.email)
  if (user === null) throw new Failure('NO_SUCH_USER')
  if (!(await removeSecondFactor(app.access, user.id))) throw new Failure('SECOND_FACTOR_OFF')
}
