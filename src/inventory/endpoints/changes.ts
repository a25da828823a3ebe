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
const MOST_COUNTED = 1_000
/** Up to this many endpoints are found once and then named by id. */
const FEW = 2000

/** One source of changes, its rows named `r`: the kinds it brings, and how to filter it. */
interface Source {
  readonly kinds: readonly string[]
  readonly columns: string
  readonly from: string
  /** SQL of the row's kind, where it brings several. */
  readonly kind?: string
  /** SQL of the row's url in lower case. */
  readonly foldedUrl: string
  /** SQL that restricts it to collections, and to the members of those of them that are groups. */
  readonly within: (ids: string) => string
  /** The same, quicker where it is one collection or group. */
  readonly inOne?: (ids: string) => string
  /** SQL that restricts it to endpoints by id; null where its rows name none. */
  readonly among: ((ids: string) => string) | null
}

const ofEndpoint = {
  foldedUrl: 'r.url_folded',
  within: (ids: string) => `(r.collection_id = ANY (${ids}) OR r.id IN (
    SELECT g.endpoint_id FROM group_members g WHERE g.group_id = ANY (${ids})))`,
  inOne: (ids: string) => `r.id IN (
    SELECT y.id FROM endpoints y WHERE y.is_listed AND y.collection_id = ANY (${ids})
    UNION ALL SELECT g.endpoint_id FROM group_members g WHERE g.group_id = ANY (${ids}))`,
  among: (ids: string) => `r.id = ANY (${ids})`,
}

const MOVE_KIND = `CASE r.kind WHEN 'SPLIT' THEN 'TEMPLATE_SPLIT' WHEN 'PIN' THEN 'TEMPLATE_PINNED'
  ELSE 'TEMPLATE_MERGED' END`

const FACT_KIND = `CASE f.kind WHEN 'AUTH' THEN 'NEW_AUTH_TYPE' WHEN 'ACCESS' THEN 'NEW_ACCESS_TYPE'
  ELSE CASE WHEN f.is_sensitive THEN 'NEW_SENSITIVE_DATA' ELSE 'NEW_PARAMETER' END END`

/** Every change; a parameter's first sighting is one only after the endpoint's own. */
const SOURCES: readonly Source[] = [
  {
    kinds: ['NEW_ENDPOINT'],
    columns: `r.collection_id, r.method, r.url, 'NEW_ENDPOINT' AS kind, r.url AS what, r.discovered_at AS at`,
    from: 'FROM endpoints r WHERE r.is_listed AND r.discovered_at BETWEEN $1 AND $2',
    ...ofEndpoint,
  },
  {
    kinds: ['NEW_AUTH_TYPE', 'NEW_ACCESS_TYPE', 'NEW_SENSITIVE_DATA', 'NEW_PARAMETER'],
    columns: `r.collection_id, r.method, r.url, ${FACT_KIND} AS kind,
      CASE WHEN f.kind IN ('AUTH', 'ACCESS') THEN f.name ELSE f.name || ': ' || f.value_type END AS what,
      f.first_seen AS at`,
    from: `FROM endpoint_facts f JOIN endpoints e ON e.id = f.endpoint_id JOIN endpoints r ON r.id = e.root_id
      WHERE f.is_later AND f.first_seen BETWEEN $1 AND $2`,
    kind: FACT_KIND,
    ...ofEndpoint,
  },
  {
    kinds: ['TEMPLATE_SPLIT', 'TEMPLATE_PINNED', 'TEMPLATE_MERGED'],
    columns: `r.collection_id, r.method, r.to_url AS url, ${MOVE_KIND} AS kind,
      r.from_url || ' → ' || r.to_url AS what, r.decided_at AS at`,
    from: 'FROM template_moves r WHERE r.decided_at BETWEEN $1 AND $2',
    kind: MOVE_KIND,
    foldedUrl: 'lower(r.to_url)',
    within: (ids) => `(r.collection_id = ANY (${ids}) OR (r.collection_id, r.method, r.to_url) IN (
      SELECT m.collection_id, m.method, m.url FROM group_members g JOIN endpoints m ON m.id = g.endpoint_id
      WHERE g.group_id = ANY (${ids})))`,
    among: null,
  },
]

const PAGE_ORDER = 'x.at DESC, x.url, x.method, x.kind, x.what'

/**
 * Ids of the endpoints of collections, or with a text, when they are few; else null. The changes of few are found
 * quickest by endpoint; those of many are met soon by time.
 */
