import { nowSeconds } from '../../kit/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import { formatTemplate, type PathTrie, parseTemplate } from '../path-templates/index.ts'
import { splitUrl } from './decide.ts'
import { EndpointState } from './endpoint-state.ts'
import { applyMoves } from './evaluate.ts'
import { endpointKey, type Memory } from './memory.ts'
import type { DocumentedOperation } from './port.ts'
import { insertEndpoints } from './write-endpoints.ts'

/**
 * Stores documented operations. Their paths are the strongest hint for templates, so literal endpoints that they
 * cover join them; operations never observed become endpoints marked documented, without calls or samples.
 */
export async function declareOperations(
  store: Store,
  memory: Memory,
  operations: readonly DocumentedOperation[],
  collectionId: number,
  importId: string,
  writer: string,
): Promise<{ created: number }> {
  await memory.loadCollections([collectionId])
  const collection = memory.collections.get(collectionId)
  if (collection === undefined) return { created: 0 }
  const now = nowSeconds()
  const states: EndpointState[] = []
  const tries = new Map<string, PathTrie>()
  for (const operation of operations) {
    const { origin, path } = splitUrl(operation.path)
    const ownOrigin = collection.usesAbsoluteUrls ? origin : ''
    const trie = await memory.trie(collection, ownOrigin)
    tries.set(ownOrigin, trie)
    trie.declareRoute(path)
  }
  for (const [origin, trie] of tries) {
    const cause = { kind: 'DECLARE' as const, decidedBy: importId, writer }
    await applyMoves(store, collection, origin, trie, trie.evaluate(), cause)
  }
  for (const operation of operations) {
    const { origin, path } = splitUrl(operation.path)
    const ownOrigin = collection.usesAbsoluteUrls ? origin : ''
    const template = templateOf(tries.get(ownOrigin)!, operation.method, path)
    const state = new EndpointState(
      {
        collectionId,
        method: operation.method,
        url: ownOrigin + template,
        origin: ownOrigin,
        isTemplate: path.includes('{'),
      },
      now,
    )
    state.isDocumented = true
    if (!states.some((known) => known.method === state.method && known.url === state.url)) states.push(state)
  }
  const before = await countEndpoints(store, collectionId)
  await usingTransaction(store.pool, async (client) => {
    await client.query(
      `INSERT INTO documented_operations (collection_id, method, path, import_id, operation)
       SELECT DISTINCT ON (d.method, d.path) $1, d.method, d.path, $2, d.operation
       FROM jsonb_to_recordset($3::jsonb) AS d (method text, path text, operation jsonb)
       ON CONFLICT (collection_id, method, path) DO UPDATE SET import_id = excluded.import_id,
         operation = excluded.operation`,
      [
        collectionId,
        importId,
        JSON.stringify(
          operations.map((operation) => ({
            method: operation.method,
            path: operation.path,
            operation: { summary: operation.summary ?? null, ...operation.detail },
          })),
        ),
      ],
    )
    await insertEndpoints(client, states)
  })
  for (const state of states) collection.endpoints.delete(endpointKey(state.method, state.url))
  collection.forgetTargets()
  return { created: (await countEndpoints(store, collectionId)) - before }
}

/** The template as endpoints show it: with the types of the values observed there, or STRING while there are none. */
function templateOf(trie: PathTrie, method: string, path: string): string {
  const concrete = path.replace(/\{[^}/]*\}/g, 'value')
  return trie.resolve(method, concrete)?.template ?? formatTemplate(parseTemplate(path).segments)
}

async function countEndpoints(store: Store, collectionId: number): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>(
    'SELECT count(*) AS count FROM endpoints WHERE collection_id = $1',
    [collectionId],
  )
  return rows[0]!.count
}
