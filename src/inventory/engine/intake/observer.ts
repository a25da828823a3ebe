import { type Exchange, endpointMethod, requestHostProblem } from '../../../http/index.ts'
import { type EpochSeconds, storable } from '../../../kit/index.ts'
import { admit, OWN_TRAFFIC_HEADER } from '../../admission.ts'
import { normalisePath, type PathTrie } from '../../path-templates/index.ts'
import { logicalOperationsOf, maySpeakProtocol } from '../../protocols/index.ts'
import { callerMark, ExchangeView, learnExchange, sampleText } from '../learn/index.ts'
import {
  type CollectionState,
  EndpointState,
  endpointKey,
  type KnownTarget,
  type Memory,
  PathEvidence,
  type PathParameter,
  pathParameters,
  targetOf,
} from '../place/index.ts'
import type { ExchangeOutcome, Placement } from '../port.ts'
import type { Batch } from './batch.ts'
import type { MessageHash } from './message-hashes.ts'

/** Bytes of an endpoint's URL, and of the name of a logical operation in it: indexes of the store take 2,704 in all. */
const MAX_URL_BYTES = 2000
const MAX_SUFFIX_BYTES = 400
/** Characters of the path of a probe that are kept, of up to three bytes each. */
const MAX_PROBE_PATH = 600

