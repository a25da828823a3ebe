import { Failure } from '../../../kit/index.ts'
import { removeSuppression } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { requireUnrestricted } from '../../require-collection.ts'

/** Removes a rule by which events are not stored. */
export const removeThreatSuppression: Handler<'removeThreatSuppression'> = async (input, { app, caller }) => {
  requireUnrestricted(caller)
  if (!(await removeSuppression(app.store.pool, input.id))) throw new Failure('SUPPRESSION_NOT_FOUND', {})
  return {}
}
