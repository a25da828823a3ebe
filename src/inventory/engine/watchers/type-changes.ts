import type { Location, TypeRules } from '../../../data-types/index.ts'
import { type Exchange, readSampleMessage, writeSampleMessage } from '../../../http/index.ts'
import { nowSeconds } from '../../../kit/index.ts'
import { type FactKind, type Store, usingTransaction } from '../../../store/index.ts'
import { rescoreEndpoints } from '../counts/index.ts'
import { Batch } from '../intake/index.ts'
import { ExchangeView, learnExchange, maskTypes } from '../learn/index.ts'
import { pathParametersOf, targetOf } from '../place/index.ts'
import { EndpointState, type Fact, splitUrl } from '../state/index.ts'

/** Samples judged at once; between two of them the engine does other work. */
const CHUNK = 50
const LOCATION_OF_KIND: { readonly [K in FactKind]?: Location } = {
  REQUEST_HEADER: 'REQUEST_HEADER',
  COOKIE: 'COOKIE',
  QUERY: 'QUERY',
  PATH: 'PATH',
  REQUEST_BODY: 'REQUEST_PAYLOAD',
  RESPONSE_HEADER: 'RESPONSE_HEADER',
  RESPONSE_BODY: 'RESPONSE_PAYLOAD',
}
/** Headers that are judged apart, told by {@link HEADER_CLASS}. */
const HEADERS = {
  '': null,
  credential: { kind: 'REQUEST_HEADER', location: 'REQUEST_HEADER', key: 'authorization' },
  cookie: { kind: 'RESPONSE_HEADER', location: 'SET_COOKIE', key: 'set-cookie' },
} as const
const HEADER_CLASS = `CASE
  WHEN f.kind = 'REQUEST_HEADER' AND f.name IN ('authorization', 'proxy-authorization') THEN 'credential'
  WHEN f.kind = 'RESPONSE_HEADER' AND f.name LIKE 'set-cookie%' THEN 'cookie' ELSE '' END`

/**
 * Brings stored parameters in line with changed rules: whether each is sensitive, what endpoints show of that, and their
 * risk. Examples of what is sensitive or masked now are removed.
 *
 * @param names types whose settings changed
 */
export async function applyTypeSettings(
  store: Store,
  rules: TypeRules,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const places = names.flatMap((name) =>
    Object.entries(LOCATION_OF_KIND).flatMap(([kind, location]) =>
      Object.entries(HEADERS).flatMap(([header, special]) => {
        if (special !== null && special.kind !== kind) return []
        const isSensitive = rules.isSensitive(name, special?.location ?? location, special?.key ?? '')
        return [{ name, kind, header, isSensitive, isMasked: rules.redacted?.has(name) === true }]
      }),
    ),
  )
  const { rows } = await store.pool.query<{ endpoint_id: number }>(
    `UPDATE endpoint_facts f SET is_sensitive = d.sensitive,
       detail = CASE WHEN d.sensitive OR d.masked THEN f.detail - ${EXAMPLES} ELSE f.detail END
     FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::boolean[])
       AS d (name, kind, header, sensitive, masked)
     WHERE f.value_type = d.name AND f.kind = d.kind AND f.count > 0
       AND d.header = ${HEADER_CLASS}
       AND (f.is_sensitive <> d.sensitive OR (d.masked AND f.detail ? 'examples'))
     RETURNING f.endpoint_id`,
    [
      places.map((place) => place.name),
      places.map((place) => place.kind),
      places.map((place) => place.header),
      places.map((place) => place.isSensitive),
      places.map((place) => place.isMasked),
    ],
  )
  await showSensitive(store, [...new Set(rows.map((row) => row.endpoint_id))])
}

/** Recomputes what endpoints, and the templates they belong to, show of sensitive data from their parameters. */
async function showSensitive(store: Store, endpointIds: readonly number[]): Promise<void> {
  if (endpointIds.length === 0) return
  const typesOf = (condition: string): string =>
    `array(SELECT DISTINCT f.value_type FROM endpoint_facts f JOIN endpoints m ON m.id = f.endpoint_id
       WHERE (m.id = e.id OR m.root_id = e.id) AND f.is_sensitive AND ${condition} ORDER BY 1)`
  const { rows } = await store.pool.query<{ id: number }>(
    `UPDATE endpoints e SET
       sensitive_in_request = ${typesOf("f.kind NOT IN ('RESPONSE_HEADER', 'RESPONSE_BODY')")},
       sensitive_in_response = ${typesOf("f.kind IN ('RESPONSE_HEADER', 'RESPONSE_BODY')")},
       changed_at = $2
     WHERE e.id IN (SELECT unnest(ARRAY[c.id, c.root_id]) FROM endpoints c WHERE c.id = ANY ($1::bigint[]))
     RETURNING e.id`,
    [endpointIds, nowSeconds()],
  )
  await rescoreEndpoints(
    store,
    rows.map((row) => row.id),
  )
}

/** What of a parameter's detail shows values. */
const EXAMPLES = "'{examples,min,max,distinct}'::text[]"

interface SampleRow {
  id: number
  endpoint_id: number
  method: string
  url: string
  message: string
  is_sensitive: boolean
}

