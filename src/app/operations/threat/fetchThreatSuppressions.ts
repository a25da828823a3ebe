import { suppressionLimits } from '../../../contract/index.ts'
import { listSuppressions } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { wireSuppression } from './wire-suppression.ts'

/** The rules by which events are not stored. */
export const fetchThreatSuppressions: Handler<'fetchThreatSuppressions'> = async (
  _input,
  { app, caller },
) => {
  const all = await listSuppressions(app.store.pool, suppressionLimits.listed)
  const granted = caller.collectionIds
  // A URL tells of its collection, which a rule made of an event does not name.
  const seen = granted === null ? all : all.filter(({ collectionId }) => granted.includes(collectionId ?? 0))
  return { suppressions: seen.map(wireSuppression) }
}
