import type { FilterState } from '../../contract/vocabulary.ts'
import { nowSeconds } from '../../kit/index.ts'
import type { Queryable } from '../../store/index.ts'

export interface StoredFilter {
  readonly id: string
  /** YAML. */
  readonly content: string
  /** LIBRARY: as shipped. CUSTOM: saved by somebody, perhaps over a shipped one. */
  readonly source: 'LIBRARY' | 'CUSTOM'
  readonly author: string
  readonly createdAt: number
  readonly updatedAt: number
  /** The newest shipped text of an edited one, where it differs; null otherwise. */
  readonly shipped: string | null
  readonly state: FilterState
}

/** Author of what comes with the product. */
const LIBRARY_AUTHOR = 'Vigil'

/** Filters that were not removed, by id. */
export async function listFilters(db: Queryable): Promise<StoredFilter[]> {
  const { rows } = await db.query<StoredFilter>(
    `SELECT id, content, source, author, created_at AS "createdAt", updated_at AS "updatedAt",
       CASE WHEN source = 'CUSTOM' AND shipped <> content THEN shipped END AS shipped, state
     FROM filter_templates WHERE NOT is_removed ORDER BY id`,
  )
  return rows
}

/** Adds a filter or replaces its text; author and time of the first save stay, and so does the state unless one is given. */
export async function saveFilter(
  db: Queryable,
  filter: { readonly id: string; readonly content: string; readonly state?: FilterState | null },
  login: string,
  now = nowSeconds(),
): Promise<void> {
  await db.query(
    `INSERT INTO filter_templates AS t (id, content, source, author, created_at, updated_at, updated_by, state)
     VALUES ($1, $2, 'CUSTOM', $3, $4, $4, $3, coalesce($5, 'ON'))
     ON CONFLICT (id) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at,
       updated_by = excluded.updated_by, is_removed = false,
       source = CASE WHEN t.shipped = excluded.content THEN 'LIBRARY' ELSE 'CUSTOM' END,
       state = coalesce($5, CASE WHEN t.is_removed THEN 'ON' ELSE t.state END)`,
    [filter.id, filter.content, login, now, filter.state ?? null],
  )
}

/** Switches filters; @returns the ids of those that are there */
export async function setFilterState(
  db: Queryable,
  ids: readonly string[],
  state: FilterState,
  login: string,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE filter_templates SET state = $2, updated_by = $3 WHERE id = ANY ($1::text[]) AND NOT is_removed RETURNING id`,
    [ids, state, login],
  )
  return rows.map(({ id }) => id).sort()
}

/** Removes a filter; a shipped one does not come back on its own. @returns whether it was there */
export async function removeFilter(
  db: Queryable,
  id: string,
  login: string,
  now = nowSeconds(),
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE filter_templates SET is_removed = true, updated_at = $3, updated_by = $2
     WHERE id = $1 AND NOT is_removed`,
    [id, login, now],
  )
  return rowCount === 1
}

/** Texts of the filters that came with the product, as they were taken over last. */
export async function shippedFilters(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ shipped: string }>(
    'SELECT shipped FROM filter_templates WHERE shipped IS NOT NULL',
  )
  return new Set(rows.map(({ shipped }) => shipped))
}

/**
 * Takes over what comes with the product: new filters are added, unchanged ones follow their new text, edited and
 * removed ones stay as they are and keep the new text beside them.
 *
 * @returns how many were added or changed
 */
export async function keepShippedFilters(
  db: Queryable,
  shipped: readonly { readonly id: string; readonly content: string }[],
  now = nowSeconds(),
): Promise<number> {
  const sorted = [...shipped].sort((a, b) => (a.id < b.id ? -1 : 1))
  const { rowCount } = await db.query(
    `INSERT INTO filter_templates AS t (id, content, shipped, source, author, created_at, updated_at)
     SELECT id, content, content, 'LIBRARY', $3, $4, $4 FROM unnest($1::text[], $2::text[]) AS s (id, content)
     ON CONFLICT (id) DO UPDATE SET shipped = excluded.shipped,
       content = CASE WHEN t.source = 'LIBRARY' THEN excluded.content ELSE t.content END,
       updated_at = CASE WHEN t.source = 'LIBRARY' THEN excluded.updated_at ELSE t.updated_at END
     WHERE t.shipped IS DISTINCT FROM excluded.shipped`,
    [sorted.map(({ id }) => id), sorted.map(({ content }) => content), LIBRARY_AUTHOR, now],
  )
  return rowCount ?? 0
}
