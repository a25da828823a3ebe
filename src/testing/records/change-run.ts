import { type Store, usingTransaction } from '../../store/index.ts'
import type { RunConfiguration } from './run-view.ts'

/** What is to change of a run; what is absent stays. */
export interface RunChange {
  readonly configuration: Partial<Omit<RunConfiguration, 'id'>>
  readonly runSeconds?: number
  readonly maxConcurrent?: number
  readonly sendsSlack?: boolean
  readonly sendsTeams?: boolean
  readonly slackChannelId?: number
  readonly keepsIssuesOpen?: boolean
  readonly scheduledAt?: number
  readonly periodSeconds?: number
  readonly timeZone?: string
}

/**
 * Changes what a run executes and how. Executions that have begun go on as they were; one that waits takes the change.
 */
export async function changeRun(store: Store, runId: string, change: RunChange): Promise<void> {
  const { configuration } = change
  const isGiven = (key: keyof RunConfiguration): boolean => Object.hasOwn(configuration, key)
  await usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<{ config_id: number }>(
      `UPDATE test_runs SET run_seconds = coalesce($2, run_seconds), max_concurrent = coalesce($3, max_concurrent),
         sends_slack = coalesce($4, sends_slack), sends_teams = coalesce($5, sends_teams),
         slack_channel_id = coalesce($6, slack_channel_id), keeps_issues_open = coalesce($7, keeps_issues_open),
         scheduled_at = coalesce($8, scheduled_at), period_seconds = coalesce($9, period_seconds),
         time_zone = coalesce($10, time_zone),
         schedule_anchor = coalesce($8, nullif(schedule_anchor, 0), scheduled_at),
         state = CASE WHEN $8::integer IS NOT NULL AND state <> 'RUNNING' THEN 'SCHEDULED' ELSE state END
       WHERE id = $1 RETURNING config_id`,
      [
        runId,
        change.runSeconds ?? null,
        change.maxConcurrent ?? null,
        change.sendsSlack ?? null,
        change.sendsTeams ?? null,
        change.slackChannelId ?? null,
        change.keepsIssuesOpen ?? null,
        change.scheduledAt ?? null,
        change.periodSeconds ?? null,
        change.timeZone ?? null,
      ],
    )
    if (rows[0] === undefined) return
    if (change.scheduledAt !== undefined)
      await client.query(
        `UPDATE run_summaries SET started_at = $2 WHERE run_id = $1 AND state = 'SCHEDULED' AND original_id IS NULL`,
        [runId, change.scheduledAt],
      )
    await client.query(
      `UPDATE run_configurations SET test_ids = coalesce($2, test_ids), suite_ids = coalesce($3, suite_ids),
         role_id = CASE WHEN $4 THEN $5 ELSE role_id END, override_url = CASE WHEN $6 THEN $7 ELSE override_url END,
         cleans_up = coalesce($8, cleans_up), write_level = coalesce($13, write_level),
         request_changes = CASE WHEN $9 THEN $10::jsonb ELSE request_changes END,
         ticketing = CASE WHEN $11 THEN $12::jsonb ELSE ticketing END WHERE id = $1`,
      [
        rows[0].config_id,
        configuration.testIds ?? null,
        configuration.suiteIds ?? null,
        isGiven('roleId'),
        configuration.roleId ?? null,
        isGiven('overrideUrl'),
        configuration.overrideUrl ?? null,
        configuration.cleansUp ?? null,
        isGiven('requestChanges'),
        configuration.requestChanges ? JSON.stringify(configuration.requestChanges) : null,
        isGiven('ticketing'),
        configuration.ticketing ? JSON.stringify(configuration.ticketing) : null,
        configuration.writeLevel ?? null,
      ],
    )
  })
}

/** The run of a configuration, if every collection it aims at is visible. */
export async function runOfConfiguration(
  store: Store,
  configId: number,
  visible: readonly number[] | null,
): Promise<string | undefined> {
  const { rows } = await store.pool.query<{ id: string }>(
    `SELECT r.id FROM test_runs r WHERE r.config_id = $1 AND ($2::integer[] IS NULL OR r.collection_ids <@ $2)`,
    [configId, visible],
  )
  return rows[0]?.id
}
