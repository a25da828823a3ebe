import { adapter } from './adapter.ts'

/** The execution in a list as well, where the run-scan action reads state and countIssues. */
export const fetchTestingRunResultSummary = adapter('fetchTestingRunResultSummary', {
  answer: (summary) => ({ ...summary, testingRunResultSummaries: [summary] }),
})
