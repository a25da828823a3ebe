import { findResults, listResults } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'
import { liveFieldsOf } from './live-fields.ts'
import { readResultFilters } from './result-filters.ts'
import { wireFullResult } from './wire-result.ts'

const PAGE = 50
const SORT = { sort: 'severity', isAscending: false, limit: PAGE } as const

/** One page of the findings of an execution with their evidence. */
export const fetchVulnerableTestRunResults: Handler<'fetchVulnerableTestRunResults'> = async (
  input,
  call,
) => {
  const { app, caller } = call
  const summaryId = readHexId(input.testingRunResultSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  const filters = readResultFilters(input.reportFilterList)
  const visible = caller.collectionIds
  const found = await listResults(
    app.store,
    { ...filters, summaryId, mode: 'VULNERABLE', visible },
    { ...SORT, skip: Math.max(input.skip, 0) },
  )
  const details = new Map(
    (
      await findResults(
        app.store,
        found.map((one) => one.id),
      )
    ).map((one) => [one.id, one]),
  )
  return {
    ...(await liveFieldsOf(call)),
    testingRunResults: found.flatMap((one) => {
      const detail = details.get(one.id)
      return detail ? [wireFullResult(detail, 'vulnerable')] : []
    }),
  }
}
