import type { Queryable } from '../../store/index.ts'

/**
 * A text that changes whenever a filter is added, edited, switched or removed, by whichever process.
 */
export async function filterRevision(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ revision: string | null }>(
    // The number of the transaction that wrote a row: nothing of its content need be read.
    `SELECT md5(string_agg(id || ' ' || xmin::text, ',' ORDER BY id)) AS revision FROM filter_templates`,
  )
  return rows[0]?.revision ?? ''
}

/** Collections by their hosts. */
export async function hostCollections(db: Queryable): Promise<(readonly [host: string, id: number])[]> {
  const { rows } = await db.query<{ host_name: string; id: number }>(
    'SELECT host_name, id FROM collections WHERE host_name IS NOT NULL',
  )
  return rows.map(({ host_name, id }) => [host_name, id] as const)
}

/** A text that changes when a collection is added or removed. */
export async function collectionRevision(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ revision: string }>(
    `SELECT count(*) || ' ' || coalesce(max(created_at), 0) AS revision FROM collections`,
  )
  return rows[0]!.revision
}

/** YAML of every filter that is on, by id. */
export async function activeFilters(db: Queryable): Promise<{ id: string; content: string }[]> {
  const { rows } = await db.query<{ id: string; content: string }>(
    `SELECT id, content FROM filter_templates WHERE NOT is_removed AND state = 'ON' ORDER BY id`,
  )
  return rows
}
