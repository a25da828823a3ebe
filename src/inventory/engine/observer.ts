import type { Exchange } from '../../http/index.ts'
import { type EpochSeconds, nowSeconds } from '../../kit/index.ts'
import { admit, OWN_TRAFFIC_HEADER } from '../admission.ts'
import { normalisePath } from '../path-templates/index.ts'
import { logicalOperationsOf } from '../protocols/index.ts'
import type { Batch } from './batch.ts'
import type { CollectionState } from './collection-state.ts'
import { EndpointState } from './endpoint-state.ts'
import { ExchangeView } from './exchange-view.ts'
import { keyNamesOf } from './learn-body.ts'
import { learnExchange, type PathParameter } from './learn-exchange.ts'
import { endpointKey, type Memory } from './memory.ts'
import type { MessageHash } from './message-hashes.ts'
import type { ExchangeOutcome, Placement } from './port.ts'
import { sampleText } from './sample.ts'
import type { StageClock } from './stages.ts'
import { targetOf } from './target.ts'

/** Key names given to the path engine as evidence, per exchange. */
const MAX_EVIDENCE_KEYS = 200

/** One exchange on its way through a batch. */
export interface Passage {
  readonly exchange: Exchange
  readonly placement: Placement
  /** Position in the sender's call. */
  index: number
  readonly hash: MessageHash
  outcome: ExchangeOutcome | null
  view: ExchangeView | null
  collection: CollectionState | null
  /** Endpoints it belongs to: one, or several for batches of logical operations. */
  endpoints: { state: EndpointState; parameters: readonly PathParameter[] }[]
}

/** An exchange that has just come in. */
export function passageOf(
  exchange: Exchange,
  placement: Placement,
  index: number,
  hash: MessageHash,
): Passage {
  return { exchange, placement, index, hash, outcome: null, view: null, collection: null, endpoints: [] }
}

/** Notes that the same message was accepted before. */
export function markDuplicate(passage: Passage): void {
  refuse(passage, 'duplicate', 'the same message was accepted before')
}

function refuse(passage: Passage, rule: string, reason: string): void {
  passage.outcome = { taken: false, rule, reason }
}

/**
 * Takes exchanges into a batch: finds their collections and endpoints, loads what the store knows of them, and
 * learns them. Afterwards every passage has an outcome.
 */
export async function observeAll(
  passages: readonly Passage[],
  memory: Memory,
  batch: Batch,
  clock: StageClock,
): Promise<void> {
  let mark = clock.now()
  await placeAll(passages, memory)
  mark = clock.add('place', passages.length, mark)
  await resolveAll(passages, memory, batch)
  mark = clock.add('resolve', passages.length, mark)
  const now = nowSeconds()
  for (const passage of passages) {
    if (passage.outcome === null) learn(passage, batch, now)
    // Parsed bodies die young: a batch that holds them to its end makes the collector copy them all.
    passage.view = null
    const { outcome } = passage
    batch.count(passage.exchange.source, outcome!.taken ? 'accepted' : outcome!.rule)
  }
  clock.add('learn', passages.length, mark)
}

/** Finds the collection of each exchange; hosts seen for the first time get one. */
async function placeAll(passages: readonly Passage[], memory: Memory): Promise<void> {
  const ids = new Set<number>()
  const hosts = new Map<string, { at: number; tags: Exchange['tags'] }>()
  for (const passage of passages) {
    if (passage.outcome !== null) continue
    const { exchange, placement } = passage
    passage.view = new ExchangeView(exchange, targetOf(exchange))
    if ('collectionId' in placement) {
      if (!memory.collections.has(placement.collectionId)) ids.add(placement.collectionId)
      continue
    }
    const { host } = passage.view.target
    if (host === '')
      refuse(passage, 'no-host', 'the message names no host: send a host header or an absolute URL')
    else if (!memory.collectionByHost(host)) hosts.set(host, { at: exchange.at, tags: exchange.tags })
  }
  if (ids.size > 0) await memory.loadCollections(ids)
  if (hosts.size > 0) await memory.loadHosts(hosts)
  for (const passage of passages) {
    if (passage.outcome !== null) continue
    const { placement } = passage
    const collection =
      'collectionId' in placement
        ? memory.collections.get(placement.collectionId)
        : memory.collectionByHost(passage.view!.target.host)
    if (collection === undefined) refuse(passage, 'no-collection', 'the collection does not exist')
    else if (collection.kind === 'GROUP') refuse(passage, 'no-collection', 'the collection is a group')
    else if (collection.isDeactivated) refuse(passage, 'deactivated', 'the collection is deactivated')
    else passage.collection = collection
  }
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
  /** Normalised path and key names, as the path engine was told. */
  path: string
  keys: readonly string[]
  /** One of several logical operations of its path. */
  isSplit: boolean
}

