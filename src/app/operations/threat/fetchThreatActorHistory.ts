import { statusHistory } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/**
 * Changes of the status of actors that the caller has events of. Anyone who gives a reason may see all collections and may
 * speak of any, so callers restricted to some collections see none.
 */
export const fetchThreatActorHistory: Handler<'fetchThreatActorHistory'> = async (input, { app, caller }) => {
  const records = await statusHistory(app.store.pool, input.actor || null, input.limit, caller.collectionIds)
  const isTold = caller.collectionIds === null
  return {
    statusChanges: records.map(({ until, reason, ...record }) => ({
      ...record,
      reason: isTold ? reason : '',
      expiresAt: until,
    })),
  }
}