/** One exchange on its way through a batch. */
export interface Passage {
  readonly exchange: Exchange
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
export function passageOf(exchange: Exchange, placement: Placement, index: number): Passage {
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
export function markDuplicate(passage: Passage): void {
  refuse(passage, 'duplicate', 'the same message was accepted before')
}

function refuse(passage: Passage, rule: string, reason: string): void {
  passage.outcome = { taken: false, rule, reason }
}

/**
 * A message that Vigil has no right words for yet must not cost the others of its batch their place, each time it is sent
 * again: it is told to its sender and in the log. What was counted of it before stays counted.
 */
function refuseUnreadable(passage: Passage, error: unknown, batch: Batch): void {
  refuse(passage, REJECTED, 'it could not be read, by a fault of the server that its log tells of')
  batch.troubles.push(error)
}

const TAKEN: ExchangeOutcome = Object.freeze({ taken: true, endpointId: 0 })

/**
 * Takes an exchange into a batch when all that it needs is in memory: the usual case by far. False, and nothing is
 * learned, when something must be read from the store first; see {@link observeLater}.
 */
export function observeNow(passage: Passage, memory: Memory, batch: Batch, now: EpochSeconds): boolean {
  try {
    return observe(passage, memory, batch, now)
  } catch (error) {
    refuseUnreadable(passage, error, batch)
    return true
  }
}

function observe(passage: Passage, memory: Memory, batch: Batch, now: EpochSeconds): boolean {
  const view = new ExchangeView(passage.exchange, targetOf(passage.exchange))
  passage.view = view
  if (isUnplaceable(passage)) return true
  const collection = collectionOf(passage, memory)
  if (collection === undefined) return false
  place(passage, collection)
  if (passage.outcome !== null) return true
  const known = knownTarget(passage)
  if (known !== null) {
    learn(passage, known.endpoint, known.parameters, batch, now)
    return true
  }
  const trie = collection.tries.get(originOf(passage))
  if (trie === undefined) return false
  passage.wanted = resolveNew(passage, trie, batch)
  for (const want of passage.wanted) {
    if (!collection.endpoints.has(endpointKey(want.method, want.url))) return false
  }
  learnWanted(passage, batch, now)
  return true
}

/**
 * Takes exchanges into a batch for which {@link observeNow} lacked something: loads what the store knows of their
 * collections, paths and endpoints, and creates what is new. Afterwards every passage has an outcome.
 */
export async function observeLater(
  passages: readonly Passage[],
  memory: Memory,
  batch: Batch,
  now: EpochSeconds,
): Promise<void> {
  await placeAll(passages, memory)
  await resolveAll(passages, memory, batch)
  for (const passage of passages) {
    if (passage.outcome !== null) continue
    try {
      learnWanted(passage, batch, now)
    } catch (error) {
      refuseUnreadable(passage, error, batch)
    }
  }
}

/** Finds the collection of each exchange that has none; hosts seen for the first time get one. */
async function placeAll(passages: readonly Passage[], memory: Memory): Promise<void> {
  const ids = new Set<number>()
  const hosts = new Map<string, { at: number; tags: Exchange['tags'] }>()
  const unplaced = passages.filter(({ collection }) => collection === null)
  for (const { exchange, placement, view } of unplaced) {
    if ('collectionId' in placement) ids.add(placement.collectionId)
    else hosts.set(view!.target.host, { at: exchange.at, tags: exchange.tags })
  }
  if (ids.size > 0) await memory.loadCollections(ids)
  if (hosts.size > 0) await memory.loadHosts(hosts)
  for (const passage of unplaced) place(passage, collectionOf(passage, memory))
}

function isUnplaceable(passage: Passage): boolean {
  if ('collectionId' in passage.placement || passage.view!.target.host !== '') return false
  const problem = requestHostProblem(passage.exchange.request)
  const missing = 'the message names no host: send a host header or an absolute URL'
  refuse(passage, REJECTED, problem ?? missing)
  return true
}

function collectionOf({ placement, view }: Passage, memory: Memory): CollectionState | undefined {
  return 'collectionId' in placement
    ? memory.collections.get(placement.collectionId)
    : memory.collectionByHost(view!.target.host)
}

function place(passage: Passage, collection: CollectionState | undefined): void {
  if (collection === undefined) refuse(passage, REJECTED, 'the collection does not exist')
  else if (collection.kind === 'GROUP') refuse(passage, REJECTED, 'the collection is a group')
  else if (collection.isDeactivated) refuse(passage, 'deactivated', 'the collection is deactivated')
  else passage.collection = collection
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
async function resolveAll(passages: readonly Passage[], memory: Memory, batch: Batch): Promise<void> {
  const missing = new Map<string, Wanted>()
  for (const passage of passages) {
    if (passage.outcome !== null) continue
    const trie = await memory.trie(passage.collection!, originOf(passage))
    try {
      passage.wanted ??= resolveNew(passage, trie, batch)
    } catch (error) {
      refuseUnreadable(passage, error, batch)
      continue
    }
    for (const want of passage.wanted) {
      const key = endpointKey(want.method, want.url)
      if (!want.collection.endpoints.has(key)) missing.set(`${want.collection.id} ${key}`, want)
    }
  }
  if (missing.size > 0) await memory.loadEndpoints([...missing.values()])
}

/** Learns an exchange at the endpoints its path was resolved to, and remembers them for its exact path. */
function learnWanted(passage: Passage, batch: Batch, now: EpochSeconds): void {
  for (const want of passage.wanted!) {
    const state = endpointOf(want, passage.exchange.at, batch)
    const { path, keys, isSplit, parameters } = want
    passage.collection!.remember(methodOf(passage), targetKey(passage), {
      endpoint: state,
      path,
      keys,
      isSplit,
      parameters,
      standing: null,
    })
    learn(passage, state, parameters, batch, now)
  }
}

/** The straight path: method and path were met before in exactly this spelling. */
function knownTarget(passage: Passage): KnownTarget | null {
  const { collection } = passage
  const view = passage.view!
  const method = methodOf(passage)
  const known = collection!.known(method, targetKey(passage))
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

function methodOf({ exchange }: Passage): string {
  return endpointMethod(exchange.request.method)
}

function originOf(passage: Passage): string {
  return passage.collection!.usesAbsoluteUrls ? passage.view!.target.origin : ''
}

function targetKey(passage: Passage): string {
  const { target } = passage.view!
  return passage.collection!.usesAbsoluteUrls ? `${target.origin}${target.path}` : target.path
}

/** Admission, protocol and template of an exchange whose path is new here; refused ones get their outcome. */
function resolveNew(passage: Passage, trie: PathTrie, batch: Batch): Wanted[] {
  const collection = passage.collection!
  const view = passage.view!
  const { exchange } = passage
  const method = methodOf(passage)
  const origin = originOf(passage)
  const normal = normalisePath(view.target.path)
  const found = trie.find(method, normal.path)
  const admission = admit(exchange, { isKnownPath: found.isKnown })
  if (!admission.admitted) {
    if (admission.rule === 'probe') noteProbe(passage, normal.path, batch)
    refuse(passage, admission.rule, admission.reason)
    return []
  }
  const logical = logicalOperationsOf(view)
  const evidence = new PathEvidence(view, method, normal.path, null)
  const resolution = trie.observe(evidence, found)
  const parameters = pathParameters(resolution.params, normal.matrix)
  const template = `${origin}${resolution.template}`
  if (Buffer.byteLength(template) > MAX_URL_BYTES) {
    refuse(passage, REJECTED, `its path without parameters is longer than ${MAX_URL_BYTES} bytes`)
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

function noteProbe(passage: Passage, path: string, batch: Batch): void {
  const { exchange } = passage
  batch.addProbe({
    collectionId: passage.collection!.id,
    method: methodOf(passage),
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
function callerSlot(state: EndpointState, exchange: Exchange): string | null {
  const { status } = exchange.response
  if (status < 200 || status > 399 || !state.hasCallerRoom) return null
  return state.callerSlot(callerMark(exchange))
}

function learn(
  passage: Passage,
  state: EndpointState,
  parameters: readonly PathParameter[],
  batch: Batch,
  now: EpochSeconds,
): void {
  const { exchange } = passage
  const { status } = exchange.response
  const { isRedacted } = passage.collection!
  const learned = learnExchange(state, passage.view!, parameters, batch, !isRedacted)
  if (state.isChanged) batch.changedEndpoints.add(state)
  passage.outcome = TAKEN
  passage.endpoint ??= state
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
