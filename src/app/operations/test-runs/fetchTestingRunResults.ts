import { resultErrors, resultModes } from '../../../contract/index.ts'
import { Failure } from '../../../kit/index.ts'
import { listResults, type ResultMode, type ResultSort } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'
import { liveFieldsOf } from './live-fields.ts'
import { readResultFilters } from './result-filters.ts'
import { wireLightResult } from './wire-result.ts'

const MODES: ReadonlySet<string> = new Set(resultModes)

/** One page of the results of an execution. */
export const fetchTestingRunResults: Handler<'fetchTestingRunResults'> = async (input, call) => {
  const { app, caller } = call
  const summaryId = readHexId(input.testingRunResultSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  const mode = readMode(input.queryMode, input.fetchOnlyVulnerable)
  const search = input.queryValue
  const results = await listResults(
    app.store,
    {
      ...readResultFilters(input.reportFilterList),
      summaryId,
      mode,
      visible: caller.collectionIds,
      search,
      searchTestIds: search === '' ? [] : await app.catalogue.idsBySearch(search),
    },
    {
      sort: readSort(input.sortKey),
      isAscending: input.sortOrder === 1,
      skip: Math.max(input.skip, 0),
      limit: input.limit,
    },
  )
  const withIssues = mode === 'VULNERABLE' || mode === 'IGNORED_ISSUES' ? results : []
  return {
    ...(await liveFieldsOf(call)),
    testingRunResults: results.map(wireLightResult),
    errorEnums: mode.startsWith('SKIPPED')
      ? Object.fromEntries(Object.entries(resultErrors).map(([name, { text }]) => [name, text]))
      : {},
    issuesDescriptionMap: Object.fromEntries(
      withIssues.flatMap((one) => (one.issueDescription === null ? [] : [[one.id, one.issueDescription]])),
    ),
    jiraIssuesMapForResults: Object.fromEntries(
      withIssues.flatMap((one) => (one.ticketUrl === null ? [] : [[one.id, one.ticketUrl]])),
    ),
  }
}

function readMode(sent: string | null, onlyVulnerable: boolean): ResultMode {
  if (sent === null) return onlyVulnerable ? 'VULNERABLE' : 'ALL'
  if (!MODES.has(sent)) throw new Failure('INVALID_QUERY_MODE', {})
  return sent === 'SKIPPED_EXEC_NO_ACTION' ? 'SKIPPED_EXEC' : (sent as ResultMode)
}

function readSort(key: string | null): ResultSort {
  return key === 'severity' || key === 'time' ? key : 'newest'
}
