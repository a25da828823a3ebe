import { cleanHost, type DataSource, endpointMethod, hostProblem } from '../../../http/index.ts'
import type { EpochSeconds } from '../../../kit/index.ts'
import { normalisePath } from '../../../path-templates/index.ts'
import { type Store, usingTransaction } from '../../../store/index.ts'
import { insertEndpoints } from '../counts/index.ts'
import type { CollectionState, Memory } from '../place/index.ts'
import type { LocatedEndpoint, Placement, ReportedRequest } from '../port.ts'
import { EndpointState, endpointKey, splitUrl } from '../state/index.ts'

/** Bytes of an endpoint's URL: indexes of the store take 2,704 in all. */
const MAX_URL_BYTES = 2000

/**
 * The endpoints of requests that were reported without their messages, such as the findings of another scanner: those
 * of the inventory, or new ones without calls and samples. Their paths are evidence for templates like those of messages.
 */
export async function locateEndpoints(
  { store, memory }: { readonly store: Store; readonly memory: Memory },
  requests: readonly ReportedRequest[],
  placement: Placement,
  source: DataSource,
): Promise<LocatedEndpoint[]> {
  await loadCollections(memory, requests, placement)
  const located: LocatedEndpoint[] = []
  const states = new Map<string, Found>()
  for (const request of requests) {
    const collection = collectionOf(memory, request, placement)
    if (typeof collection === 'string') {
      located.push({ reason: collection })
      continue
    }
    const state = await stateOf(memory, collection, request)
    if (Buffer.byteLength(state.url) > MAX_URL_BYTES)
      located.push({ reason: `its path is longer than ${MAX_URL_BYTES} bytes` })
    else {
      located.push({ collectionId: collection.id, method: state.method, url: state.url })
      states.set(`${collection.id} ${endpointKey(state.method, state.url)}`, { state, at: request.at })
    }
  }
  const found = [...states.values()]
  try {
    await writeEndpoints(store, found, source)
  } catch (error) {
    // The paths were learned, and the store does not have their endpoints.
    memory.forget(found.map(({ state }) => state.collectionId))
    throw error
  }
  noteMoved(memory, found)
  return located
}

/** Group memberships of endpoints are looked at again, and targets that are remembered are resolved anew. */
function noteMoved(memory: Memory, found: readonly Found[]): void {
  for (const { state } of found) {
    const collection = memory.collections.get(state.collectionId)
    collection?.forgetTargets()
    collection?.movedUrls.add(state.url)
  }
}

interface Found {
  readonly state: EndpointState
  readonly at: EpochSeconds
}

async function loadCollections(
  memory: Memory,
  requests: readonly ReportedRequest[],
  placement: Placement,
): Promise<void> {
  if ('collectionId' in placement) return memory.loadCollections([placement.collectionId])
  const hosts = requests.flatMap(({ url, at }) => {
    const host = hostOf(url)
    return host === '' ? [] : ([[host, { at, tags: undefined }]] as const)
  })
  await memory.loadHosts(new Map(hosts))
}

function hostOf(url: string): string {
  const { origin } = splitUrl(url)
  return cleanHost(authorityOf(origin), origin.startsWith('http:') ? 'http' : 'https')
}

function authorityOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3)
}

/** The collection of a request; the reason as text when there is none that takes it. */
function collectionOf(
  memory: Memory,
  { url }: ReportedRequest,
  placement: Placement,
): CollectionState | string {
  const host = hostOf(url)
  if (host === '') return hostProblem(authorityOf(splitUrl(url).origin)) ?? 'it names no host'
  const collection =
    'collectionId' in placement
      ? memory.collections.get(placement.collectionId)
      : memory.collectionByHost(host)
  if (collection === undefined) return 'the collection does not exist'
  if (!collection.usesAbsoluteUrls && host !== collection.hostName) return 'it is of another host'
  return collection.isDeactivated ? 'the collection is deactivated' : collection
}

async function stateOf(
  memory: Memory,
  collection: CollectionState,
  { method, url, at }: ReportedRequest,
): Promise<EndpointState> {
  const scheme = url.startsWith('http:') ? 'http' : 'https'
  const origin = collection.usesAbsoluteUrls ? `${scheme}://${hostOf(url)}` : ''
  const wire = endpointMethod(method)
  const trie = await memory.trie(collection, origin)
  const { path } = normalisePath(url)
  const evidence = { method: wire, path, status: 200, mediaType: '', keys: [], at }
  const { template, isTemplate } = trie.observe(evidence)
  return new EndpointState(
    { collectionId: collection.id, method: wire, url: `${origin}${template}`, origin, isTemplate },
    at,
  )
}

async function writeEndpoints(store: Store, found: readonly Found[], source: DataSource): Promise<void> {
  if (found.length === 0) return
  await usingTransaction(store.pool, async (client) => {
    await insertEndpoints(
      client,
      found.map(({ state }) => state),
    )
    await client.query(
      `UPDATE endpoints e SET sources = jsonb_build_object($3::text, d.at)
       FROM unnest($1::bigint[], $2::integer[]) AS d (id, at) WHERE e.id = d.id AND e.sources = '{}'::jsonb`,
      [found.map(({ state }) => state.id), found.map(({ at }) => at), source],
    )
  })
}
