import type { endpointStates } from '../../contract/vocabulary.ts'
import type { RiskFactorRow } from '../../store/index.ts'

/** One endpoint as lists show it. */
export interface EndpointView {
  id: number
  collectionId: number
  collectionName: string
  /** The owning collection and the groups it is in. */
  collectionIds: number[]
  method: string
  url: string
  isTemplate: boolean
  isDocumented: boolean
  apiType: string
  description: string | null
  firstSeen: number
  lastSeen: number
  discoveredAt: number
  changedAt: number
  callCount: number
  responseCodes: number[]
  authCombinations: string[][]
  actualAuthTypes: string[]
  accessTypes: string[]
  sensitiveInRequest: string[]
  sensitiveInResponse: string[]
  sources: Record<string, number>
  attributes: Record<string, unknown>
  severityScore: number
  riskScore: number
  riskFactors: RiskFactorRow[]
  scoredAt: number
  lastTested: number
}

/** One endpoint with what tests and detection know of it. */
export interface EndpointOverviewView extends EndpointView {
  /** By severity. */
  openIssues: Record<'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW', number>
  /** Malicious requests of the last seven days. */
  recentAttacks: number
  /** Milliseconds, of the day up to the latest call with a known duration; -1 when none is known. */
  latencyP50: number
  latencyP95: number
  tags: string[]
  /** Empty for none. */
  owner: string
  state: (typeof endpointStates)[number]
}

/** Columns of {@link EndpointView} for `FROM endpoints e JOIN collections c ON c.id = e.collection_id`. */
export const ENDPOINT_COLUMNS = `e.id, e.collection_id AS "collectionId", c.name AS "collectionName",
  array(SELECT e.collection_id UNION SELECT g.group_id FROM group_members g WHERE g.endpoint_id = e.id
    ORDER BY 1) AS "collectionIds",
  e.method, e.url, e.is_template AS "isTemplate", e.is_documented AS "isDocumented", e.api_type AS "apiType",
  e.description, e.first_seen AS "firstSeen", e.last_seen AS "lastSeen", e.discovered_at AS "discoveredAt",
  e.changed_at AS "changedAt", e.call_count AS "callCount", e.response_codes AS "responseCodes",
  e.auth_combinations AS "authCombinations", e.actual_auth_types AS "actualAuthTypes",
  e.access_types AS "accessTypes", e.sensitive_in_request AS "sensitiveInRequest",
  e.sensitive_in_response AS "sensitiveInResponse", e.sources, e.attributes,
  e.severity_score AS "severityScore", e.risk_score AS "riskScore", e.risk_factors AS "riskFactors",
  e.scored_at AS "scoredAt", e.last_tested AS "lastTested"`

/** What people said of an endpoint or of a path behind its template, as `a`. */
const CARE_OF_ROOTS = 'SELECT m.root_id FROM endpoint_care a JOIN endpoints m ON m.id = a.endpoint_id'

/** True of endpoints `e` of which, or of a path behind which, somebody said this. */
export function isCaredFor(said: string): string {
  return `e.id IN (${CARE_OF_ROOTS} WHERE ${said})`
}

/** The strictest state among rows `a`: the names are in the order of strictness. */
const STATE = 'max(a.state)'

/** True of endpoints `e` that are not tested, because of what was said of them or of a path behind them. */
export const IS_SET_ASIDE = isCaredFor("a.state <> 'ACTIVE'")

/** True of endpoints `e` that people ignore. */
export const IS_IGNORED = isCaredFor("a.state = 'IGNORED'")

/** True of endpoints `e` whose state is among some; the parameter holds them. */
export function isInState(parameter: string, includesActive: boolean): string {
  const having = (condition: string) => `(${CARE_OF_ROOTS} GROUP BY m.root_id HAVING ${STATE} ${condition})`
  return includesActive
    ? `e.id NOT IN ${having(`<> ALL (${parameter}::text[])`)}`
    : `e.id IN ${having(`= ANY (${parameter}::text[])`)}`
}

/** What people said of an endpoint, or of the paths behind its template. */
const CARE_COLUMNS = `array(SELECT DISTINCT t.tag FROM endpoints m JOIN endpoint_care a ON a.endpoint_id = m.id
      CROSS JOIN LATERAL unnest(a.tags) AS t (tag) WHERE m.root_id = e.id ORDER BY t.tag) AS tags,
  coalesce((SELECT a.owner FROM endpoints m JOIN endpoint_care a ON a.endpoint_id = m.id
    WHERE m.root_id = e.id AND a.owner <> '' ORDER BY m.id <> e.id, m.id LIMIT 1), '') AS owner,
  coalesce((SELECT ${STATE} FROM endpoints m JOIN endpoint_care a ON a.endpoint_id = m.id
    WHERE m.root_id = e.id), 'ACTIVE') AS state`

/** Columns of {@link EndpointOverviewView}; for single pages, as the issues of each endpoint are counted. */
export const OVERVIEW_COLUMNS = `${ENDPOINT_COLUMNS}, e.recent_attacks AS "recentAttacks",
  e.latency_p50 AS "latencyP50", e.latency_p95 AS "latencyP95",
  (SELECT jsonb_build_object(
      'CRITICAL', count(*) FILTER (WHERE i.severity = 'CRITICAL'), 'HIGH', count(*) FILTER (WHERE i.severity = 'HIGH'),
      'MEDIUM', count(*) FILTER (WHERE i.severity = 'MEDIUM'), 'LOW', count(*) FILTER (WHERE i.severity = 'LOW'))
    FROM issues i WHERE i.status = 'OPEN' AND i.source <> 'TEST_EDITOR'
      AND i.endpoint_id IN (SELECT m.id FROM endpoints m WHERE m.root_id = e.id)) AS "openIssues",
  ${CARE_COLUMNS}`

/**
 * Restricts endpoints `e` to those of granted collections and the members of granted groups. The parameter holds the
 * ids that were granted, null for all.
 */
export function visibleTo(parameter: string): string {
  return `(${parameter}::integer[] IS NULL OR e.collection_id = ANY (${parameter}::integer[]) OR EXISTS (
    SELECT FROM group_members v WHERE v.endpoint_id = e.id AND v.group_id = ANY (${parameter}::integer[])))`
}

/** Restricts endpoints `e` to those of a collection or group; the parameter holds its id. */
export function inCollection(parameter: string): string {
  return `e.id IN (SELECT x.id FROM endpoints x WHERE x.collection_id = ${parameter} AND x.is_listed
    UNION ALL SELECT g.endpoint_id FROM group_members g WHERE g.group_id = ${parameter})`
}

/**
 * A test against a set that is hashed once. Written plainly the planner would join with the set, and read all that
 * belongs to it before it sorts.
 */
export function isHashed(isIn: string): string {
  return `(${isIn}) IS TRUE`
}
