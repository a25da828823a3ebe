import { runConcurrency, runSeconds } from '../../../contract/index.ts'
import { Failure, nowSeconds } from '../../../kit/index.ts'
import {
  createRun,
  findRun,
  latestExecutions,
  listRuns,
  repeatResults,
  repeatRun,
} from '../../../testing/index.ts'
import type { Call, Handler } from '../../handler.ts'
import { readHexId } from './hex-id.ts'
import { liveFieldsOf } from './live-fields.ts'
import { requireOwnRun } from './own-run.ts'
import { readRequestChanges } from './read-request-changes.ts'
import { readTarget, readTests } from './read-target.ts'
import { readTicketing } from './read-ticketing.ts'
import { periodOf, readOverride, readRole, readTimeZone } from './run-limits.ts'
import { wireRun, wireSummary } from './wire-run.ts'

type Input = Parameters<Handler<'startTest'>>[0]

const DAY_SECONDS = 86_400

/** Starts or schedules a run, or runs one again. */
export const startTest: Handler<'startTest'> = async (input, call) => {
  const repeated = input.testingRunHexId
  const { runId, summaryId } =
    repeated === undefined || repeated === null || repeated === ''
      ? await startNew(input, call)
      : await startAgain(input, repeated, call)
  call.app.testRuns.wake()
  const run = await findRun(call.app.store, runId, call.caller.collectionIds)
  const latest = await latestExecutions(call.app.store, [runId])
  const { total } = await listRuns(
    call.app.store,
    { visible: call.caller.collectionIds, from: 0, to: 0, type: null, search: '' },
    { sort: 'scheduledAt', isAscending: false, skip: 0, limit: 1 },
  )
  return {
    ...(await liveFieldsOf(call)),
    testingRunHexId: runId,
    testingRunResultSummaryHexId: summaryId,
    testingRuns: run === undefined ? [] : [wireRun(run)],
    testingRunsCount: Math.min(total, 1),
    latestTestingRunResultSummaries: Object.fromEntries(latest.map((one) => [one.id, wireSummary(one)])),
    authMechanism: null,
    startTimestamp: 0,
  }
}

async function startNew(input: Input, call: Call): Promise<{ runId: string; summaryId: string }> {
  const { app, caller } = call
  const target = await readTarget(input, call)
  const testIds = await readTests(input, input.source === 'TESTING_UI', call)
  const suiteIds = (input.testSuiteIds ?? []).map(String)
  if (testIds.length === 0 && suiteIds.length === 0) throw new Failure('NO_TEST_SELECTED', {})
  if (input.testRunTime > runSeconds.most) throw new Failure('RUN_TIME_TOO_LONG', {})
  const now = nowSeconds()
  if (input.startTimestamp > 0 && input.startTimestamp < now - DAY_SECONDS)
    throw new Failure('PAST_SCHEDULE', {})
  return createRun(app.store, {
    name: input.testName,
    userLogin: caller.login,
    triggeredBy: input.triggeredBy ?? null,
    source: input.source,
    scheduledAt: Math.max(input.startTimestamp, now),
    periodSeconds: periodOf(input),
    timeZone: readTimeZone(input.scheduleTimeZone ?? ''),
    runSeconds: input.testRunTime,
    maxConcurrent: Math.min(input.maxConcurrentRequests, runConcurrency.most),
    ...target,
    slackChannelId: input.selectedSlackWebhook ?? 0,
    sendsSlack: input.sendSlackAlert,
    sendsTeams: input.sendMsTeamsAlert,
    keepsIssuesOpen: input.doNotMarkIssuesAsFixed ?? false,
    allowedExecutors: input.selectedMiniTestingServiceNames ?? null,
    metadata: input.metadata ?? null,
    configuration: {
      testIds,
      suiteIds,
      roleId: await readRole(input.testRoleId, call),
      overrideUrl: readOverride(input.overriddenTestAppUrl),
      cleansUp: input.cleanUpTestingResources,
      // Anyone who leaves everything behind has an application whose data may change.
      writeLevel: input.writeLevel ?? (input.cleanUpTestingResources ? 'REVERSIBLE' : 'ALL'),
      requestChanges: readRequestChanges(input.testConfigsAdvancedSettings),
      ticketing: await readTicketing(input.autoTicketingDetails, call),
    },
  })
}

async function startAgain(
  input: Input,
  given: string,
  { app, caller }: Call,
): Promise<{ runId: string; summaryId: string }> {
  const runId = readHexId(given, 'INVALID_TEST_RUN_ID')
  const run = await findRun(app.store, runId, caller.collectionIds)
  if (run === undefined) throw new Failure('INVALID_TEST_RUN_ID', {})
  const overrideUrl = readOverride(input.overriddenTestAppUrl ?? '')
  const testIds = input.selectedTests ?? []
  const override =
    overrideUrl === null && testIds.length === 0
      ? null
      : {
          ...(overrideUrl === null ? {} : { overrideUrl }),
          ...(testIds.length === 0 ? {} : { testIds: [...testIds] }),
        }
  if (override !== null) requireOwnRun(caller, run)
  const results = input.selectedTestRunResultHexIds ?? []
  if (results.length > 0) {
    const original = readHexId(input.testingRunResultSummaryHexId ?? '', 'INVALID_TEST_SUMMARY_ID')
    const ids = results.map((id) => readHexId(id, 'INVALID_TEST_RESULT_ID'))
    const { summaryId } = await repeatResults(app.store, runId, original, ids, override)
    return { runId, summaryId }
  }
  const scheduledAt = Math.max(input.startTimestamp ?? 0, 0)
  const summaryId = await repeatRun(app.store, runId, {
    scheduledAt,
    override,
    metadata: input.metadata ?? null,
  })
  return { runId, summaryId }
}
