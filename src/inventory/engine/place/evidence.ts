import { nowSeconds } from '../../../kit/index.ts'
import type { PathTrie } from '../../../path-templates/index.ts'
import type { Store } from '../../../store/index.ts'
import type { Memory } from './memory.ts'

/** State of each trie at its last save: one that learned nothing new is not written again. */
const savedAt = new WeakMap<PathTrie, number>()

function revisionOf(trie: PathTrie): number {
  return trie.size.observations * 2 + (trie.hasNews ? 1 : 0)
}

/**
 * Saves what the tries learned. What comes after the save and before a crash is learned again from the endpoints,
 * which are written with every batch; user decisions are saved at once by their own transaction.
 */
export async function saveEvidence(store: Store, memory: Memory, writer: string): Promise<void> {
  const mark = await endpointMark(store)
  for (const collection of memory.collections.values()) {
    for (const [origin, trie] of collection.tries) {
      if (savedAt.get(trie) === revisionOf(trie)) continue
      await saveTrie(store, collection.id, origin, trie, mark, writer)
    }
  }
}

/** Saves one trie. */
export async function saveTrie(
  store: Store,
  collectionId: number,
  origin: string,
  trie: PathTrie,
  endpointMark: number,
  writer: string,
): Promise<void> {
  await store.pool.query(
    `INSERT INTO path_evidence (collection_id, origin, writer, saved_at, endpoint_mark, snapshot)
     SELECT $1, $2, $3, $4, $5, $6::jsonb WHERE EXISTS (SELECT FROM collections WHERE id = $1)
     ON CONFLICT (collection_id, origin) DO UPDATE SET writer = excluded.writer, saved_at = excluded.saved_at,
       endpoint_mark = excluded.endpoint_mark, snapshot = excluded.snapshot`,
    [collectionId, origin, writer, nowSeconds(), endpointMark, JSON.stringify(trie.snapshot())],
  )
  savedAt.set(trie, revisionOf(trie))
}

/** Id up to which endpoints exist; what comes after a snapshot is learned again from the endpoints. */
export async function endpointMark(store: Store): Promise<number> {
  const { rows } = await store.pool.query<{ mark: number | null }>('SELECT max(id) AS mark FROM endpoints')
  return rows[0]?.mark ?? 0
}
