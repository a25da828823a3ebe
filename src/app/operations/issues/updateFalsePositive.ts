import { changeRule } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import type { Handler } from '../../handler.ts'

/** Changes the reason or the scope of a rule for false positives. */
export const updateFalsePositive: Handler<'updateFalsePositive'> = async (input, { app, caller }) => {
  const { ruleId, scope } = input
  if (scope === 'EVERYWHERE' && caller.collectionIds !== null) throw new Failure('COLLECTIONS_RESTRICTED', {})
  const change = { reason: input.reason.trim(), scope, visible: caller.collectionIds }
  if (!(await changeRule(app.store, ruleId, change, caller.login))) throw new Failure('RULE_NOT_FOUND', {})
  return { ruleId }
}
