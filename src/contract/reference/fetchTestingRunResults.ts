import { adapter } from './adapter.ts'

/** The results and what belongs to them; nothing else of the wide object. */
export const fetchTestingRunResults = adapter('fetchTestingRunResults', {
  answer: ({ testingRunResults, errorEnums, issuesDescriptionMap, jiraIssuesMapForResults }) => ({
    testingRunResults,
    errorEnums,
    issuesDescriptionMap,
    jiraIssuesMapForResults,
  }),
})
