import type { PathTrie, TemplateMove } from '../../../path-templates/index.ts'
import { type Store, usingTransaction } from '../../../store/index.ts'
import type { CollectionState, Memory } from '../place/index.ts'
import type { EndpointMove } from '../port.ts'
import { endpointKey } from '../state/index.ts'
import { type MoveCause, writeMoves } from './moves.ts'
import { withOperations } from './operation-moves.ts'
import { isSameShape, isTemplateUrl, planMoves, standingIn } from './plan-moves.ts'

/**
 * Lets every trie judge its new evidence, and writes what moved.
 *
 * @param isThorough judges however little is new: after an import, whose result people look at
 * @param flush brings all counts to their endpoints; called before what was counted at a template is handed on
 * @returns the number of moves
 */
export async function evaluateTries(
  store: Store,
  memory: Memory,
  writer: string,
  isThorough: boolean,
  flush: () => Promise<void>,
): Promise<number> {
  let count = 0
  for (const collection of memory.collections.values()) {
    for (const [origin, trie] of collection.tries) {
      if (!(isThorough ? trie.hasNews : trie.isDirty)) continue
      const moves = trie.evaluate()
      if (moves.length === 0) continue
      count += moves.length
      if (moves.some(({ from }) => isTemplateUrl(from))) await flush()
      await applyMoves(store, collection, origin, trie, moves, { kind: 'MERGE', decidedBy: 'engine', writer })
    }
  }
  return count
}

/** Writes the moves of a trie in one transaction and drops what memory held about the endpoints concerned. */
export async function applyMoves(
  store: Store,
  collection: CollectionState,
  origin: string,
  trie: PathTrie,
  moves: readonly TemplateMove[],
  cause: Pick<MoveCause, 'kind' | 'decidedBy' | 'writer'>,
): Promise<EndpointMove[]> {
  if (moves.length === 0) {
    collection.forgetTargets()
    return []
  }
  const seen = standingIn(trie, origin)
  const { leaves: left, joins: observed } = planMoves(
    moves.map(({ method, from, to }) => ({ method, from: origin + from, to: origin + to })),
    seen,
  )
  const { leaves, joins } = await withOperations(store.pool, collection.id, {
    leaves: left,
    joins: await withUnseen(store, collection.id, observed),
  })
  const first = observed[0]
  const evidence = first && cause.kind === 'MERGE' ? trie.explain(first.to.slice(origin.length)) : null
  await usingTransaction(store.pool, (client) =>
    writeMoves(client, { leaves, joins }, { ...cause, collectionId: collection.id, origin, evidence, seen }),
  )
  const endpointMoves = [
    ...leaves.flatMap(({ method, from, to }) => to.map((url) => ({ method, from, to: url }))),
    ...joins,
  ]
  collection.forgetTargets()
  for (const { method, from } of leaves) collection.endpoints.delete(endpointKey(method, from))
  for (const move of endpointMoves) {
    collection.movedUrls.add(move.to)
    collection.endpoints.delete(endpointKey(move.method, move.from))
    collection.endpoints.delete(endpointKey(move.method, move.to))
  }
  return endpointMoves
}

/**
 * Moves, and those of the documented endpoints at the same templates whose methods nobody has observed: the path engine
 * knows nothing of them, and they must not stay behind when the type of a parameter changes.
 */
async function withUnseen(
  store: Store,
  collectionId: number,
  moves: readonly EndpointMove[],
): Promise<readonly EndpointMove[]> {
  const targets = new Map(
    moves.filter(({ from, to }) => isSameShape(from, to)).map(({ from, to }) => [from, to]),
  )
  if (targets.size === 0) return moves
  const known = new Set(moves.map(({ method, from }) => endpointKey(method, from)))
  const { rows } = await store.pool.query<{ method: string; url: string }>(
    `SELECT method, url FROM endpoints
     WHERE collection_id = $1 AND url = ANY ($2::text[]) AND is_listed AND is_documented AND last_seen = 0`,
    [collectionId, [...targets.keys()]],
  )
  const unseen = rows.filter(({ method, url }) => !known.has(endpointKey(method, url)))
  return [...moves, ...unseen.map(({ method, url }) => ({ method, from: url, to: targets.get(url)! }))]
}
