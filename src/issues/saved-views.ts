import { newHexId, nowSeconds } from '../kit/index.ts'
import type { Store } from '../store/index.ts'

/** Views of one person. */
export const MOST_VIEWS = 100

/** Filters of the list of issues under a name. */
interface SavedView {
  id: string
  name: string
  /** The query of the address of the list. */
  query: string
  createdBy: string
  createdAt: number
}

/** Views by name: those of everybody, or only those of one person. */
export async function listViews(store: Store, onlyOf: string | null): Promise<SavedView[]> {
  const { rows } = await store.pool.query<SavedView>(
    `SELECT id, name, query, created_by AS "createdBy", created_at AS "createdAt" FROM saved_views
     WHERE $1::text IS NULL OR created_by = $1 ORDER BY lower(name), created_at LIMIT 1000`,
    [onlyOf],
  )
  return rows
}

/** Keeps a view; one of the same name and person is replaced. @returns its id; null when there are too many */
export async function saveView(
  store: Store,
  view: Pick<SavedView, 'name' | 'query' | 'createdBy'>,
): Promise<string | null> {
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO saved_views (id, name, query, created_by, created_at)
     SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM saved_views WHERE created_by = $4 AND name <> $2) < ${MOST_VIEWS}
     ON CONFLICT (created_by, name) DO UPDATE SET query = excluded.query RETURNING id`,
    [newHexId(), view.name, view.query, view.createdBy, nowSeconds()],
  )
  return rows[0]?.id ?? null
}

/** Deletes a view; @returns whether it was there. @param onlyOf null: anyone's */
export async function deleteView(store: Store, id: string, onlyOf: string | null): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    'DELETE FROM saved_views WHERE id = $1 AND ($2::text IS NULL OR created_by = $2)',
    [id, onlyOf],
  )
  return rowCount === 1
}
