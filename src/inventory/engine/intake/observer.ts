import { endpointMethod, type LiveExchange, requestHostProblem } from '../../../http/index.ts'
import { type EpochSeconds, storable } from '../../../kit/index.ts'
import { normalisePath, type PathTrie } from '../../../path-templates/index.ts'
import { admit, OWN_TRAFFIC_HEADER } from '../../admission.ts'
import { logicalOperationsOf, maySpeakProtocol } from '../../protocols/index.ts'
import type { MessageHash } from '../counts/index.ts'
import { callerMark, ExchangeView, learnExchange, type PathParameter, sampleText } from '../learn/index.ts'
import {
  type CollectionState,
  type KnownTarget,
  type Memory,
  PathEvidence,
  pathParameters,
  targetOf,
} from '../place/index.ts'
import type { ExchangeOutcome, Placement } from '../port.ts'
import { EndpointState, endpointKey } from '../state/index.ts'
import type { Batch } from './batch.ts'

/** Bytes of an endpoint's URL, and of the name of a logical operation in it: indexes of the store take 2,704 in all. */
const MAX_URL_BYTES = 2000
const MAX_SUFFIX_BYTES = 400
/** Characters of the path of a probe that are kept, of up to three bytes each. */
const MAX_PROBE_PATH = 600

/** One exchange on its way through a batch. */
export interface IngestItem {
  readonly exchange: LiveExchange
  readonly placement: Placement
  /** Position in the sender's call. */
  readonly index: number
  outcome: ExchangeOutcome | null
  /** Of a message that is no duplicate. */
  hash: MessageHash | null
  view: ExchangeView | null
  collection: CollectionState | null
  /** Endpoints it goes to, once its path was resolved. */
  wanted: Wanted[] | null
  /** The first endpoint it went to. */
  endpoint: EndpointState | null
}

/** An exchange that has just come in. */
export function ingestItemOf(exchange: LiveExchange, placement: Placement, index: number): IngestItem {
  return {
    exchange,
    placement,
    index,
    outcome: null,
    hash: null,
    view: null,
    collection: null,
    wanted: null,
    endpoint: null,
  }
}

/** Rule of a message that its sender must mend: it can be placed nowhere. */
export const REJECTED = 'rejected'

/** Notes that the same message was accepted before. */
export function markDuplicate(item: IngestItem): void {
  refuse(item, 'duplicate', 'the same message was accepted before')
}

function refuse(item: IngestItem, rule: string, reason: string): void {
  item.outcome = { taken: false, rule, reason }
}

/**
 * A message that Vigil has no right words for yet must not cost the others of its batch their place, each time it is sent
 * again: it is told to its sender and in the log. What was counted of it before stays counted.
 */
function refuseUnreadable(item: IngestItem, error: unknown, batch: Batch): void {
  refuse(item, REJECTED, 'it could not be read, by a fault of the server that its log tells of')
  batch.troubles.push(error)
}

const TAKEN: ExchangeOutcome = Object.freeze({ taken: true, endpointId: 0 })

/**
 * Takes an exchange into a batch when all that it needs is in memory: the usual case by far. False, and nothing is
 * learned, when something must be read from the store first; see {@link observeLater}.
 */
export function observeNow(item: IngestItem, memory: Memory, batch: Batch, now: EpochSeconds): boolean {
  try {
    return observe(item, memory, batch, now)
  } catch (error) {
    refuseUnreadable(item, error, batch)
    return true
  }
}

function observe(item: IngestItem, memory: Memory, batch: Batch, now: EpochSeconds): boolean {
  const view = new ExchangeView(item.exchange, targetOf(item.exchange))
  item.view = view
  if (isUnplaceable(item)) return true
  const collection = collectionOf(item, memory)
  if (collection === undefined) return false
  place(item, collection)
  if (item.outcome !== null) return true
  const known = knownTarget(item)
  if (known !== null) {
    learn(item, known.endpoint, known.parameters, batch, now)
    return true
  }
  const trie = collection.tries.get(originOf(item))
  if (trie === undefined) return false
  item.wanted = resolveNew(item, trie, batch)
  for (const want of item.wanted) {
    if (!collection.endpoints.has(endpointKey(want.method, want.url))) return false
  }
  learnWanted(item, batch, now)
  return true
}

/**
 * Takes exchanges into a batch for which {@link observeNow} lacked something: loads what the store knows of their
 * collections, paths and endpoints, and creates what is new. Afterwards every item has an outcome.
 */
export async function observeLater(
  items: readonly IngestItem[],
  memory: Memory,
  batch: Batch,
  now: EpochSeconds,
): Promise<void> {
  await placeAll(items, memory)
  await resolveAll(items, memory, batch)
  for (const item of items) {
    if (item.outcome !== null) continue
    try {
      learnWanted(item, batch, now)
    } catch (error) {
      refuseUnreadable(item, error, batch)
    }
  }
}

