import type { DataSource, LiveExchange, ScannedRequest, ScannedResponse } from '../../../http/index.ts'
import { accessTypeOf } from '../../access-type.ts'
import { authKindsOf } from '../../auth-kinds/index.ts'
import type { BatchCounts, EndpointState, Fact, KeyTree } from '../state/index.ts'
import {
  type CallTraits,
  type LearningContext,
  learnCookies,
  learnScannedHeader,
  learnSetCookie,
  learnValue,
  NO_TYPES,
  outcomeOf,
} from '../values/index.ts'
import type { ExchangeView } from './exchange-view.ts'
import { learnBody } from './learn-body.ts'

const UNAUTHENTICATED = 'UNAUTHENTICATED'
/** Sources that leave credentials out: that none is seen does not mean that none was sent. */
const WITHOUT_CREDENTIALS: ReadonlySet<DataSource> = new Set(['ACCESS_LOG', 'OPEN_TELEMETRY'])
const MAX_ANONYMOUS_CLIENTS = 8

/** A parameter of a path with the value observed: a whole segment, or a matrix parameter of one (RFC 3986 section 3.3). */
export interface PathParameter {
  /** Which segment it is, or belongs to. */
  readonly index: number
  /** Of a matrix parameter; '' for the segment itself. */
  readonly name: string
  readonly value: string
}

/** What learning adds to of the transaction that the message is written with, and by which rules. */
type LearningBatch = BatchCounts & Pick<LearningContext, 'rules' | 'fastPaths'>

/** What {@link learnExchange} found out for the sample and the row. */
interface Learned {
  credential: string
  isSensitive: boolean
}

/** Teaches an endpoint one exchange: parameters, types, credentials, access, codes and calls. */
export function learnExchange(
  endpoint: EndpointState,
  view: ExchangeView,
  parameters: readonly PathParameter[],
  batch: LearningBatch,
  keepsValues: boolean,
): Learned {
  const { exchange } = view
  const { at } = exchange
  const { status } = exchange.response
  const context: LearningContext = {
    at,
    touched: batch.touched,
    pending: batch.pending,
    keepsValues,
    rules: batch.rules,
    fastPaths: batch.fastPaths,
    sensitiveInRequest: NO_TYPES,
    sensitiveInResponse: NO_TYPES,
  }
  learnRequest(endpoint, view, parameters, context)
  learnResponse(endpoint, view, context)
  const credential = credentialOf(view)
  const traits: CallTraits = {
    status,
    outcome: outcomeOf(status, view.responseHeader('location')),
    credential:
      credential === UNAUTHENTICATED && WITHOUT_CREDENTIALS.has(exchange.source) ? null : credential,
    access: accessTypeOf(view),
    source: exchange.source,
    sensitiveInRequest: context.sensitiveInRequest,
    sensitiveInResponse: context.sensitiveInResponse,
  }
  if (!batch.fastPaths.countCall(endpoint, traits, at, batch.pending))
    learnTraits(endpoint, traits, exchange, batch)
  if (at > endpoint.lastSeen) endpoint.lastSeen = at
  if (at < endpoint.firstSeen) {
    endpoint.firstSeen = at
    endpoint.isChanged = true
  }
  // A document describes calls; it is none.
  if (exchange.source !== 'OPEN_API') {
    endpoint.calls++
    batch.countCall(endpoint, at, status, exchange.clientIp)
    if (exchange.durationMs !== undefined) batch.countDuration(endpoint, at, exchange.durationMs)
  }
  return {
    credential,
    isSensitive: context.sensitiveInRequest.length + context.sensitiveInResponse.length > 0,
  }
}

function learnRequest(
  endpoint: EndpointState,
  view: ExchangeView,
  parameters: readonly PathParameter[],
  context: LearningContext,
): void {
  learnHeaders(endpoint, view.scanned?.request ?? view.requestHeaders, -1, context)
  const { pairs } = view.parsedQuery
  if (pairs.length > 0) {
    const tree = endpoint.tree('QUERY', -1)
    for (let i = 0; i < pairs.length; i++) {
      const { name, value } = pairs[i]!
      const node = tree.childAt(tree.root, i, name)
      if (node) learnValue(tree, node, value, 'QUERY', context)
    }
  }
  if (parameters.length > 0) {
    const tree = endpoint.tree('PATH', -1)
    for (let i = 0; i < parameters.length; i++) {
      const { index, name, value } = parameters[i]!
      const segment = tree.childAt(tree.root, i, String(index))
      const node = name === '' || segment === null ? segment : tree.child(segment, name)
      if (node) learnValue(tree, node, value, 'PATH', context)
    }
  }
  const hasBody = view.scanned === null ? view.exchange.request.body !== '' : view.scanned.request.hasBody
  if (hasBody) learnRequestBody(endpoint.tree('REQUEST_BODY', -1), view, context)
}

