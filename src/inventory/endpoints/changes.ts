import type { Store } from '../../store/index.ts'
import { visibleTo } from './endpoint-view.ts'

/** A change of the inventory. */
export interface ChangeView {
  collectionId: number
  method: string
  url: string
  kind: string
  what: string
  at: number
}

/** Which changes. */
export interface ChangeSearch {
  from: number
  to: number
  collectionId: number | null
  kinds: readonly string[]
  text: string | null
  skip: number
  limit: number
  visible: readonly number[] | null
}

/** Counting ends here: it would otherwise read the whole history of a large inventory for every page. */
const MOST_COUNTED = 10_000

/** Every change with its kind; a parameter's first sighting counts as one only after the endpoint's own. */
const CHANGES = [
  `SELECT e.collection_id, e.method, e.url, 'NEW_ENDPOINT' AS kind, e.url AS what, e.discovered_at AS at
  FROM endpoints e WHERE e.root_id = e.id AND e.discovered_at BETWEEN $1 AND $2`,
  `SELECT r.collection_id, r.method, r.url,
    CASE f.kind WHEN 'AUTH' THEN 'NEW_AUTH_TYPE' WHEN 'ACCESS' THEN 'NEW_ACCESS_TYPE'
      ELSE CASE WHEN f.is_sensitive THEN 'NEW_SENSITIVE_DATA' ELSE 'NEW_PARAMETER' END END AS kind,
    CASE WHEN f.kind IN ('AUTH', 'ACCESS') THEN f.name ELSE f.name || ': ' || f.value_type END AS what,
    f.first_seen AS at
  FROM endpoint_facts f JOIN endpoints e ON e.id = f.endpoint_id JOIN endpoints r ON r.id = e.root_id
  WHERE f.first_seen BETWEEN $1 AND $2 AND f.first_seen > e.first_seen`,
  `SELECT t.collection_id, t.method, t.to_url AS url,
    CASE t.kind WHEN 'SPLIT' THEN 'TEMPLATE_SPLIT' WHEN 'PIN' THEN 'TEMPLATE_PINNED' ELSE 'TEMPLATE_MERGED' END AS kind,
    t.from_url || ' → ' || t.to_url AS what, t.decided_at AS at
  FROM template_moves t WHERE t.decided_at BETWEEN $1 AND $2`,
]

/** Of a collection its own; of a group those of its members. */
const IN_COLLECTION = `(x.collection_id = $3 OR EXISTS (SELECT FROM group_members g JOIN endpoints m ON m.id = g.endpoint_id
  WHERE g.group_id = $3 AND m.collection_id = x.collection_id AND m.method = x.method AND m.url = x.url))`

/** Those of granted collections, and of the members of granted groups. */
const IS_VISIBLE = `($4::integer[] IS NULL OR x.collection_id = ANY ($4) OR EXISTS (SELECT FROM group_members g
  JOIN endpoints m ON m.id = g.endpoint_id
  WHERE g.group_id = ANY ($4) AND m.collection_id = x.collection_id AND m.method = x.method AND m.url = x.url))`

const PAGE_ORDER = 'x.at DESC, x.url, x.method, x.kind, x.what'

/** One page of changes, newest first, with the number of all up to a limit. */
export async function listChanges(
  store: Store,
  search: ChangeSearch,
): Promise<{ changes: ChangeView[]; total: number }> {
  // Each kind of change brings its own newest rows by its index of times; no kind is read to its end for a page.
  const newest = (order: string, limit: string): string =>
    CHANGES.map(
      (change) => `(SELECT x.* FROM (${change}) x
        WHERE ($3::integer IS NULL OR ${IN_COLLECTION}) AND ${IS_VISIBLE}
          AND (cardinality($5::text[]) = 0 OR x.kind = ANY ($5))
          AND ($6::text IS NULL OR strpos(lower(x.url), lower($6)) > 0)
        ORDER BY ${order} LIMIT ${limit})`,
    ).join(' UNION ALL ')
  const parameters = [
    search.from,
    search.to,
    search.collectionId,
    search.visible,
    search.kinds,
    search.text === '' ? null : search.text,
  ]
  const { rows } = await store.pool.query<ChangeView>(
    `SELECT x.collection_id AS "collectionId", x.method, x.url, x.kind, x.what, x.at
     FROM (${newest(PAGE_ORDER, '$7::integer + $8::integer')}) x ORDER BY ${PAGE_ORDER} OFFSET $7 LIMIT $8`,
    [...parameters, search.skip, search.limit],
  )
  const counted = await store.pool.query<{ count: number }>(
    `SELECT least(count(*), $7) AS count FROM (${newest('x.at DESC', '$7::bigint')}) x`,
    [...parameters, MOST_COUNTED],
  )
  return { changes: rows, total: counted.rows[0]!.count }
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
     WHERE e.root_id = e.id AND NOT c.is_deactivated AND (c.kind = 'HOST') = $3 AND c.kind <> 'GROUP'
       AND e.discovered_at BETWEEN $1 AND $2 AND ${visibleTo('$4')}
     GROUP BY 1 ORDER BY 1`,
    [window.from, window.to, hasHost, visible],
  )
  return rows
}
