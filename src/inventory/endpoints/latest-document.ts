import type { Store } from '../../store/index.ts'

/** The OpenAPI document uploaded last into a collection as JSON text, or null. */
export async function latestDocument(store: Store, collectionId: number): Promise<string | null> {
  const row = await store.db
    .selectFrom('imports')
    .select(['document', 'document_json'])
    .where('collection_id', '=', collectionId)
    .where('format', '=', 'OPEN_API')
    .where('status', '=', 'SUCCEEDED')
    .where('document', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.document_json ?? row?.document ?? null
}
