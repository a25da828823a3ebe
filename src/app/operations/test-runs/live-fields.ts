import type { CurrentTestsStatus } from '../../../contract/index.ts'
import { openByTest } from '../../../issues/index.ts'
import { nowSeconds, renderObjectId } from '../../../kit/index.ts'
import { activeRuns, runMarks } from '../../../testing/index.ts'
import type { Call } from '../../handler.ts'

/** Executions that began earlier are not counted as running. */
const ACTIVE_SECONDS = 12 * 3600
/** Identifiers of CI runs that an answer holds. */
const MAX_CI_RUNS = 1000

/** What the test engine does at this moment, as far as the caller may see. */
export async function currentStatus({ app, caller }: Call): Promise<CurrentTestsStatus> {
  const { queued, running } = await activeRuns(app.store, caller.collectionIds, nowSeconds() - ACTIVE_SECONDS)
  return {
    totalTestsCompleted: running.reduce((sum, run) => sum + run.stored, 0),
    testRunsScheduled: running.reduce((sum, run) => sum + run.planned, 0),
    testRunsQueued: queued,
    currentRunningTestsStatus: running.map((run) => ({
      testingRunId: run.runId,
      testsInitiated: run.planned,
      testsInsertedInDb: run.stored,
    })),
  }
}

/** The fields that are current in every answer about test runs; issues are counted by last finding in the window. */
export async function liveFieldsOf(
  call: Call,
  window: { startTimestamp?: number; endTimestamp?: number } = {},
): Promise<{
  currentTestsStatus: CurrentTestsStatus
  issuesSummaryInfoMap: Record<string, number>
  cicdTests: { date: string; timestamp: number }[]
  testRunsByUser: boolean
}> {
  const { app, caller } = call
  const visible = caller.collectionIds
  const open = await openByTest(app.store, visible, window.startTimestamp ?? 0, window.endTimestamp ?? 0)
  const marks = await runMarks(app.store, visible, MAX_CI_RUNS)
  return {
    currentTestsStatus: await currentStatus(call),
    issuesSummaryInfoMap: Object.fromEntries(open),
    cicdTests: marks.ciIds.map(renderObjectId),
    testRunsByUser: marks.isAny,
  }
}