async function fewEndpoints(store: Store, sql: string, parameter: unknown): Promise<number[] | null> {
  const { rows } = await store.pool.query<{ id: number }>(`${sql} LIMIT ${FEW + 1}`, [parameter])
  return rows.length > FEW ? null : rows.map(({ id }) => id)
}

const IDS_WITHIN = `SELECT e.id FROM endpoints e WHERE e.is_listed AND e.collection_id = ANY ($1::integer[])
  UNION ALL SELECT g.endpoint_id FROM group_members g WHERE g.group_id = ANY ($1::integer[])`

const IDS_WITH_TEXT =
  'SELECT e.id FROM endpoints e WHERE e.is_listed AND strpos(e.url_folded, lower($1::text)) > 0'

/** The statement's sources with every filter that was asked for, each limited by itself. */
async function filtered(
  store: Store,
  search: ChangeSearch,
): Promise<{ parameters: unknown[]; sources: { columns: string; from: string }[] }> {
  const parameters: unknown[] = [search.from, search.to]
  const add = (value: unknown): string => `$${parameters.push(value)}`
  const { kinds } = search
  const filters: ((source: Source) => string)[] = []
  const filter = async (
    sql: string,
    parameter: unknown,
    type: string,
    other: (source: Source, place: string) => string,
  ): Promise<void> => {
    const few = await fewEndpoints(store, sql, parameter)
    const place = `${add(parameter)}::${type}`
    const among = few === null ? null : `${add(few)}::bigint[]`
    filters.push((source) => {
      if (among === null) return other(source, place)
      // A parameter that a statement leaves unused would have no type.
      return source.among === null
        ? `${other(source, place)} AND ${among} IS NOT NULL`
        : `${source.among(among)} AND ${place} IS NOT NULL`
    })
  }
  if (search.collectionId !== null) {
    await filter(IDS_WITHIN, [search.collectionId], 'integer[]', (source, place) =>
      (source.inOne ?? source.within)(place),
    )
  }
  if (search.visible !== null) {
    await filter(IDS_WITHIN, search.visible, 'integer[]', (source, place) => source.within(place))
  }
  if (search.text !== null && search.text !== '') {
    await filter(
      IDS_WITH_TEXT,
      search.text,
      'text',
      (source, place) => `strpos(${source.foldedUrl}, lower(${place})) > 0`,
    )
  }
  const sources = SOURCES.filter(
    (source) => kinds.length === 0 || source.kinds.some((kind) => kinds.includes(kind)),
  )
  const chosen = kinds.length > 0 ? `${add(kinds)}::text[]` : null
  return {
    parameters,
    sources: sources.map((source) => {
      const where = [source.from, ...filters.map((one) => one(source))]
      if (chosen !== null) where.push(`${source.kind ?? `'${source.kinds[0]}'`} = ANY (${chosen})`)
      return { columns: source.columns, from: where.join(' AND ') }
    }),
  }
}

/** One page of changes, newest first, with the number of all up to a limit. */
export async function listChanges(
  store: Store,
  search: ChangeSearch,
): Promise<{ changes: ChangeView[]; total: number }> {
  const { parameters, sources } = await filtered(store, search)
  if (sources.length === 0) return { changes: [], total: 0 }
  const [skip, limit] = [parameters.length + 1, parameters.length + 2]
  // Each source brings its own newest rows by its index of times; none is read to its end for a page.
  const newest = sources.map(
    ({ columns, from }) => `(SELECT * FROM (SELECT ${columns} ${from}) x
      ORDER BY ${PAGE_ORDER} LIMIT $${skip}::bigint + $${limit}::bigint)`,
  )
  const { rows } = await store.pool.query<ChangeView>(
    `SELECT x.collection_id AS "collectionId", x.method, x.url, x.kind, x.what, x.at
     FROM (${newest.join(' UNION ALL ')}) x ORDER BY ${PAGE_ORDER} OFFSET $${skip} LIMIT $${limit}`,
    [...parameters, search.skip, search.limit],
  )
  // Any rows will do for counting: no order is asked for, and reading ends with the last one that counts.
  const any = sources.map(({ from }) => `(SELECT ${from} LIMIT $${skip}::bigint)`)
  const counted = await store.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT FROM (${any.join(' UNION ALL ')}) y LIMIT $${skip}::bigint) x`,
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
     WHERE e.is_listed AND NOT c.is_deactivated AND (c.kind = 'HOST') = $3 AND c.kind <> 'GROUP'
       AND e.discovered_at BETWEEN $1 AND $2 AND ${visibleTo('$4')}
     GROUP BY 1 ORDER BY 1`,
    [window.from, window.to, hasHost, visible],
  )
  return rows
}
