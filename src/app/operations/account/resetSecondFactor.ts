import type { Handler } from '../../handler.ts'
import { accountActions } from '../../local-control/account-actions.ts'

/** Takes the second factor of a person away. */
export const resetSecondFactor: Handler<'resetSecondFactor'> = async (input, { app }) => {
  await accountActions.resetSecondFactor(app.access, input)
}
