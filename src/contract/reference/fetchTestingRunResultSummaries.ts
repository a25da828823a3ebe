import { adapter } from './adapter.ts'

/** The executions and their run; nothing else of the wide object. */
export const fetchTestingRunResultSummaries = adapter('fetchTestingRunResultSummaries', {
  answer: ({ testingRunResultSummaries, testingRun, testingRunType, workflowTest }) => ({
    testingRunResultSummaries,
    testingRun,
    testingRunType,
    workflowTest,
  }),
})
