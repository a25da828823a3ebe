import { adapter } from './adapter.ts'

/** The latest executions under the id of their run. */
export const retrieveAllCollectionTests = adapter('retrieveAllCollectionTests', {
  answer: (body) => ({
    ...body,
    latestTestingRunResultSummaries: Object.fromEntries(
      Object.values(body.latestTestingRunResultSummaries ?? {}).map((summary) => [
        summary.testingRunHexId ?? summary.hexId,
        summary,
      ]),
    ),
  }),
})
