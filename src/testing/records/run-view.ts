import type {
  ConfigOverride,
  EndpointKeyRow,
  RequestChangeRow,
  ResultSeverity,
  RunState,
  RunTarget,
  TicketingRow,
} from '../../store/index.ts'
import type { WriteLevel } from '../writes/index.ts'

/** How a run was created and repeats. */
export type RunType = 'ONE_TIME' | 'RECURRING' | 'CI_CD' | 'CONTINUOUS_TESTING'

/** What a run executes. */
export interface RunConfiguration {
  id: number
  testIds: string[]
  /** Their tests replace the list at run time. */
  suiteIds: string[]
  /** Identifier or name of the role under test. */
  roleId: string | null
  overrideUrl: string | null
  cleansUp: boolean
  writeLevel: WriteLevel
  requestChanges: RequestChangeRow[] | null
  ticketing: TicketingRow | null
}

/** A test run with its configuration. */
export interface RunView {
  id: string
  name: string
  state: RunState
  type: RunType
  userLogin: string
  triggeredBy: string | null
  source: string
  scheduledAt: number
  /** -1 before the first execution. */
  pickedUpAt: number
  /** -1 before the first end. */
  endedAt: number
  /** 0 once, above 0 recurring, -1 continuous. */
  periodSeconds: number
  /** Zone in which a repeating run keeps its time of day; empty for none. */
  timeZone: string
  /** Time budget; 0 or less for the default. */
  runSeconds: number
  /** Parallel requests; 0 or less for the default. */
  maxConcurrent: number
  targetType: RunTarget
  /** Of CUSTOM. */
  targetEndpoints: EndpointKeyRow[] | null
  /** Collections and groups aimed at; of CUSTOM, those that own the endpoints. */
  collectionIds: number[]
  slackChannelId: number
  sendsSlack: boolean
  sendsTeams: boolean
  keepsIssuesOpen: boolean
  allowedExecutors: string[] | null
  executor: string | null
  /** Endpoints seen until then were covered by an earlier pass of a continuous run. */
  coveredUntil: number
  configuration: RunConfiguration
}

/** One execution of a run. */
export interface ExecutionView {
  id: string
  runId: string
  originalId: string | null
  state: RunState
  configId: number
  override: ConfigOverride | null
  resultsCount: number
  endpointsCount: number
  testsCount: number
  critical: number
  high: number
  medium: number
  low: number
  /** Different causes of its findings by their worst severity; severities without one are absent. */
  causes: Partial<Record<ResultSeverity, number>>
  /** When it began or is to begin. */
  startedAt: number
  /** 0 before its end. */
  endedAt: number
  metadata: Record<string, string> | null
}

/** The type of runs `r`. */
export const RUN_TYPE = `CASE WHEN r.is_ci THEN 'CI_CD' WHEN r.period_seconds < 0 THEN 'CONTINUOUS_TESTING'
  WHEN r.period_seconds > 0 THEN 'RECURRING' ELSE 'ONE_TIME' END`

/** Columns of {@link RunView} for `FROM test_runs r JOIN run_configurations k ON k.id = r.config_id`. */
export const RUN_COLUMNS = `r.id, r.name, r.state, ${RUN_TYPE} AS type, r.user_login AS "userLogin",
  r.triggered_by AS "triggeredBy", r.source, r.scheduled_at AS "scheduledAt", r.picked_up_at AS "pickedUpAt",
  r.ended_at AS "endedAt", r.period_seconds AS "periodSeconds", r.time_zone AS "timeZone", r.run_seconds AS "runSeconds",
  r.max_concurrent AS "maxConcurrent", r.target_type AS "targetType", r.target_endpoints AS "targetEndpoints",
  r.collection_ids AS "collectionIds", r.slack_channel_id AS "slackChannelId", r.sends_slack AS "sendsSlack",
  r.sends_teams AS "sendsTeams", r.keeps_issues_open AS "keepsIssuesOpen",
  r.allowed_executors AS "allowedExecutors", r.executor, r.covered_until AS "coveredUntil",
  jsonb_build_object('id', k.id, 'testIds', to_jsonb(k.test_ids), 'suiteIds', to_jsonb(k.suite_ids),
    'roleId', k.role_id, 'overrideUrl', k.override_url, 'cleansUp', k.cleans_up,
    'writeLevel', k.write_level,
    'requestChanges', k.request_changes, 'ticketing', k.ticketing) AS configuration`

/** Columns of {@link ExecutionView} for `FROM run_summaries s`. */
export const EXECUTION_COLUMNS = `s.id, s.run_id AS "runId", s.original_id AS "originalId", s.state,
  s.config_id AS "configId", s.config_override AS override, s.results_count AS "resultsCount",
  s.endpoints_count AS "endpointsCount", s.tests_count AS "testsCount", s.critical_count AS critical,
  s.high_count AS high, s.medium_count AS medium, s.low_count AS low,
  (SELECT coalesce(jsonb_object_agg((array['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[w.rank + 1], w.causes), '{}')
   FROM (SELECT c.rank, count(*) AS causes
         FROM (SELECT max(r.severity_rank) AS rank FROM run_results r
               WHERE r.summary_id = s.id AND r.selection = 'VULNERABLE' GROUP BY coalesce(r.cause_key, r.id)) c
         GROUP BY c.rank) w) AS causes, s.started_at AS "startedAt",
  s.ended_at AS "endedAt", s.metadata`
