import type { EndpointKey } from '../../../contract/browser.ts'
import { isUnderWay } from '../../components/testing/run-state.tsx'
import { type VerdictMode, verdictModes } from '../../components/testing/verdict.tsx'
import { pageIn, useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'

/** Results on a page. */
export const resultPageSize = 50
const liveMs = 2_000

/** Names of the filters of results in the address. */
export const resultFilterNames = [
  'q',
  'category',
  'severity',
  'method',
  'collection',
  'url',
  'test',
  'reason',
] as const

/** Part of the page that holds the results, as addresses name it. */
export const resultsAnchor = 'results'

interface ResultsOfCell {
  readonly endpoint: EndpointKey
  /** Family of tests. */
  readonly category: string
  readonly mode: VerdictMode
}

/** The address of the results of one family of tests at one endpoint, of the execution that is shown. */
export function resultsAddress(search: URLSearchParams, { endpoint, category, mode }: ResultsOfCell): string {
  const next = new URLSearchParams(search)
  for (const name of [...resultFilterNames, 'page']) next.delete(name)
  const { apiCollectionId, method, url } = endpoint
  const chosen = { show: mode, category, collection: String(apiCollectionId), method, url }
  for (const [name, value] of Object.entries(chosen)) next.set(name, value)
  return `?${next}#${resultsAnchor}`
}

/** A run with its executions, and the execution that the address chooses (the newest unless it does). */
export function useRun(runId: string) {
  const { one } = useListAddress()
  const query = useRead(
    'fetchTestingRunResultSummaries',
    { testingRunHexId: runId, startTimestamp: 0, endTimestamp: 0 },
    {
      refreshEvery: (answer) =>
        answer?.testingRunResultSummaries?.some(({ state }) => isUnderWay(state)) ? liveMs : 30_000,
    },
  )
  const executions = query.data?.testingRunResultSummaries ?? []
  const chosen = one('execution')
  const execution = executions.find(({ hexId }) => hexId === chosen) ?? executions[0] ?? null
  return { ...query, run: query.data?.testingRun ?? null, executions, execution }
}

/** Numbers of results by selection. `passed` is what remains of all. */
export function useCounts(executionId: string, live: boolean) {
  const query = useRead(
    'fetchTestRunResultsCount',
    { testingRunResultSummaryHexId: executionId },
    { refreshEvery: live ? liveMs : false },
  )
  const { data } = query
  const counts = data && {
    ...data,
    SECURED:
      data.ALL -
      data.VULNERABLE -
      data.SKIPPED_EXEC -
      data.SKIPPED_EXEC_NEED_CONFIG -
      data.SKIPPED_EXEC_API_REQUEST_FAILED,
  }
  return { ...query, counts }
}

/** The page of results that the address names. */
export function useResults(executionId: string, live: boolean) {
  const address = useListAddress()
  const { one, several } = address
  const mode = (verdictModes.find((known) => known.mode === one('show'))?.mode ?? 'VULNERABLE') as VerdictMode
  const page = pageIn(one)
  const sort = one('sort') || '-severity'
  const query = useRead(
    'fetchTestingRunResults',
    {
      testingRunResultSummaryHexId: executionId,
      queryMode: mode,
      sortKey: sort.replace('-', ''),
      sortOrder: sort.startsWith('-') ? -1 : 1,
      limit: resultPageSize + 1,
      skip: page * resultPageSize,
      queryValue: one('q'),
      reportFilterList: {
        categoryFilter: several('category'),
        severityStatus: several('severity'),
        method: several('method'),
        testFilter: several('test'),
        collectionIds: several('collection'),
        apiNameFilter: several('url'),
        reasonFilter: several('reason'),
      },
    },
    { keepLast: true, refreshEvery: live ? liveMs : false },
  )
  const found = query.data?.testingRunResults ?? undefined
  return {
    ...query,
    address,
    mode,
    page,
    rows: found?.slice(0, resultPageSize),
    hasMore: (found?.length ?? 0) > resultPageSize,
    filtered: resultFilterNames.some((name) => one(name) !== ''),
  }
}
