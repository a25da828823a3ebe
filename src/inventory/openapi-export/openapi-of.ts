import { parseTemplate } from '../../path-templates/index.ts'
import type { Store } from '../../store/index.ts'
import { type CountSource, upToDate } from '../count-source.ts'
import type { EndpointName } from '../endpoints/index.ts'
import { type DocumentedEndpoint, pathItemsOf } from './path-items.ts'
import type { FactRow } from './schema-of.ts'

/** Endpoints of one page. */
const PAGE_SIZE = 100

/** Which endpoints go into a document. */
interface OpenApiRequest {
  collectionId: number
  after: { url: string; method: string } | null
  /** Exactly these endpoints, when not empty. */
  keys: readonly EndpointName[]
  hasHeaders: boolean
}

/** A document of one page; `next` is the cursor when the page was full. */
interface OpenApiPage {
  document: string
  next: { url: string; method: string } | null
}

const STATIC = /\.(?:js|css|svg|jpe?g|png|gif|ico|woff2?|map)$/i

/**
 * An OpenAPI 3.1 document of discovered endpoints, built from what was counted about their parameters, not from single
 * samples: required where (nearly) always present, nullable, unions for real conflicts of type, security, all codes.
 * The same inventory gives the same bytes.
 */
export async function openApiOf(source: CountSource, request: OpenApiRequest): Promise<OpenApiPage> {
  const store = await upToDate(source)
  const endpoints = await endpointsOf(store, request)
  const facts = await factsOf(
    store,
    endpoints.map((endpoint) => endpoint.id),
  )
  const documented = endpoints
    .filter((endpoint) => !STATIC.test(endpoint.url))
    .map((endpoint) => ({ ...endpoint, facts: facts.get(endpoint.id) ?? [] }))
  const { title, hostName } = await collectionOf(store, request.collectionId)
  const { paths, securitySchemes } = pathItemsOf(documented, {
    hasHeaders: request.hasHeaders,
    parseTemplate,
  })
  const document = {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      description:
        'Written by Vigil from observed traffic. Operations seen less than 20 times are marked x-vigil-rare.',
    },
    ...(hostName === null ? {} : { servers: [{ url: `https://${hostName}` }] }),
    paths,
    ...(Object.keys(securitySchemes).length === 0 ? {} : { components: { securitySchemes } }),
  }
  const last = endpoints.at(-1)
  const isFull = request.keys.length === 0 && endpoints.length === PAGE_SIZE && last !== undefined
  return {
    document: JSON.stringify(document, null, 2),
    next: isFull ? { url: last.url, method: last.method } : null,
  }
}

type EndpointRow = Omit<DocumentedEndpoint, 'facts'>

async function endpointsOf(store: Store, request: OpenApiRequest): Promise<EndpointRow[]> {
  const { rows } = await store.pool.query<EndpointRow>(
    `SELECT e.id, e.method, e.url, e.origin, e.is_template AS "isTemplate", e.call_count AS "callCount",
       e.response_codes AS "responseCodes", e.actual_auth_types AS "authTypes"
     FROM endpoints e
     WHERE e.is_listed AND e.collection_id NOT IN (SELECT c.id FROM collections c WHERE c.is_deactivated)
       AND (e.collection_id = $1 OR e.id IN (SELECT g.endpoint_id FROM group_members g WHERE g.group_id = $1))
       AND ($2::text IS NULL OR (e.url COLLATE "C", e.method COLLATE "C") > ($2 COLLATE "C", $3 COLLATE "C"))
       AND (cardinality($4::text[]) = 0 OR (e.method || ' ' || e.url) = ANY ($4))
     ORDER BY e.url COLLATE "C", e.method COLLATE "C" LIMIT $5`,
    [
      request.collectionId,
      request.after?.url ?? null,
      request.after?.method ?? null,
      request.keys.map((key) => `${key.method} ${key.url}`),
      request.keys.length > 0 ? request.keys.length : PAGE_SIZE,
    ],
  )
  return rows
}

async function factsOf(store: Store, ids: readonly number[]): Promise<Map<number, FactRow[]>> {
  const { rows } = await store.pool.query<FactRow & { rootId: number }>(
    `SELECT m.root_id AS "rootId", f.kind, f.response_code AS "responseCode", f.name, f.value_type AS "valueType",
       sum(f.count)::bigint AS count, bool_or(f.is_sensitive) AS "isSensitive",
       (array_agg(f.detail ORDER BY f.count DESC) FILTER (WHERE f.detail IS NOT NULL))[1] AS detail
     FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
     WHERE m.root_id = ANY ($1::bigint[]) AND f.kind NOT IN ('AUTH', 'ACCESS')
     GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    [ids],
  )
  const byRoot = new Map<number, FactRow[]>()
  for (const row of rows) {
    const list = byRoot.get(row.rootId)
    if (list) list.push(row)
    else byRoot.set(row.rootId, [row])
  }
  return byRoot
}

async function collectionOf(store: Store, id: number): Promise<{ title: string; hostName: string | null }> {
  const { rows } = await store.pool.query<{ title: string; hostName: string | null }>(
    'SELECT name AS title, host_name AS "hostName" FROM collections WHERE id = $1',
    [id],
  )
  if (!rows[0]) throw new Error(`no collection ${id}`)
  return rows[0]
}