/** Finds the endpoints of each exchange, loading or creating those that are not in memory. */
async function resolveAll(passages: readonly Passage[], memory: Memory, batch: Batch): Promise<void> {
  const wanted: { passage: Passage; want: Wanted }[] = []
  for (const passage of passages) {
    if (passage.outcome !== null) continue
    if (resolveKnown(passage)) continue
    for (const want of await resolveNew(passage, memory, batch)) wanted.push({ passage, want })
  }
  const missing = new Map<string, Wanted>()
  for (const { want } of wanted) {
    const key = endpointKey(want.method, want.url)
    if (!want.collection.endpoints.has(key)) missing.set(`${want.collection.id} ${key}`, want)
  }
  if (missing.size > 0) await memory.loadEndpoints([...missing.values()])
  for (const { passage, want } of wanted) {
    const state = endpointOf(want, passage.exchange.at, batch)
    passage.endpoints.push({ state, parameters: want.parameters })
    const { path, keys, isSplit, parameters } = want
    passage.collection!.remember(targetKey(passage), { endpoint: state, path, keys, isSplit, parameters })
  }
}

/** The straight path: method and path were met before in exactly this spelling. */
function resolveKnown(passage: Passage): boolean {
  const { collection, view, exchange } = passage
  const known = collection!.known(targetKey(passage))
  if (known === undefined || known.isSplit || view!.requestHeader(OWN_TRAFFIC_HEADER) !== '') return false
  const trie = collection!.tries.get(known.endpoint.origin)
  const resolution = trie?.observe({
    method: exchange.request.method,
    path: known.path,
    status: exchange.response.status,
    mediaType: view!.responseType,
    keys: known.keys,
    at: exchange.at,
  })
  if (resolution === undefined) return false
  passage.endpoints.push({ state: known.endpoint, parameters: known.parameters })
  return true
}

function targetKey(passage: Passage): string {
  const { target } = passage.view!
  const { method } = passage.exchange.request
  return passage.collection!.usesAbsoluteUrls
    ? `${method} ${target.origin}${target.path}`
    : `${method} ${target.path}`
}

/** Admission, protocol and template of an exchange whose path is new here; refused ones get their outcome. */
async function resolveNew(passage: Passage, memory: Memory, batch: Batch): Promise<Wanted[]> {
  const collection = passage.collection!
  const view = passage.view!
  const { exchange } = passage
  const { method } = exchange.request
  const origin = collection.usesAbsoluteUrls ? view.target.origin : ''
  const trie = await memory.trie(collection, origin)
  const normal = normalisePath(view.target.path)
  const isKnownPath = trie.resolve(method, normal.path) !== null
  const admission = admit(exchange, { isKnownPath })
  if (!admission.admitted) {
    if (admission.rule === 'probe') noteProbe(passage, normal.path, batch)
    refuse(passage, admission.rule, admission.reason)
    return []
  }
  const logical = logicalOperationsOf(view)
  const keys = evidenceKeys(view)
  const resolution = trie.observe({
    method,
    path: normal.path,
    status: exchange.response.status,
    mediaType: view.responseType,
    keys,
    at: exchange.at,
    route: exchange.route,
  })
  const parameters = resolution.params.map(({ index, value }) => ({ index, value }))
  return logical.operations.map((operation) => ({
    collection,
    method: operation.method,
    url: `${origin}${resolution.template}${operation.pathSuffix}`,
    origin,
    isTemplate: resolution.isTemplate,
    apiType: logical.apiType,
    attributes: operation.attributes,
    parameters,
    path: normal.path,
    keys,
    isSplit: logical.operations.length > 1 || operation.pathSuffix !== '',
  }))
}

function noteProbe(passage: Passage, path: string, batch: Batch): void {
  const { exchange } = passage
  batch.addProbe({
    collectionId: passage.collection!.id,
    method: exchange.request.method,
    path: path.slice(0, 1024),
    status: exchange.response.status,
    count: 1,
    at: exchange.at,
    ip: exchange.clientIp,
  })
}

/** Key lists met lately: exchanges of one endpoint share theirs instead of each holding its own. */
const keyLists = new Map<string, readonly string[]>()
const MAX_KEY_LISTS = 2000

function evidenceKeys(view: ExchangeView): readonly string[] {
  const names: string[] = []
  if (view.requestBody !== undefined) keyNamesOf(view.requestBody, '>', MAX_EVIDENCE_KEYS, names)
  if (view.responseBody !== undefined) keyNamesOf(view.responseBody, '<', MAX_EVIDENCE_KEYS, names)
  const text = names.join(' ')
  const known = keyLists.get(text)
  if (known !== undefined) return known
  if (keyLists.size >= MAX_KEY_LISTS) keyLists.clear()
  keyLists.set(text, names)
  return names
}

function endpointOf(want: Wanted, at: number, batch: Batch): EndpointState {
  const key = endpointKey(want.method, want.url)
  const known = want.collection.endpoints.get(key)
  if (known !== undefined) return known
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

function learn(passage: Passage, batch: Batch, now: EpochSeconds): void {
  const view = passage.view!
  const collection = passage.collection!
  const { exchange } = passage
  for (const { state, parameters } of passage.endpoints) {
    const learned = learnExchange(state, view, parameters, batch, !collection.isRedacted)
    if (state.isChanged) batch.changedEndpoints.add(state)
    const slot = state.sampleSlot(exchange.response.status, learned.credential, now)
    if (slot === null) continue
    state.sampleSlots.add(slot)
    batch.samples.push({
      endpointId: () => state.id,
      slot,
      at: exchange.at,
      status: exchange.response.status,
      message: sampleText(exchange, collection.isRedacted),
      isSensitive: learned.isSensitive,
    })
  }
  passage.outcome = { taken: true, endpointId: passage.endpoints[0]?.state.id ?? 0 }
}
