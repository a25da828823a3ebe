import type { Store } from '../../store/index.ts'
import { isHashed, visibleTo } from './endpoint-view.ts'

/** A change of the inventory. */
interface ChangeView {
  collectionId: number
  method: string
  url: string
  kind: string
  what: string
  at: number
}

/** Which changes. */
interface ChangeSearch {
  from: number
  to: number
  collectionId: number | null
  kinds: readonly string[]
  text: string | null
  /** Only changes of this endpoint. */
  endpoint?: { id: number; collectionId: number; method: string; url: string } | null
  skip: number
  limit: number
  visible: readonly number[] | null
}

/** Counting ends here: it would otherwise read the whole history of a large inventory for every page. */
const MOST_COUNTED = 1_000

/** What the statement of one search is made of. */
interface Sources {
  readonly parameters: unknown[]
  /** Common table expressions that the sources read. */
  readonly tables: readonly string[]
  /** One query a source: `source`, `id` and `at` of its changes. */
  readonly queries: readonly string[]
}

const FACT_KIND = `CASE f.kind WHEN 'AUTH' THEN 'NEW_AUTH_TYPE' WHEN 'ACCESS' THEN 'NEW_ACCESS_TYPE'
  ELSE CASE WHEN f.is_sensitive THEN 'NEW_SENSITIVE_DATA' ELSE 'NEW_PARAMETER' END END`
const MOVE_KIND = `CASE m.kind WHEN 'SPLIT' THEN 'TEMPLATE_SPLIT' WHEN 'PIN' THEN 'TEMPLATE_PINNED'
  ELSE 'TEMPLATE_MERGED' END`

const KINDS_OF_FACTS = ['NEW_AUTH_TYPE', 'NEW_ACCESS_TYPE', 'NEW_SENSITIVE_DATA', 'NEW_PARAMETER']
const KINDS_OF_MOVES = ['TEMPLATE_SPLIT', 'TEMPLATE_PINNED', 'TEMPLATE_MERGED']

/** Ids of the endpoints of collections and of the members of groups; the parameter holds the ids of both. */
function idsWithin(ids: string): string {
  return `SELECT y.id FROM endpoints y WHERE y.is_listed AND y.collection_id = ANY (${ids}::integer[])
    UNION ALL SELECT g.endpoint_id FROM group_members g WHERE g.group_id = ANY (${ids}::integer[])`
}

/** True of the template move `m` to an endpoint of one of the collections, or to a member of one of the groups. */
function moveWithin(ids: string): string {
  return `(m.collection_id = ANY (${ids}::integer[]) OR (m.collection_id, m.method, m.to_url) IN (
    SELECT t.collection_id, t.method, t.url FROM group_members g JOIN endpoints t ON t.id = g.endpoint_id
    WHERE g.group_id = ANY (${ids}::integer[])))`
}

function isAmong(id: string, table: string): string {
  return isHashed(`${id} IN (SELECT x.id FROM ${table} x)`)
}

/** What restricts a search to some endpoints. */
interface Scope {
  /** Common table expressions: `chosen` endpoints, and those `covered` by them; none when nothing restricts it. */
  readonly tables: readonly string[]
  /** SQL of the same restriction on template moves. */
  readonly ofMoves: readonly string[]
}

type Add = (value: unknown) => string

function scopeOf(search: ChangeSearch, add: Add): Scope {
  const ofMoves: string[] = []
  const sets: string[] = []
  for (const ids of [search.collectionId === null ? null : [search.collectionId], search.visible]) {
    if (ids === null) continue
    const place = add(ids)
    sets.push(idsWithin(place))
    ofMoves.push(moveWithin(place))
  }
  if (search.text !== null && search.text !== '') {
    const place = `lower(${add(search.text)}::text)`
    sets.push(`SELECT e.id FROM endpoints e WHERE e.is_listed AND strpos(e.url_folded, ${place}) > 0`)
    ofMoves.push(`strpos(lower(m.to_url), ${place}) > 0`)
  }
  if (search.endpoint) {
    const { id, collectionId, method, url } = search.endpoint
    sets.push(`SELECT ${add(id)}::bigint AS id`)
    ofMoves.push(
      `(m.collection_id, m.method, m.to_url) = (${add(collectionId)}::integer, ${add(method)}::text, ${add(url)}::text)`,
    )
  }
  if (sets.length === 0) return { tables: [], ofMoves }
  const others = sets.slice(1).map((set) => `w.id IN (${set})`)
  const where = others.length > 0 ? `WHERE ${others.join(' AND ')}` : ''
  // Facts stay with the endpoints behind a template.
  return {
    tables: [
      `chosen AS MATERIALIZED (SELECT w.id FROM (${sets[0]}) w ${where})`,
      `covered AS MATERIALIZED (SELECT c.id FROM chosen c UNION ALL
        SELECT b.id FROM endpoints b WHERE b.root_id <> b.id AND ${isAmong('b.root_id', 'chosen')})`,
    ],
    ofMoves,
  }
}