/**
 * Judges the retained samples anew, a few at a time, and adds what the rules find in them to the parameters. A sample that
 * holds a value to be masked is masked. Samples of redacted collections hold no values and are left out.
 *
 * @param after the last sample judged, 0 to begin
 * @returns the last sample judged now, or null when there are no more
 */
export async function judgeSamples(store: Store, rules: TypeRules, after: number): Promise<number | null> {
  const { rows } = await store.pool.query<SampleRow>(
    `SELECT s.id, s.endpoint_id, e.method, r.url, s.message, s.is_sensitive
     FROM samples s JOIN endpoints e ON e.id = s.endpoint_id JOIN endpoints r ON r.id = e.root_id
     JOIN collections c ON c.id = e.collection_id
     WHERE s.id > $1 AND NOT c.is_redacted ORDER BY s.id LIMIT $2`,
    [after, CHUNK],
  )
  if (rows.length === 0) return null
  const found: { endpointId: number; fact: Fact }[] = []
  const changed: { id: number; message: string; isSensitive: boolean }[] = []
  for (const row of rows) {
    const exchange = readSampleMessage(JSON.parse(row.message))
    if (typeof exchange === 'string') continue
    const { facts, isSensitive } = factsOf(exchange, row, rules)
    for (const fact of facts.filter(({ type }) => rules.decided.includes(type)))
      found.push({ endpointId: row.endpoint_id, fact })
    const masked = maskTypes(exchange, rules)
    const message = masked === exchange ? row.message : writeSampleMessage(masked)
    if (message !== row.message || isSensitive !== row.is_sensitive)
      changed.push({ id: row.id, message, isSensitive })
  }
  await writeFound(store, found)
  if (changed.length > 0) {
    await store.pool.query(
      `UPDATE samples s SET message = d.message, is_sensitive = d.sensitive
       FROM unnest($1::bigint[], $2::text[], $3::boolean[]) AS d (id, message, sensitive) WHERE s.id = d.id`,
      [
        changed.map(({ id }) => id),
        changed.map(({ message }) => message),
        changed.map(({ isSensitive }) => isSensitive),
      ],
    )
  }
  return rows.at(-1)!.id
}

/** What one sample shows, learned by an endpoint that nobody else sees. */
export function factsOf(
  exchange: Exchange,
  { method, url }: Pick<SampleRow, 'method' | 'url'>,
  rules: TypeRules,
): { facts: Fact[]; isSensitive: boolean } {
  const { origin, path } = splitUrl(url)
  const view = new ExchangeView(exchange, targetOf(exchange))
  const place = { collectionId: 0, method, url, origin, isTemplate: false }
  const batch = new Batch(rules)
  const learned = learnExchange(
    new EndpointState(place, exchange.at),
    view,
    pathParametersOf(path, view.target.path),
    batch,
    false,
  )
  return { facts: batch.touched, isSensitive: learned.isSensitive }
}

/** Adds facts that were found in samples; one that is known already keeps its counts. */
async function writeFound(store: Store, found: readonly { endpointId: number; fact: Fact }[]): Promise<void> {
  if (found.length === 0) return
  const rows = new Map<string, { endpointId: number; fact: Fact }>()
  for (const { endpointId, fact } of found) {
    if (fact.kind === 'AUTH' || fact.kind === 'ACCESS') continue
    rows.set(`${endpointId} ${fact.kind} ${fact.code} ${fact.name} ${fact.type}`, { endpointId, fact })
  }
  await usingTransaction(store.pool, async (client) => {
    const values = JSON.stringify(
      [...rows.values()].map(({ endpointId, fact }) => ({
        endpoint_id: endpointId,
        kind: fact.kind,
        response_code: fact.code,
        name: fact.name,
        value_type: fact.type,
        count: fact.fresh,
        first_seen: fact.firstSeen,
        last_seen: fact.lastSeen,
        is_sensitive: fact.isSensitive,
      })),
    )
    await client.query(
      `INSERT INTO endpoint_facts (endpoint_id, kind, response_code, name, value_type, count, first_seen, last_seen,
         is_sensitive)
       SELECT d.* FROM jsonb_to_recordset($1::jsonb) AS d (endpoint_id bigint, kind text, response_code integer,
         name text, value_type text, count bigint, first_seen integer, last_seen integer, is_sensitive boolean)
       JOIN endpoints e ON e.id = d.endpoint_id
       ON CONFLICT (endpoint_id, kind, response_code, name, value_type) DO UPDATE SET
         is_sensitive = excluded.is_sensitive`,
      [values],
    )
    // The same values stand as examples beside what they were taken for before.
    await client.query(
      `UPDATE endpoint_facts f SET detail = f.detail - ${EXAMPLES}
       FROM jsonb_to_recordset($1::jsonb) AS d (endpoint_id bigint, kind text, response_code integer, name text,
         is_sensitive boolean)
       WHERE d.is_sensitive AND f.endpoint_id = d.endpoint_id AND f.kind = d.kind
         AND f.response_code = d.response_code AND f.name = d.name AND f.detail IS NOT NULL`,
      [values],
    )
  })
  await showSensitive(store, [...new Set([...rows.values()].map(({ endpointId }) => endpointId))])
}
