import { countBySeverity, readWindow } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { readStatus } from './read-selection.ts'

/** Numbers of malicious events by severity. */
export const fetchCountBySeverity: Handler<'fetchCountBySeverity'> = async (input, { app, caller }) => {
  const counts = await countBySeverity(app.store.pool, {
    visible: caller.collectionIds,
    window: readWindow(input.startTs, input.endTs),
    filterIds: input.latestAttack,
    statuses: readStatus(input.severityStatusFilter),
  })
  return {
    categoryCounts: counts
      .filter(({ severity }) => severity !== '')
      .map(({ severity, count }) => ({ category: '', subCategory: severity, count })),
  }
}
