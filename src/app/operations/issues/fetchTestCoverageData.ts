import { coverageOver } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'

/** How coverage by tests and risk developed. */
export const fetchTestCoverageData: Handler<'fetchTestCoverageData'> = async (input, { app, caller }) => {
  for (const id of input.filterCollectionsId ?? []) requireGranted(caller, id)
  const rows = await coverageOver(app.store, {
    from: input.startTimeStamp,
    to: input.endTimeStamp,
    collectionIds: input.filterCollectionsId?.length ? input.filterCollectionsId : null,
    visible: caller.collectionIds,
  })
  return {
    historicalData: rows.map((row) => ({
      apiCollectionId: row.collectionId,
      totalApis: row.endpointsCount,
      riskScore: row.riskScore,
      apisTested: row.testedCount,
      time: row.time,
    })),
  }
}
