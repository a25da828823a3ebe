import { Failure } from '../../../kit/index.ts'
import { type PathTrie, parseTemplate, type TemplateMove } from '../../../path-templates/index.ts'
import type { Store } from '../../../store/index.ts'
import type { CollectionState, Memory } from '../place/index.ts'
import { keepDecision } from '../place/index.ts'
import type { EndpointMove, TemplateDecision } from '../port.ts'
import { splitUrl } from '../state/index.ts'
import { applyMoves } from './evaluate.ts'
import { enginePaths } from './operation-moves.ts'

/**
 * Carries out a person's decision about a template and keeps it.
 *
 * @throws Failure NO_SUCH_COLLECTION, TEMPLATE_NOT_FOUND when nothing of that name is known, NOT_A_TEMPLATE
 */
export async function decide(
  store: Store,
  memory: Memory,
  decision: TemplateDecision,
  writer: string,
): Promise<EndpointMove[]> {
  const collection = await collectionOf(memory, decision.collectionId)
  const url = decision.kind === 'MERGE' ? decision.template : decision.url
  const { origin, path } = splitUrl(url)
  if (decision.kind === 'MERGE' && parseTemplate(path).segments.every(({ kind }) => kind === 'literal')) {
    throw new Failure('NOT_A_TEMPLATE', { url })
  }
  const { kind, decidedBy } = decision
  const applied: EndpointMove[][] = []
  await keepDecision({ store, memory, collection, origin, writer }, async (trie, joined) => {
    await applyMoves(store, collection, origin, trie, joined, { kind: 'MERGE', decidedBy: 'engine', writer })
    const moves =
      decision.kind === 'SPLIT'
        ? await splitOf(store, trie, decision, path)
        : decision.kind === 'MERGE'
          ? trie.merge(path, decidedBy)
          : trie.pinLiteral(path)
    if (moves.length === 0 && decision.kind === 'SPLIT' && applied.length === 0)
      throw new Failure('TEMPLATE_NOT_FOUND', { url: decision.url })
    applied.push(await applyMoves(store, collection, origin, trie, moves, { kind, decidedBy, writer }))
  })
  return applied[0]!
}

/** The path of a logical operation is what is split, with all operations behind it. */
async function splitOf(
  store: Store,
  trie: PathTrie,
  { collectionId, method, url }: TemplateDecision & { kind: 'SPLIT' },
  path: string,
): Promise<TemplateMove[]> {
  for (const base of await enginePaths(store.pool, collectionId, url, path)) {
    const moves = trie.split(method, base)
    if (moves.length > 0) return moves
  }
  return []
}

async function collectionOf(memory: Memory, id: number): Promise<CollectionState> {
  await memory.loadCollections([id])
  const collection = memory.collections.get(id)
  if (collection === undefined) throw new Failure('NO_SUCH_COLLECTION', {})
  return collection
}