/** Finds the collection of each exchange that has none; hosts seen for the first time get one. */
async function placeAll(items: readonly IngestItem[], memory: Memory): Promise<void> {
  const ids = new Set<number>()
  const hosts = new Map<string, { at: number; tags: LiveExchange['tags'] }>()
  const unplaced = items.filter(({ collection }) => collection === null)
  for (const { exchange, placement, view } of unplaced) {
    if ('collectionId' in placement) ids.add(placement.collectionId)
    else hosts.set(view!.target.host, { at: exchange.at, tags: exchange.tags })
  }
  if (ids.size > 0) await memory.loadCollections(ids)
  if (hosts.size > 0) await memory.loadHosts(hosts)
  for (const item of unplaced) place(item, collectionOf(item, memory))
}

function isUnplaceable(item: IngestItem): boolean {
  if ('collectionId' in item.placement || item.view!.target.host !== '') return false
  const problem = requestHostProblem(item.exchange.request)
  const missing = 'the message names no host: send a host header or an absolute URL'
  refuse(item, REJECTED, problem ?? missing)
  return true
}

function collectionOf({ placement, view }: IngestItem, memory: Memory): CollectionState | undefined {
  return 'collectionId' in placement
    ? memory.collections.get(placement.collectionId)
    : memory.collectionByHost(view!.target.host)
}

function place(item: IngestItem, collection: CollectionState | undefined): void {
  if (collection === undefined) refuse(item, REJECTED, 'the collection does not exist')
  else if (collection.kind === 'GROUP') refuse(item, REJECTED, 'the collection is a group')
  else if (collection.isDeactivated) refuse(item, 'deactivated', 'the collection is deactivated')
  else item.collection = collection
}

interface Wanted {
  collection: CollectionState
  method: string
  url: string
  origin: string
  isTemplate: boolean
  apiType: string
  attributes: Readonly<Record<string, unknown>>
  parameters: readonly PathParameter[]
  /** Normalised path and key names, as the path engine was told; null: it did not ask for them. */
  path: string
  keys: readonly string[] | null
  /** One of several logical operations of its path. */
  isSplit: boolean
}

/** Resolves what is not resolved yet, and loads the endpoints that are not in memory. */
async function resolveAll(items: readonly IngestItem[], memory: Memory, batch: Batch): Promise<void> {
  const missing = new Map<string, Wanted>()
  for (const item of items) {
    if (item.outcome !== null) continue
    const trie = await memory.trie(item.collection!, originOf(item))
    try {
      item.wanted ??= resolveNew(item, trie, batch)
    } catch (error) {
      refuseUnreadable(item, error, batch)
      continue
    }
    for (const want of item.wanted) {
      const key = endpointKey(want.method, want.url)
      if (!want.collection.endpoints.has(key)) missing.set(`${want.collection.id} ${key}`, want)
    }
  }
  if (missing.size > 0) await memory.loadEndpoints([...missing.values()])
}

/** Learns an exchange at the endpoints its path was resolved to, and remembers them for its exact path. */
function learnWanted(item: IngestItem, batch: Batch, now: EpochSeconds): void {
  for (const want of item.wanted!) {
    const state = endpointOf(want, item.exchange.at, batch)
    const { path, keys, isSplit, parameters } = want
    item.collection!.remember(methodOf(item), targetKey(item), {
      endpoint: state,
      path,
      keys,
      isSplit,
      parameters,
      standing: null,
    })
    learn(item, state, parameters, batch, now)
  }
}

/** The straight path: method and path were met before in exactly this spelling. */
function knownTarget(item: IngestItem): KnownTarget | null {
  const { collection } = item
  const view = item.view!
  const method = methodOf(item)
  const known = collection!.known(method, targetKey(item))
  if (known === undefined || known.isSplit || view.requestHeader(OWN_TRAFFIC_HEADER) !== '') return null
  if (known.endpoint.apiType !== 'GRPC' && maySpeakProtocol(view)) return null
  const trie = collection!.tries.get(known.endpoint.origin)
  if (trie === undefined) return null
  const evidence = new PathEvidence(view, method, known.path, known.keys)
  if (known.standing === null || !trie.observeAgain(known.standing, evidence)) {
    trie.observe(evidence)
    known.standing = trie.standingOf(method, known.path)
  }
  known.keys = evidence.readKeys
  return known
}

function methodOf({ exchange }: IngestItem): string {
  return endpointMethod(exchange.request.method)
}

function originOf(item: IngestItem): string {
  return item.collection!.usesAbsoluteUrls ? item.view!.target.origin : ''
}