/** The sources of changes with every filter that was asked for, each in the order of its index of times. */
function sourcesOf(search: ChangeSearch): Sources {
  const parameters: unknown[] = [search.from, search.to]
  const add: Add = (value) => `$${parameters.push(value)}`
  const { tables, ofMoves } = scopeOf(search, add)
  const among = (id: string, table: string): string => (tables.length > 0 ? `AND ${isAmong(id, table)}` : '')
  const wanted =
    search.kinds.length > 0 ? search.kinds : ['NEW_ENDPOINT', ...KINDS_OF_FACTS, ...KINDS_OF_MOVES]
  const isWanted = (all: readonly string[]): boolean => all.some((one) => wanted.includes(one))
  const only = (all: readonly string[], kind: string): string =>
    all.every((one) => wanted.includes(one)) ? '' : `AND ${kind} = ANY (${add(wanted)}::text[])`
  const queries: string[] = []
  if (isWanted(['NEW_ENDPOINT'])) {
    queries.push(`SELECT 1 AS source, r.id, r.discovered_at AS at FROM endpoints r
      WHERE r.is_listed AND r.discovered_at BETWEEN $1 AND $2 ${among('r.id', 'chosen')}
      ORDER BY r.discovered_at DESC, r.id DESC`)
  }
  // A parameter's first sighting is a change only after the endpoint's own.
  if (isWanted(KINDS_OF_FACTS)) {
    queries.push(`SELECT 2 AS source, f.id, f.first_seen AS at FROM endpoint_facts f
      WHERE f.is_later AND f.first_seen BETWEEN $1 AND $2 ${only(KINDS_OF_FACTS, FACT_KIND)}
        ${among('f.endpoint_id', 'covered')}
        AND (SELECT e.root_id <> 0 FROM endpoints e WHERE e.id = f.endpoint_id)
      ORDER BY f.first_seen DESC, f.id DESC`)
  }
  if (isWanted(KINDS_OF_MOVES)) {
    const where = ['m.decided_at BETWEEN $1 AND $2', ...ofMoves].join(' AND ')
    queries.push(`SELECT 3 AS source, m.id, m.decided_at AS at FROM template_moves m
      WHERE ${where} ${only(KINDS_OF_MOVES, MOVE_KIND)} ORDER BY m.decided_at DESC, m.id DESC`)
  }
  return { parameters, tables, queries }
}

const PAGE_ORDER = 'x.at DESC, x.source, x.id DESC'

/** One page of changes, newest first, with the number of all up to a limit. */
export async function listChanges(
  store: Store,
  search: ChangeSearch,
): Promise<{ changes: ChangeView[]; total: number }> {
  const { parameters, tables, queries } = sourcesOf(search)
  if (queries.length === 0) return { changes: [], total: 0 }
  const [most, skip, limit] = [1, 2, 3].map((more) => `$${parameters.length + more}::bigint`)
  // Each source brings its newest rows by its index of times; none is read to its end for a page.
  const newest = queries.map((query) => `(${query} LIMIT ${most})`).join(' UNION ALL ')
  const { rows } = await store.pool.query<ChangeView & { total: number }>(
    `WITH ${[...tables, `newest AS MATERIALIZED (${newest})`].join(', ')},
     page AS MATERIALIZED (SELECT * FROM newest x ORDER BY ${PAGE_ORDER} OFFSET ${skip} LIMIT ${limit})
     SELECT (SELECT count(*) FROM newest) AS total, x.at,
       coalesce(r.collection_id, m.collection_id) AS "collectionId", coalesce(r.method, m.method) AS method,
       coalesce(r.url, m.to_url) AS url,
       CASE x.source WHEN 1 THEN 'NEW_ENDPOINT' WHEN 2 THEN ${FACT_KIND} ELSE ${MOVE_KIND} END AS kind,
       CASE WHEN x.source = 1 THEN r.url WHEN x.source = 3 THEN m.from_url || ' → ' || m.to_url
         WHEN f.kind IN ('AUTH', 'ACCESS') THEN f.name ELSE f.name || ': ' || f.value_type END AS what
     FROM (SELECT) one LEFT JOIN page x ON true
     LEFT JOIN endpoint_facts f ON x.source = 2 AND f.id = x.id
     LEFT JOIN endpoints e ON e.id = CASE x.source WHEN 1 THEN x.id WHEN 2 THEN f.endpoint_id END
     LEFT JOIN endpoints r ON r.id = e.root_id
     LEFT JOIN template_moves m ON x.source = 3 AND m.id = x.id
     ORDER BY ${PAGE_ORDER}`,
    [...parameters, Math.max(MOST_COUNTED, search.skip + search.limit), search.skip, search.limit],
  )
  // A page behind the last one is a row without a change.
  return {
    changes: rows.filter(({ kind, at }) => at !== null && kind !== null),
    total: Math.min(rows[0]!.total, MOST_COUNTED),
  }
}

const SECONDS_PER_DAY = 86_400

/** New endpoints per UTC day (days since 1970) in collections with, or without, a host; ascending. */
export async function newEndpointsPerDay(
  store: Store,
  window: { from: number; to: number },
  hasHost: boolean,
  visible: readonly number[] | null,
): Promise<{ day: number; count: number }[]> {
  const { rows } = await store.pool.query<{ day: number; count: number }>(
    `SELECT e.discovered_at / ${SECONDS_PER_DAY} AS day, count(*) AS count
     FROM endpoints e JOIN collections c ON c.id = e.collection_id
     WHERE e.is_listed AND NOT c.is_deactivated AND (c.kind = 'HOST') = $3 AND c.kind <> 'GROUP'
       AND e.discovered_at BETWEEN $1 AND $2 AND ${visibleTo('$4')}
     GROUP BY 1 ORDER BY 1`,
    [window.from, window.to, hasHost, visible],
  )
  return rows
}
