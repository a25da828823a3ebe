import type { RequestBodyOf, TestRun, TestRunSummary } from '../../../contract/browser.ts'
import { isUnderWay } from '../../components/testing/run-state.tsx'
import { pageIn, pageSizeIn, useListAddress } from '../../data/list-address.ts'
import { useRead } from '../../data/use-operation.ts'

type RunQuery = RequestBodyOf<'retrieveAllCollectionTests'>

/** A run with its latest execution. */
export interface RunRow {
  readonly run: TestRun
  /** Null before the first execution. */
  readonly latest: TestRunSummary | null
}

/** Names of the filters in the address. */
export const runFilterNames = ['q', 'state', 'severity', 'collection', 'type', 'since'] as const

/** Rows of an answer: runs joined with their latest executions. */
export function runRows(
  runs: readonly TestRun[],
  latest: Readonly<Record<string, TestRunSummary>>,
): RunRow[] {
  const byRun = new Map(Object.values(latest).map((summary) => [summary.testingRunHexId, summary]))
  return runs.map((run) => ({ run, latest: byRun.get(run.hexId) ?? null }))
}

/** The page of runs that the address names. The server knows no filter by state: then all are asked for. */
export function useRuns() {
  const address = useListAddress()
  const { one, several } = address
  const sort = one('sort') || '-scheduleTimestamp'
  const states = several('state')
  const page = pageIn(one)
  const pageSize = pageSizeIn(one)
  const narrow = states.length > 0
  const filters = { severity: several('severity'), apiCollectionId: several('collection') }
  const request: RunQuery = {
    searchString: one('q'),
    sortKey: sort.replace('-', '') as RunQuery['sortKey'],
    sortOrder: sort.startsWith('-') ? -1 : 1,
    startTimestamp: Number(one('since')) || 0,
    endTimestamp: 0,
    testingRunType: (one('type') || null) as RunQuery['testingRunType'],
    filters,
    limit: narrow ? -1 : pageSize,
    skip: narrow ? 0 : page * pageSize,
  }
  const query = useRead('retrieveAllCollectionTests', request, {
    keepLast: true,
    refreshEvery: (answer) => (answer?.testingRuns?.some(({ state }) => isUnderWay(state)) ? 2_000 : 20_000),
  })
  const { data } = query
  const rows = data && runRows(data.testingRuns ?? [], data.latestTestingRunResultSummaries ?? {})
  const matching = narrow ? rows?.filter(({ run }) => states.includes(run.state)) : rows
  return {
    ...query,
    address,
    page,
    pageSize,
    rows: narrow ? matching?.slice(page * pageSize, (page + 1) * pageSize) : matching,
    total: narrow ? matching?.length : data?.testingRunsCount,
    filtered: runFilterNames.some((name) => one(name) !== ''),
  }
}
