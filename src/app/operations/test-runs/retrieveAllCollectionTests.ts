import { latestExecutions, listRuns, type RunSort } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { liveFieldsOf } from './live-fields.ts'
import { readRunFilters } from './result-filters.ts'
import { shownMechanism } from './wire-role.ts'
import { wireRun, wireSummary } from './wire-run.ts'

/** A shorter search finds too much to be meant. */
const MIN_SEARCH = 3

const SORTS: Readonly<Record<string, RunSort>> = {
  scheduleTimestamp: 'scheduledAt',
  endTimestamp: 'endedAt',
  pickedUpTimestamp: 'pickedUpAt',
  name: 'name',
  state: 'state',
}

/** One page of the runs with the latest execution of each. */
export const retrieveAllCollectionTests: Handler<'retrieveAllCollectionTests'> = async (input, call) => {
  const { app, caller } = call
  const type = input.testingRunType || null
  const isByEnd = type === 'CI_CD' && input.sortKey === 'scheduleTimestamp'
  const { runs, total } = await listRuns(
    app.store,
    {
      ...readRunFilters(input.filters),
      visible: caller.collectionIds,
      from: input.startTimestamp,
      to: input.endTimestamp,
      type,
      search: input.searchString.length < MIN_SEARCH ? '' : input.searchString,
    },
    {
      sort: isByEnd ? 'endedAt' : SORTS[input.sortKey]!,
      isAscending: input.sortOrder === 1,
      skip: Math.abs(input.skip),
      limit: input.limit,
    },
  )
  const latest = await latestExecutions(
    app.store,
    runs.map((run) => run.id),
  )
  return {
    ...(await liveFieldsOf(call, input)),
    testingRuns: runs.map(wireRun),
    testingRunsCount: total,
    latestTestingRunResultSummaries: Object.fromEntries(latest.map((one) => [one.id, wireSummary(one)])),
    authMechanism: await shownMechanism(app, caller),
  }
}
