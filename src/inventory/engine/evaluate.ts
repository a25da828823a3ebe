import { type Store, usingTransaction } from '../../store/index.ts'
import type { PathTrie, TemplateMove } from '../path-templates/index.ts'
import type { CollectionState } from './collection-state.ts'
import { endpointKey, type Memory } from './memory.ts'
import { type MoveCause, writeMoves } from './moves.ts'
import type { EndpointMove } from './port.ts'

/**
 * Lets every trie judge its new evidence, and writes what moved.
 *
 * @param isThorough judges however little is new: after an import, whose result people look at
 * @returns the number of moves
 */
export async function evaluateTries(
  store: Store,
  memory: Memory,
  writer: string,
  isThorough: boolean,
): Promise<number> {
  let count = 0
  for (const collection of memory.collections.values()) {
    for (const [origin, trie] of collection.tries) {
      if (!(isThorough ? trie.hasNews : trie.isDirty)) continue
      const moves = trie.evaluate()
      if (moves.length === 0) continue
      count += moves.length
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
  seen?: MoveCause['seen'],
): Promise<EndpointMove[]> {
  if (moves.length === 0) {
    collection.forgetTargets()
    return []
  }
  const endpointMoves = moves.map(({ method, from, to }) => ({
    method,
    from: origin + from,
    to: origin + to,
  }))
  const first = moves[0]
  const evidence = first && cause.kind === 'MERGE' ? trie.explain(first.to) : null
  await usingTransaction(store.pool, (client) =>
    writeMoves(client, endpointMoves, {
      ...cause,
      collectionId: collection.id,
      origin,
      evidence,
      ...(seen ? { seen } : {}),
    }),
  )
  collection.forgetTargets()
  for (const move of endpointMoves) {
    collection.endpoints.delete(endpointKey(move.method, move.from))
    collection.endpoints.delete(endpointKey(move.method, move.to))
  }
  return endpointMoves
}
