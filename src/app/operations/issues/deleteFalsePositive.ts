import { deleteRule } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Removes a rule for false positives; what it ignored opens again. */
export const deleteFalsePositive: Handler<'deleteFalsePositive'> = async (input, { app, caller }) => {
  if (!(await deleteRule(app.store, input.ruleId, caller.collectionIds, caller.login)))
    throw new Failure('RULE_NOT_FOUND', {})
  return { ruleId: input.ruleId }
}
