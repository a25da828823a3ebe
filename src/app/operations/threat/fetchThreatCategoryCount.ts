import { countByCategory, listFilters, readWindow } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { readStatus } from './read-selection.ts'
import { infoOf } from './wire-filter.ts'

/** Numbers of malicious events by category and subcategory. */
export const fetchThreatCategoryCount: Handler<'fetchThreatCategoryCount'> = async (
  input,
  { app, caller },
) => {
  const counts = await countByCategory(app.store.pool, {
    visible: caller.collectionIds,
    window: readWindow(input.startTs, input.endTs),
    filterIds: input.latestAttack,
    statuses: readStatus(input.severityStatusFilter),
  })
  const shown = new Map<string, string>()
  for (const { content } of await listFilters(app.store.pool)) {
    const category = infoOf(content)?.category
    if (category !== undefined && !shown.has(category.name)) shown.set(category.name, category.displayName)
  }
  const categoryCounts = counts.map(({ category, subCategory, count }) => ({
    category: shown.get(category) ?? category,
    subCategory,
    count,
  }))
  return { categoryCounts }
}
