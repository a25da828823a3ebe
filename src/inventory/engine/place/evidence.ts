import { nowSeconds } from '../../../kit/index.ts'
import { PathTrie, type TemplateMove } from '../../../path-templates/index.ts'
import type { Store } from '../../../store/index.ts'
import type { CollectionState, SavedRevision } from './collection-state.ts'
import type { Memory } from './memory.ts'
import { NO_REVISION, REVISION_COLUMNS } from './trie-store.ts'

/** State of each trie at its last save: one that learned nothing new is not written again. */
const savedAt = new WeakMap<PathTrie, string>()

function stateOf({ size, hasNews }: PathTrie): string {
  return `${size.observations} ${size.statedTemplates} ${hasNews}`
}

/** Which save of a trie a collection goes by. */
export function revisionOf({ revisions }: CollectionState, origin: string): SavedRevision {
  return revisions.get(origin) ?? NO_REVISION
}

/** Has a trie written again with the next saves, although it learned nothing. */
export function saveAgain({ tries }: CollectionState, origin: string): void {
  const trie = tries.get(origin)
  if (trie !== undefined) savedAt.delete(trie)
}

/** Where a trie is kept, and for whom. */
interface TriePlace {
  readonly store: Store
  readonly memory: Memory
  readonly collection: CollectionState
  readonly origin: string
  readonly writer: string
}

/**
 * Saves what the tries learned. What comes after the save and before a crash is learned again from the endpoints,
 * which are written with every batch. A trie that another process saved meanwhile waits until {@link takeOver}.
 */
export async function saveEvidence(store: Store, memory: Memory, writer: string): Promise<void> {
  for (const collection of memory.collections.values()) {
    for (const [origin, trie] of collection.tries)
      if (savedAt.get(trie) !== stateOf(trie)) await saveTrie({ store, memory, collection, origin, writer })
  }
}

/**
 * Lets a decision of a person or a document change a trie, and saves it at once. Where another process saved its own
 * meanwhile, the decision is made again on what both know: its moves are then there already, and change nothing.
 *
 * @param decide is given the moves by which the trie joined what others saved, to be written before its own
 */
export async function keepDecision(
  place: TriePlace,
  decide: (trie: PathTrie, joined: readonly TemplateMove[]) => Promise<void>,
): Promise<void> {
  const { store, memory, collection, origin } = place
  let joined: readonly TemplateMove[] | null = []
  while (joined !== null) {
    await decide(await memory.trie(collection, origin), joined)
    joined = (await saveTrie(place)) ? null : await takeOver(store, collection, origin)
  }
}

/** Saves one trie; false, and nothing is written, when another process saved its own since ours was read. */
async function saveTrie({ store, memory, collection, origin, writer }: TriePlace): Promise<boolean> {
  const trie = collection.tries.get(origin)!
  // In an embedded store nobody else makes endpoints.
  const mark = store.kind === 'embedded' ? await endpointMark(store) : memory.learnedTo
  const { rows } = await store.pool.query<SavedRevision>(
    `INSERT INTO path_evidence AS e (collection_id, origin, writer, saved_at, endpoint_mark, snapshot, revision)
     SELECT $1, $2, $3, $4, $5, $6::jsonb, 1 WHERE EXISTS (SELECT FROM collections WHERE id = $1)
     ON CONFLICT (collection_id, origin) DO UPDATE SET writer = excluded.writer, saved_at = excluded.saved_at,
       endpoint_mark = excluded.endpoint_mark, snapshot = excluded.snapshot, revision = e.revision + 1
     WHERE e.revision = $7
     RETURNING ${REVISION_COLUMNS}`,
    [
      ...[collection.id, origin, writer, nowSeconds(), mark],
      ...[JSON.stringify(trie.snapshot()), revisionOf(collection, origin).revision],
    ],
  )
  if (rows[0] === undefined) return false
  collection.revisions.set(origin, rows[0])
  savedAt.set(trie, stateOf(trie))
  return true
}

/**
 * Joins a trie in memory with what another process saved: its templates and decisions, and the paths of both. Counts in
 * memory must have been flushed: endpoint states are dropped.
 *
 * @returns moves of what stands elsewhere now, some of which the other process has written; null when nobody saved
 */
export async function takeOver(
  store: Store,
  collection: CollectionState,
  origin: string,
): Promise<TemplateMove[] | null> {
  const { rows } = await store.pool.query<{ snapshot: unknown } & SavedRevision>(
    `SELECT snapshot, ${REVISION_COLUMNS} FROM path_evidence
     WHERE collection_id = $1 AND origin = $2 AND revision <> $3`,
    [collection.id, origin, revisionOf(collection, origin).revision],
  )
  const known = collection.tries.get(origin)
  if (rows[0] === undefined || known === undefined) return null
  const { snapshot, revision, saved_by } = rows[0]
  const joined = PathTrie.restore(snapshot as never)
  // Only what is added now has to be saved: otherwise two processes would answer each other's saves for ever.
  savedAt.set(joined, stateOf(joined))
  joined.absorb(known.snapshot(), true)
  collection.tries.set(origin, joined)
  collection.revisions.set(origin, { revision, saved_by })
  collection.forgetTargets()
  collection.endpoints.clear()
  return movesBetween(known, joined)
}

function movesBetween(known: PathTrie, joined: PathTrie): TemplateMove[] {
  const moves = new Map<string, TemplateMove>()
  for (const { method, path, template: from } of known.standing()) {
    const to = joined.resolve(method, path)?.template ?? path
    if (from !== to) moves.set(`${method} ${from} ${to}`, { method, from, to })
  }
  return [...moves.values()]
}

/** Id up to which endpoints exist; what comes after a snapshot is learned again from the endpoints. */
export async function endpointMark(store: Store): Promise<number> {
  const { rows } = await store.pool.query<{ mark: number | null }>('SELECT max(id) AS mark FROM endpoints')
  return rows[0]?.mark ?? 0
}
