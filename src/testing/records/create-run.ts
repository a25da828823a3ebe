import { newHexId, nowSeconds, storableContext } from '../../kit/index.ts'
import {
  type ConfigOverride,
  type EndpointKeyRow,
  lockTransaction,
  type RunTarget,
  type Store,
  type StoreClient,
  usingTransaction,
} from '../../store/index.ts'
import type { RunConfiguration } from './run-view.ts'

/** A run to be made. */
export interface NewRun {
  readonly name: string
  readonly userLogin: string
  /** `test_editor` hides it from lists. */
  readonly triggeredBy: string | null
  readonly source: string
  /** When it is to begin, epoch seconds. */
  readonly scheduledAt: number
  /** 0 once, above 0 recurring, -1 continuous. */
  readonly periodSeconds: number
  /** IANA name of the zone in which it keeps its time of day; empty: repeats after `periodSeconds`. */
  readonly timeZone: string
  /** Time budget; 0 or less for the default. */
  readonly runSeconds: number
  /** Parallel requests; 0 or less for the default. */
  readonly maxConcurrent: number
  readonly targetType: RunTarget
  /** Of CUSTOM. */
  readonly targetEndpoints: readonly EndpointKeyRow[] | null
  /** Collections and groups aimed at; of CUSTOM, those that own the endpoints. */
  readonly collectionIds: readonly number[]
  readonly slackChannelId: number
  readonly sendsSlack: boolean
  readonly sendsTeams: boolean
  /** Passing tests leave open issues open. */
  readonly keepsIssuesOpen: boolean
  readonly allowedExecutors: readonly string[] | null
  /** Facts of a CI job. */
  readonly metadata: Readonly<Record<string, string>> | null
  readonly configuration: Omit<RunConfiguration, 'id'>
  /** Laid over the configuration for the first execution. */
  readonly override?: ConfigOverride
}

/** Makes a run with its configuration and its first execution, all SCHEDULED; @returns their identifiers. */
export async function createRun(
  store: Store,
  run: NewRun,
): Promise<{ runId: string; summaryId: string; configId: number }> {
  return usingTransaction(store.pool, async (client) => {
    const configId = await insertConfiguration(client, run.configuration)
    const runId = newHexId()
    await client.query(
      `INSERT INTO test_runs (id, name, state, user_login, triggered_by, source, scheduled_at, period_seconds,
         run_seconds, max_concurrent, config_id, target_type, target_endpoints, collection_ids, is_ci,
         slack_channel_id, sends_slack, sends_teams, keeps_issues_open, allowed_executors, created_at, time_zone,
         schedule_anchor)
       VALUES ($1, $2, 'SCHEDULED', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
         $21, $6)`,
      [
        runId,
        run.name,
        run.userLogin,
        run.triggeredBy,
        run.source,
        run.scheduledAt,
        run.periodSeconds,
        run.runSeconds,
        run.maxConcurrent,
        configId,
        run.targetType,
        run.targetEndpoints === null ? null : JSON.stringify(run.targetEndpoints),
        run.collectionIds,
        isCi(run.metadata),
        run.slackChannelId,
        run.sendsSlack,
        run.sendsTeams,
        run.keepsIssuesOpen,
        run.allowedExecutors,
        nowSeconds(),
        run.timeZone,
      ],
    )
    const summaryId = await insertExecution(client, {
      runId,
      configId,
      startedAt: run.scheduledAt,
      metadata: run.metadata,
      override: run.override ?? null,
    })
    return { runId, summaryId, configId }
  })
}

async function insertConfiguration(
  client: StoreClient,
  configuration: Omit<RunConfiguration, 'id'>,
): Promise<number> {
  await lockTransaction(client, 'runConfigurations')
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO run_configurations (id, test_ids, suite_ids, role_id, override_url, cleans_up, write_level,
       request_changes, ticketing)
     SELECT greatest($1, coalesce(max(id), 0) + 1), $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb FROM run_configurations
     RETURNING id`,
    [
      nowSeconds(),
      configuration.testIds,
      configuration.suiteIds,
      configuration.roleId,
      configuration.overrideUrl,
      configuration.cleansUp,
      configuration.writeLevel,
      configuration.requestChanges === null ? null : JSON.stringify(configuration.requestChanges),
      configuration.ticketing === null ? null : JSON.stringify(configuration.ticketing),
    ],
  )
  return rows[0]!.id
}

/** Whether facts of an execution make its run one of CI. */
export function isCi(metadata: Readonly<Record<string, string>> | null): boolean {
  return metadata !== null && !Object.hasOwn(metadata, 'error')
}

/** An execution to be made. */
interface NewExecution {
  readonly runId: string
  readonly configId: number
  /** When it is to begin. */
  readonly startedAt: number
  readonly metadata?: Readonly<Record<string, string>> | null
  /** The execution whose marked results it repeats. */
  readonly originalId?: string | null
  /** Laid over the configuration for this execution only. */
  readonly override?: ConfigOverride | null
}

/** Adds a SCHEDULED execution in the caller's transaction; @returns its identifier. */
export async function insertExecution(client: StoreClient, execution: NewExecution): Promise<string> {
  const id = newHexId()
  await client.query(
    `INSERT INTO run_summaries (id, run_id, original_id, state, config_id, config_override, started_at, metadata,
       created_at, request_context)
     VALUES ($1, $2, $3, 'SCHEDULED', $4, $5::jsonb, $6, $7::jsonb, $8, $9::jsonb)`,
    [
      id,
      execution.runId,
      execution.originalId ?? null,
      execution.configId,
      execution.override ? JSON.stringify(execution.override) : null,
      execution.startedAt,
      execution.metadata ? JSON.stringify(execution.metadata) : null,
      nowSeconds(),
      storableContext(),
    ],
  )
  return id
}