function learnRequestBody(tree: KeyTree, view: ExchangeView, context: LearningContext): void {
  const message = view.scanned?.request ?? view.exchange.request
  if (context.fastPaths.learnBody(tree, message, 'REQUEST_PAYLOAD', context)) {
    view.bodyNamesNoCredential = !tree.namesCredential
    return
  }
  const body = view.requestBody
  if (body !== undefined) learnBody(tree, body, 'REQUEST_PAYLOAD', context)
}

function learnResponse(endpoint: EndpointState, view: ExchangeView, context: LearningContext): void {
  const { response } = view.exchange
  const code = response.status
  const scanned = view.scanned?.response
  learnHeaders(endpoint, scanned ?? view.responseHeaders, code, context)
  if (scanned === undefined ? response.body === '' : !scanned.hasBody) return
  const tree = endpoint.tree('RESPONSE_BODY', code)
  if (context.fastPaths.learnBody(tree, scanned ?? response, 'RESPONSE_PAYLOAD', context)) return
  const body = view.responseBody
  if (body !== undefined) learnBody(tree, body, 'RESPONSE_PAYLOAD', context)
}

/** @param code of the response whose headers they are; -1: the request's */
function learnHeaders(
  endpoint: EndpointState,
  headers: readonly string[] | ScannedRequest | ScannedResponse,
  code: number,
  context: LearningContext,
): void {
  const location = code === -1 ? 'REQUEST_HEADER' : 'RESPONSE_HEADER'
  const tree = endpoint.tree(location, code)
  if ('layout' in headers) {
    if (context.fastPaths.learnHeaders(endpoint, tree, headers, context)) return
    for (let position = 0; position < headers.layout.lower.length; position++)
      learnScannedHeader(endpoint, tree, headers, position, context)
    return
  }
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]!
    if (name === 'cookie' && code === -1) {
      learnCookies(endpoint, headers[i + 1]!, context)
      continue
    }
    if (name === 'set-cookie' && code !== -1) {
      learnSetCookie(tree, headers[i + 1]!, context)
      continue
    }
    const node = tree.childAt(tree.root, i >> 1, name)
    if (node) learnValue(tree, node, headers[i + 1], location, context)
  }
}

function credentialOf(view: ExchangeView): string {
  const kinds = authKindsOf(view)
  return kinds.length === 0 ? UNAUTHENTICATED : combinationOf(kinds)
}

/** Learns what a call says beside its parameters; calls like it are counted together from then on. */
function learnTraits(
  endpoint: EndpointState,
  traits: CallTraits,
  exchange: LiveExchange,
  batch: LearningBatch,
): void {
  const { status, outcome, credential, access, source } = traits
  const { at, clientIp } = exchange
  const facts: Fact[] = []
  if (credential !== null) {
    endpoint.addTo(endpoint.credentials, credential)
    facts.push(endpoint.plainFact('AUTH', credential, outcome, at))
  }
  if (access !== null) {
    endpoint.addTo(endpoint.access, access)
    facts.push(endpoint.plainFact('ACCESS', access, '', at))
  }
  for (const fact of facts) fact.touch(at, batch.touched)
  if (status > 0) endpoint.addTo(endpoint.codes, status)
  for (const type of traits.sensitiveInRequest) endpoint.addTo(endpoint.sensitiveInRequest, type)
  for (const type of traits.sensitiveInResponse) endpoint.addTo(endpoint.sensitiveInResponse, type)
  if (!endpoint.sources.has(source)) {
    endpoint.sources.set(source, at)
    endpoint.isChanged = true
  }
  if (credential === UNAUTHENTICATED && endpoint.anonymousClients.size < MAX_ANONYMOUS_CLIENTS) {
    endpoint.anonymousClients.add(clientIp)
    return
  }
  batch.fastPaths.noteCall(endpoint, traits, facts)
}

/** Texts of the few combinations that occur; the lists themselves are shared by all exchanges that have them. */
const combinations = new WeakMap<readonly string[], string>()

function combinationOf(kinds: readonly string[]): string {
  const known = combinations.get(kinds)
  if (known !== undefined) return known
  const text = kinds.join(',')
  combinations.set(kinds, text)
  return text
}
