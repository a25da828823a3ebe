import { adapter } from './adapter.ts'

/** What belongs to results and executions; nothing else of the wide object. */
export const resultAnswers = {
  fetchTestingRunResults: adapter('fetchTestingRunResults', {
    answer: ({ testingRunResults, errorEnums, issuesDescriptionMap, jiraIssuesMapForResults }) => ({
      testingRunResults,
      errorEnums,
      issuesDescriptionMap,
      jiraIssuesMapForResults,
    }),
  }),
  fetchTestingRunResultSummaries: adapter('fetchTestingRunResultSummaries', {
    answer: ({ testingRunResultSummaries, testingRun, testingRunType, workflowTest }) => ({
      testingRunResultSummaries,
      testingRun,
      testingRunType,
      workflowTest,
    }),
  }),
}
