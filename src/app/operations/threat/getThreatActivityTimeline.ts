import { countBySubCategoryAndDay, readWindow } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

const DAY_SECONDS = 86_400

/** Numbers of malicious events by day and subcategory. */
export const getThreatActivityTimeline: Handler<'getThreatActivityTimeline'> = async (
  input,
  { app, caller },
) => {
  const counts = await countBySubCategoryAndDay(app.store.pool, {
    visible: caller.collectionIds,
    window: readWindow(input.startTs, input.endTs),
    filterIds: input.latestAttack,
  })
  return {
    threatActivityTimelines: [...Map.groupBy(counts, ({ day }) => day)].map(([day, rows]) => ({
      ts: day * DAY_SECONDS,
      subCategoryWiseData: rows.map(({ subCategory, count }) => ({
        subcategory: subCategory,
        activityCount: count,
      })),
    })),
  }
}
