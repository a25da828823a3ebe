import { type DataSource, endpointMethod } from '../../../http/index.ts'
import { nowSeconds, storableJson } from '../../../kit/index.ts'
import { keyedSegment, normalisePath, type PathTrie, suffixAt } from '../../../path-templates/index.ts'
import { type Store, type StoreClient, usingTransaction } from '../../../store/index.ts'
import { insertEndpoints, rescoreEndpoints } from '../counts/index.ts'
import { applyMoves } from '../moves/index.ts'
import { type CollectionState, concretePath, keepDecision, type Memory } from '../place/index.ts'
import type { DocumentedOperation } from '../port.ts'
import { EndpointState, endpointKey, splitUrl } from '../state/index.ts'
import { declaredFacts, writeDeclaredFacts } from './declared-facts.ts'

/** An operation with the place that it has in its collection. */
interface Placed {
  operation: DocumentedOperation
  origin: string
  /** As the document has it. */
  path: string
  /** With the type of each parameter in its place, normalised like the paths of messages; without the suffix. */
  template: string
  suffix: string
}

/**
 * Stores documented operations. Their paths are the strongest hint for templates, so literal endpoints that they
 * cover join them; operations never observed become endpoints marked documented, with the parameters of the document
 * and without calls, samples, credentials or a time of sight: a document is no traffic.
 */
export async function declareOperations(
  store: Store,
  memory: Memory,
  operations: readonly DocumentedOperation[],
  collectionId: number,
  importId: string,
  source: DataSource,
  writer: string,
): Promise<{ created: number }> {
  await memory.loadCollections([collectionId])
  const collection = memory.collections.get(collectionId)
  if (collection === undefined) return { created: 0 }
  const placed = operations.map((operation) => placeOf(operation, collection))
  const tries = await declareRoutes(store, memory, collection, placed, { importId, writer })
  const states = new Map<string, { state: EndpointState; placed: Placed }>()
  const now = nowSeconds()
  for (const one of placed) {
    const state = documentedState(collectionId, one, tries.get(one.origin)!, now)
    const key = endpointKey(state.method, state.url)
    if (!states.has(key)) states.set(key, { state, placed: one })
  }
  const before = await countEndpoints(store, collectionId)
  await usingTransaction(store.pool, async (client) => {
    await writeOperations(client, operations, collectionId, importId)
    await writeEndpoints(client, [...states.values()], source, now)
  })
  for (const [key, { state }] of states) {
    collection.endpoints.delete(key)
    collection.movedUrls.add(state.url)
  }
  collection.forgetTargets()
  collection.hasDocument = true
  await rescoreEndpoints(store, await rootIds(store, collectionId))
  return { created: (await countEndpoints(store, collectionId)) - before }
}

const WORD_OF_TYPE: Readonly<Record<string, string>> = { integer: 'INTEGER', number: 'FLOAT' }

function placeOf(operation: DocumentedOperation, collection: CollectionState): Placed {
  const { origin, path } = splitUrl(operation.path)
  const { suffix: end = '' } = operation
  const typed = path
    .slice(0, path.length - end.length)
    .split('/')
    .map((segment) => {
      // Keys of a set stay: the name before them is what tells the set.
      if (!/\{[^{}*]+\}/.test(segment) || keyedSegment(segment) !== null) return segment
      const at = suffixAt(segment)
      const [written, suffix] = at < 0 ? [segment, ''] : [segment.slice(0, at), segment.slice(at)]
      const parameter = operation.parameters?.find(
        ({ name, in: place }) => place === 'path' && written === `{${name}}`,
      )
      return `${WORD_OF_TYPE[parameter?.type ?? ''] ?? 'STRING'}${suffix}`
    })
    .join('/')
  return {
    operation,
    origin: collection.usesAbsoluteUrls ? origin : '',
    path,
    template: normalisePath(typed).path,
    suffix: end,
  }
}

/** States the templates to the path engine, and lets what was observed move to them. */
async function declareRoutes(
  store: Store,
  memory: Memory,
  collection: CollectionState,
  placed: readonly Placed[],
  { importId, writer }: { importId: string; writer: string },
): Promise<Map<string, PathTrie>> {
  const tries = new Map<string, PathTrie>()
  for (const [origin, routes] of Map.groupBy(placed, (one) => one.origin)) {
    await keepDecision({ store, memory, collection, origin, writer }, async (trie, joined) => {
      for (const { template } of routes) trie.declareRoute(template, 'DOCUMENT')
      const cause = { kind: 'DECLARE' as const, decidedBy: importId, writer }
      await applyMoves(store, collection, origin, trie, [...joined, ...trie.evaluate()], cause)
      tries.set(origin, trie)
    })
  }
  return tries
}

function documentedState(
  collectionId: number,
  { operation, origin, path, template, suffix }: Placed,
  trie: PathTrie,
  now: number,
): EndpointState {
  const method = endpointMethod(operation.method)
  // The types of values observed there may be wider than the declared ones.
  const shown = trie.resolve(method, concretePath(template))?.template ?? template
  const isTemplate = path.includes('{')
  const url = origin + shown + suffix
  const state = new EndpointState({ collectionId, method, url, origin, isTemplate }, now)
  if (operation.protocol !== undefined) {
    state.apiType = operation.protocol
    state.attributes.set('protocol', operation.protocol)
  }
  state.isDocumented = true
  state.lastSeen = 0
  return state
}

async function writeOperations(
  client: StoreClient,
  operations: readonly DocumentedOperation[],
  collectionId: number,
  importId: string,
): Promise<void> {
  await client.query(
    `INSERT INTO documented_operations (collection_id, method, path, import_id, operation)
     SELECT DISTINCT ON (d.method, d.path) $1, d.method, d.path, $2, d.operation
     FROM jsonb_to_recordset($3::jsonb) AS d (method text, path text, operation jsonb)
     ON CONFLICT (collection_id, method, path) DO UPDATE SET import_id = excluded.import_id,
       operation = excluded.operation`,
    [
      collectionId,
      importId,
      storableJson(
        operations.map(({ method, path, summary, detail, parameters, requests, responses }) => ({
          method,
          path,
          operation: { summary: summary ?? null, ...detail, parameters, requests, responses },
        })),
      ),
    ],
  )
}

async function writeEndpoints(
  client: StoreClient,
  documented: readonly { state: EndpointState; placed: Placed }[],
  source: DataSource,
  now: number,
): Promise<void> {
  await insertEndpoints(
    client,
    documented.map(({ state }) => state),
  )
  await client.query(
    `UPDATE endpoints SET sources = earliest_times(sources, jsonb_build_object($3::text, $2::integer))
     WHERE id = ANY ($1::bigint[])`,
    [documented.map(({ state }) => state.id), now, source],
  )
  const facts = documented.map(({ state, placed: { operation, path } }) => ({
    endpointId: state.id,
    facts: declaredFacts(operation, path),
  }))
  await writeDeclaredFacts(client, facts, now)
}

async function rootIds(store: Store, collectionId: number): Promise<number[]> {
  const { rows } = await store.pool.query<{ id: number }>(
    'SELECT id FROM endpoints WHERE collection_id = $1 AND is_listed ORDER BY id',
    [collectionId],
  )
  return rows.map((row) => row.id)
}

async function countEndpoints(store: Store, collectionId: number): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>(
    'SELECT count(*) AS count FROM endpoints WHERE collection_id = $1',
    [collectionId],
  )
  return rows[0]!.count
}
