import { findIssue } from '../../../issues/index.ts'
import { Failure, nowSeconds } from '../../../kit/index.ts'
import { createRun, findRun, writeRulesOfIssues } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readIssueId } from '../issues/wire-issue.ts'
import { liveFieldsOf } from './live-fields.ts'
import { wireRun } from './wire-run.ts'

/** Starts a run on exactly the tests and endpoints of issues. */
export const retestIssues: Handler<'retestIssues'> = async (input, call) => {
  const { app, caller } = call
  const found = []
  for (const sent of input.issueIdArray)
    found.push(await findIssue(app.store, readIssueId(sent), caller.collectionIds))
  // A finding of another scanner has no test that could be repeated.
  const issues = found.filter((issue) => issue !== undefined).filter(({ source }) => source !== 'IMPORT')
  if (issues.length === 0) throw new Failure('ISSUE_NOT_FOUND', {})
  const pairs = issues.map(({ testId, collectionId, method, url }) => ({ testId, collectionId, method, url }))
  const endpoints = new Map(
    pairs.map((pair) => [
      `${pair.collectionId} ${pair.method} ${pair.url}`,
      { method: pair.method, apiCollectionId: pair.collectionId, url: pair.url },
    ]),
  )
  const { runId, summaryId } = await createRun(app.store, {
    name: `Retest of ${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}`,
    userLogin: caller.login,
    triggeredBy: null,
    source: 'TESTING_UI',
    scheduledAt: nowSeconds(),
    periodSeconds: 0,
    timeZone: '',
    runSeconds: -1,
    maxConcurrent: -1,
    targetType: 'CUSTOM',
    targetEndpoints: [...endpoints.values()],
    collectionIds: [...new Set(pairs.map((pair) => pair.collectionId))],
    slackChannelId: 0,
    sendsSlack: false,
    sendsTeams: false,
    keepsIssuesOpen: false,
    allowedExecutors: null,
    metadata: null,
    override: { pairs },
    configuration: {
      testIds: [...new Set(pairs.map((pair) => pair.testId))],
      suiteIds: [],
      roleId: null,
      overrideUrl: null,
      ...(await writeRulesOfIssues(
        app.store,
        issues.map(({ id }) => id),
      )),
      requestChanges: null,
      ticketing: null,
    },
  })
  app.testRuns.wake()
  const run = await findRun(app.store, runId, caller.collectionIds)
  return {
    ...(await liveFieldsOf(call)),
    testingRunHexId: runId,
    testingRunResultSummaryHexId: summaryId,
    testingRuns: run === undefined ? [] : [wireRun(run)],
  }
}
