import { statusHistory } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/** Changes of the status of actors. */
export const fetchThreatActorHistory: Handler<'fetchThreatActorHistory'> = async (input, { app }) => {
  const records = await statusHistory(app.store.pool, input.actor || null, input.limit)
  return { statusChanges: records.map(({ until, ...record }) => ({ ...record, expiresAt: until })) }
}
