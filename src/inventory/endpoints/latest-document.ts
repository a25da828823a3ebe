import type { Store } from '../../store/index.ts'

/** The OpenAPI document uploaded last into a collection as JSON text, or null. */
export async function latestDocument(store: Store, collectionId: number): Promise<string | null> {
  const { rows } = await store.pool.query<{ text: string }>(
    `SELECT coalesce(document_json, document) AS text FROM imports
     WHERE collection_id = $1 AND format = 'OPEN_API' AND status = 'SUCCEEDED' AND document IS NOT NULL
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    [collectionId],
  )
  return rows[0]?.text ?? null
}