function targetKey(item: IngestItem): string {
  const { target } = item.view!
  return item.collection!.usesAbsoluteUrls ? `${target.origin}${target.path}` : target.path
}

/** Admission, protocol and template of an exchange whose path is new here; refused ones get their outcome. */
function resolveNew(item: IngestItem, trie: PathTrie, batch: Batch): Wanted[] {
  const collection = item.collection!
  const view = item.view!
  const { exchange } = item
  const method = methodOf(item)
  const origin = originOf(item)
  const normal = normalisePath(view.target.path)
  const found = trie.find(method, normal.path)
  const admission = admit(exchange, { isKnownPath: found.isKnown })
  if (!admission.admitted) {
    if (admission.rule === 'probe') noteProbe(item, normal.path, batch)
    refuse(item, admission.rule, admission.reason)
    return []
  }
  const logical = logicalOperationsOf(view)
  const evidence = new PathEvidence(view, method, normal.path, null)
  const resolution = trie.observe(evidence, found)
  const parameters = pathParameters(resolution.params, normal.matrix)
  const template = `${origin}${resolution.template}`
  if (Buffer.byteLength(template) > MAX_URL_BYTES) {
    refuse(item, REJECTED, `its path without parameters is longer than ${MAX_URL_BYTES} bytes`)
    return []
  }
  return logical.operations.map((operation) => ({
    collection,
    method: endpointMethod(operation.method),
    url: `${template}${isName(operation.pathSuffix) ? operation.pathSuffix : ''}`,
    origin,
    isTemplate: resolution.isTemplate,
    apiType: logical.apiType,
    attributes: operation.attributes,
    parameters,
    path: normal.path,
    keys: evidence.readKeys,
    isSplit: logical.operations.length > 1 || operation.pathSuffix !== '',
  }))
}

/** A logical operation with a longer name counts with its path alone. */
function isName(pathSuffix: string): boolean {
  return pathSuffix.length <= MAX_SUFFIX_BYTES && Buffer.byteLength(pathSuffix) <= MAX_SUFFIX_BYTES
}

function noteProbe(item: IngestItem, path: string, batch: Batch): void {
  const { exchange } = item
  batch.addProbe({
    collectionId: item.collection!.id,
    method: methodOf(item),
    path: storable(path.slice(0, MAX_PROBE_PATH)),
    status: exchange.response.status,
    count: 1,
    at: exchange.at,
    ip: exchange.clientIp,
  })
}

function endpointOf(want: Wanted, at: number, batch: Batch): EndpointState {
  const key = endpointKey(want.method, want.url)
  const known = want.collection.endpoints.get(key)
  if (known !== undefined) {
    if (known.apiType !== want.apiType && want.apiType !== 'REST') changeProtocol(known, want)
    return known
  }
  const state = new EndpointState(
    {
      collectionId: want.collection.id,
      method: want.method,
      url: want.url,
      origin: want.origin,
      isTemplate: want.isTemplate,
    },
    at,
  )
  state.apiType = want.apiType
  for (const [name, value] of Object.entries(want.attributes)) state.attributes.set(name, value)
  want.collection.endpoints.set(key, state)
  batch.newEndpoints.add(state)
  return state
}

/** An endpoint that looked plain until it spoke a protocol. */
function changeProtocol(state: EndpointState, { apiType, attributes }: Wanted): void {
  state.apiType = apiType
  for (const [name, value] of Object.entries(attributes)) state.attributes.set(name, value)
  state.isChanged = true
}

/** The slot of a caller whose first success at the endpoint this is. */
function callerSlot(state: EndpointState, exchange: LiveExchange): string | null {
  const { status } = exchange.response
  if (status < 200 || status > 399 || !state.hasCallerRoom) return null
  return state.callerSlot(callerMark(exchange))
}

function learn(
  item: IngestItem,
  state: EndpointState,
  parameters: readonly PathParameter[],
  batch: Batch,
  now: EpochSeconds,
): void {
  const { exchange } = item
  const { status } = exchange.response
  const { isRedacted } = item.collection!
  const learned = learnExchange(state, item.view!, parameters, batch, !isRedacted)
  if (state.isChanged) batch.changedEndpoints.add(state)
  item.outcome = TAKEN
  item.endpoint ??= state
  const slot = callerSlot(state, exchange) ?? state.sampleSlot(status, learned.credential, now)
  if (slot === null) return
  state.sampleSlots.add(slot)
  batch.samples.push({
    endpointId: () => state.id,
    slot,
    at: exchange.at,
    status,
    message: sampleText(exchange, isRedacted, batch.rules),
    isSensitive: learned.isSensitive,
  })
}
