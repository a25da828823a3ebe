import { announceRun, type RunWishes } from '../../alerts/announce.ts'
import type { RunFinished } from '../../alerts/index.ts'
import type { Store, StoreClient } from '../../store/index.ts'
import { type ExecutionEnd, endExecution, stopAllRuns, stopRun } from '../../testing/index.ts'

interface EndedRow extends RunWishes {
  runId: string
  runName: string
  triggeredBy: string | null
  state: RunFinished['state']
  startedAt: number
  endedAt: number
  endpoints: number
  tests: number
  results: number
  critical: number
  high: number
  medium: number
  low: number
  error: string | null
}

/** Ends an execution as {@link endExecution} does, and writes the alerts about it in the same transaction. */
export function endRun(store: Store, summaryId: string, end: ExecutionEnd, now?: number): Promise<boolean> {
  return endExecution(store, summaryId, { ...end, follow: announceEnd }, now)
}

/** Stops a run as {@link stopRun} does, and tells of its execution that was running, in the same transaction. */
export function stopAndTell(store: Store, runId: string): Promise<boolean> {
  return stopRun(store, runId, announceEnd)
}

/** Stops every visible run as {@link stopAllRuns} does, and tells of the executions that were running. */
export function stopAllAndTell(store: Store, visible: readonly number[] | null): Promise<string[]> {
  return stopAllRuns(store, visible, announceEnd)
}

/** Runs of the test editor are not news. */
async function announceEnd(client: StoreClient, summaryId: string): Promise<void> {
  const { rows } = await client.query<EndedRow>(
    `SELECT r.id AS "runId", r.name AS "runName", r.triggered_by AS "triggeredBy", s.state,
       s.started_at AS "startedAt", s.ended_at AS "endedAt", s.endpoints_count AS endpoints, s.tests_count AS tests,
       s.results_count AS results, s.critical_count AS critical, s.high_count AS high, s.medium_count AS medium,
       s.low_count AS low, s.metadata ->> 'error' AS error, r.sends_slack AS "sendsSlack",
       r.slack_channel_id AS "slackChannelId", r.sends_teams AS "sendsTeams", r.collection_ids AS "collectionIds"
     FROM run_summaries s JOIN test_runs r ON r.id = s.run_id WHERE s.id = $1`,
    [summaryId],
  )
  const [row] = rows
  if (row === undefined || row.triggeredBy === 'test_editor') return
  const { runId, runName, state, startedAt, endedAt, endpoints, tests, results, error } = row
  await announceRun(
    client,
    {
      event: 'RUN_FINISHED',
      runId,
      summaryId,
      runName,
      state,
      startedAt,
      endedAt,
      endpoints,
      tests,
      results,
      counts: { CRITICAL: row.critical, HIGH: row.high, MEDIUM: row.medium, LOW: row.low },
      error,
    },
    row,
  )
}
