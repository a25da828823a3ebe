import type { FactDetail, FactKind, Store } from '../../store/index.ts'
import { type CountSource, upToDate } from '../count-source.ts'
import { type EndpointOverviewView, OVERVIEW_COLUMNS } from './endpoint-view.ts'

/** A parameter of an endpoint at one place with one type, over all rows that the endpoint stands for. */
export interface ParameterView {
  kind: FactKind
  responseCode: number
  name: string
  valueType: string
  count: number
  firstSeen: number
  lastSeen: number
  isSensitive: boolean
  detail: FactDetail | null
}

/** Parameters of an endpoint by place then name. */
export async function endpointParameters(
  source: CountSource,
  endpointId: number,
  limit: number,
): Promise<ParameterView[]> {
  const store = await upToDate(source)
  const { rows } = await store.pool.query<ParameterView>(
    `SELECT f.kind, f.response_code AS "responseCode", f.name, f.value_type AS "valueType",
       sum(f.count)::bigint AS count, min(f.first_seen) AS "firstSeen", max(f.last_seen) AS "lastSeen",
       bool_or(f.is_sensitive) AS "isSensitive",
       (array_agg(f.detail ORDER BY f.count DESC) FILTER (WHERE f.detail IS NOT NULL))[1] AS detail
     FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
     WHERE m.root_id = $1 AND f.kind NOT IN ('AUTH', 'ACCESS')
     GROUP BY f.kind, f.response_code, f.name, f.value_type
     ORDER BY array_position(ARRAY['PATH', 'QUERY', 'REQUEST_HEADER', 'COOKIE', 'REQUEST_BODY', 'RESPONSE_HEADER',
       'RESPONSE_BODY'], f.kind), f.response_code, f.name, f.value_type
     LIMIT $2`,
    [endpointId, limit],
  )
  return rows
}

/** A combination of credentials with one class of outcome. */
interface CredentialView {
  types: string[]
  outcome: string
  count: number
  lastSeen: number
}

/** An endpoint with the credentials seen at it, the most frequent first; undefined when it is gone. */
export async function endpointInFull(
  source: CountSource,
  id: number,
): Promise<(EndpointOverviewView & { credentials: CredentialView[] }) | undefined> {
  const store = await upToDate(source)
  const { rows } = await store.pool.query<EndpointOverviewView>(
    `SELECT ${OVERVIEW_COLUMNS} FROM endpoints e JOIN collections c ON c.id = e.collection_id WHERE e.id = $1`,
    [id],
  )
  return rows[0] && { ...rows[0], credentials: await credentialsOf(store, id) }
}

async function credentialsOf(store: Store, endpointId: number): Promise<CredentialView[]> {
  const { rows } = await store.pool.query<CredentialView>(
    `SELECT string_to_array(f.name, ',') AS types, f.value_type AS outcome, sum(f.count)::bigint AS count,
       max(f.last_seen) AS "lastSeen"
     FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
     WHERE m.root_id = $1 AND f.kind = 'AUTH' GROUP BY f.name, f.value_type ORDER BY 3 DESC, 1, 2`,
    [endpointId],
  )
  return rows
}
