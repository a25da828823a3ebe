import { countActors, countByStatus, readWindow } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

const DAY_SECONDS = 86_400

/** Numbers of actors by day, and of events by status. */
export const getDailyThreatActorsCount: Handler<'getDailyThreatActorsCount'> = async (
  input,
  { app, caller },
) => {
  const db = app.store.pool
  const filter = {
    visible: caller.collectionIds,
    window: readWindow(input.startTs, input.endTs),
    filterIds: input.latestAttack,
  }
  const [{ days, totals }, counts] = await Promise.all([countActors(db, filter), countByStatus(db, filter)])
  const sum = (fits: (row: (typeof counts)[number]) => boolean): number =>
    counts.filter(fits).reduce((total, { count }) => total + count, 0)
  return {
    actorsCounts: days.map(({ day, actors, severe }) => ({
      ts: day * DAY_SECONDS,
      totalActors: actors,
      criticalActors: severe,
    })),
    total: 0,
    totalAnalysed: sum(() => true),
    totalAttacks: sum(({ isExploit }) => isExploit),
    totalCriticalActors: totals.severe,
    totalActiveStatus: sum(({ status }) => status === 'ACTIVE'),
    totalIgnoredStatus: sum(({ status }) => status === 'IGNORED'),
    totalUnderReviewStatus: sum(({ status }) => status === 'UNDER_REVIEW'),
    activeActorsCount: totals.active,
  }
}
