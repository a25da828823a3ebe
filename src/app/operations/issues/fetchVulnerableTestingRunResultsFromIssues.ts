import { listIssues } from '../../../issues/index.ts'
import { findResults } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { wireFullResult } from '../test-runs/wire-result.ts'
import { readFilter } from './issue-selection.ts'
import { readIssueId, wireIssue } from './wire-issue.ts'

const PAGE = 50

/** One page of issues with the newest evidence of each. */
export const fetchVulnerableTestingRunResultsFromIssues: Handler<
  'fetchVulnerableTestingRunResultsFromIssues'
> = async (input, call) => {
  const { store } = call.app
  const asked = await readFilter(call, input)
  const filter = input.issuesIds?.length
    ? { visible: call.caller.collectionIds, keys: input.issuesIds.map(readIssueId) }
    : {
        ...asked,
        statuses: input.filterStatus,
        createdFrom: input.startEpoch,
        createdBefore: input.endTimeStamp,
        activeOnly: input.activeCollections,
      }
  const issues = await listIssues(store, filter, {
    sort: 'severity',
    isAscending: false,
    skip: input.issuesIds?.length ? 0 : input.skip,
    limit: input.issuesIds?.length ? input.issuesIds.length : PAGE,
  })
  const ids = issues.flatMap(({ resultId }) => (resultId === null ? [] : [resultId]))
  const results = new Map((await findResults(store, ids)).map((result) => [result.id, result]))
  const found = issues.flatMap(({ resultId }) => results.get(resultId ?? '') ?? [])
  return {
    testingRunResults: found.map((result) => wireFullResult(result, 'vulnerable')),
    removedRunResultsIssuesList: issues
      .filter(({ resultId }) => !results.has(resultId ?? ''))
      .map((issue) => wireIssue(issue, call.caller)),
  }
}
