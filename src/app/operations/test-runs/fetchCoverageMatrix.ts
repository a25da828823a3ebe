import { nowSeconds } from '../../../kit/index.ts'
import { coverageDays, coverageRows } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'
import { wireRow } from './wire-coverage.ts'

/** Which families of tests were run on which endpoints in a period. */
export const fetchCoverageMatrix: Handler<'fetchCoverageMatrix'> = async (input, { app, caller }) => {
  const ids = input.apiCollectionIds ?? []
  for (const id of ids) requireGranted(caller, id)
  const question = {
    collectionIds: ids.length === 0 ? null : ids,
    visible: caller.collectionIds,
    from: input.startTimestamp,
    to: input.endTimestamp > 0 ? input.endTimestamp : nowSeconds() + 1,
  }
  const page = { onlyUntested: input.onlyUntested, skip: Math.max(0, input.skip), limit: input.limit }
  const { rows, total, tested } = await coverageRows(app.store, question, page)
  return {
    categories: [...new Set(rows.flatMap(({ cells }) => cells.map(({ category }) => category)))].sort(),
    rows: rows.map(({ endpoint, cells }) =>
      wireRow({ endpoint, cells: cells.map((cell) => ({ ...cell, planned: 0 })) }),
    ),
    rowsCount: total,
    testedCount: tested,
    days: await coverageDays(app.store, question),
  }
}
