import { checkSecondFactor, hasSecondFactor, removeSecondFactor } from '../../../access/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** No longer asks for one-time codes at sign-in. */
export const disableSecondFactor: Handler<'disableSecondFactor'> = async (input, { app, caller, ip }) => {
  if (!(await hasSecondFactor(app.access, caller.userId))) throw new Failure('SECOND_FACTOR_OFF')
  await checkSecondFactor(app.access, caller, ip, input.code)
  await removeSecondFactor(app.access, caller.userId)
}
