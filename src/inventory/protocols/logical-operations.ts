import { ScannedExchange } from '../../http/index.ts'
import { graphqlOperationsOf } from './graphql.ts'
import { jsonRpcOperationsOf } from './json-rpc.ts'
import type { LogicalOperations, OperationView } from './operation.ts'
import { xmlOperationsOf } from './soap.ts'

const NO_ATTRIBUTES = Object.freeze({})
const MAX_METHODS = 64
/** Plain requests differ only in their method: one answer for each, made once. */
const restByMethod = new Map<string, LogicalOperations>()

/**
 * What an exchange asks for, in the terms of its protocol: one operation for plain requests, several for batches. Cheap
 * signs decide first, so an ordinary request costs some property reads.
 */
export function logicalOperationsOf(view: OperationView): LogicalOperations {
  const { request, response } = view.exchange
  if (response.status === 101 || request.method === 'WS') {
    const webSocket = webSocketOperation(view)
    if (webSocket !== undefined) return webSocket
  }
  const special = maySpeakProtocol(view) ? (byBody(view) ?? byQuery(view)) : undefined
  if (special !== undefined) return special
  if (view.responseType.startsWith('text/event-stream')) {
    return restOperation(request.method, { protocol: 'SSE' })
  }
  const known = restByMethod.get(request.method)
  if (known !== undefined) return known
  const plain = restOperation(request.method, NO_ATTRIBUTES)
  if (restByMethod.size < MAX_METHODS) restByMethod.set(request.method, plain)
  return plain
}

/**
 * Cheap signs that an exchange may ask for something its path alone does not tell: what every message of a known path is
 * asked, so bodies are searched as text and not parsed. True for some plain requests as well.
 */
export function maySpeakProtocol(view: Pick<OperationView, 'exchange' | 'target' | 'requestType'>): boolean {
  const { requestType } = view
  const { exchange } = view
  if (exchange.response.status === 101 || requestType.startsWith('application/grpc')) return true
  const { query } = view.target
  if (query !== '' && (query.includes('query=') || query.includes('extensions='))) return true
  if (exchange instanceof ScannedExchange) {
    const { hasBody, holdsSign } = exchange.request
    return hasBody && (speaks(requestType) || holdsSign)
  }
  const { body, bodyIsBase64 } = exchange.request
  if (body === '') return false
  return speaks(requestType) || bodyIsBase64 === true || BODY_SIGNS.some((sign) => body.includes(sign))
}

function speaks(requestType: string): boolean {
  return requestType.includes('xml') || requestType.startsWith('application/graphql')
}

/** What the keys of GraphQL (`query`, `persistedQuery`) and JSON-RPC hold; no quotes, so that the search is fast. `http/scanned` looks for the same. */
const BODY_SIGNS = ['query', 'Query', 'jsonrpc']

function byBody(view: OperationView): LogicalOperations | undefined {
  const { requestType } = view
  if (requestType.startsWith('application/grpc')) return grpcOperation(view)
  if (view.exchange.request.body === '') return undefined
  if (requestType.startsWith('application/graphql')) return graphqlOperationsOf(view)
  const body = view.requestBody
  if (typeof body !== 'object' || body === null) {
    return requestType.includes('xml') ? xmlOperationsOf(view) : undefined
  }
  if (requestType.includes('xml')) return xmlOperationsOf(view)
  const first: unknown = Array.isArray(body) ? body[0] : body
  if (typeof first !== 'object' || first === null) return undefined
  if ('jsonrpc' in first) return jsonRpcOperationsOf(view)
  const isCandidate = 'query' in first || 'extensions' in first || 'operations' in first
  return isCandidate ? graphqlOperationsOf(view) : undefined
}

/** GraphQL over GET, and persisted queries there. */
function byQuery(view: OperationView): LogicalOperations | undefined {
  const { query } = view.target
  if (query === '' || (!query.includes('query=') && !query.includes('extensions='))) return undefined
  return graphqlOperationsOf(view)
}

/** gRPC paths are `/package.Service/Method` (its protocol over HTTP/2); the endpoint's URL is the path itself. */
function grpcOperation(view: OperationView): LogicalOperations | undefined {
  const { path } = view.target
  const slash = path.lastIndexOf('/')
  const service = path.slice(path.lastIndexOf('/', slash - 1) + 1, slash)
  const name = path.slice(slash + 1)
  const attributes = { protocol: 'GRPC', service, method: name }
  return {
    apiType: 'GRPC',
    operations: [
      { pathSuffix: '', method: view.exchange.request.method, name: `${service}/${name}`, attributes },
    ],
  }
}

/** An upgraded connection (RFC 6455), or the messages of one as some sources record them (method WS). */
function webSocketOperation(view: OperationView): LogicalOperations | undefined {
  const isUpgrade =
    view.exchange.request.method === 'WS' ||
    view.requestHeaders.some(
      (text, at) => at % 2 === 0 && (text === 'sec-websocket-key' || text === 'sec-websocket-version'),
    )
  if (!isUpgrade) return undefined
  return {
    apiType: 'WEBSOCKET',
    operations: [{ pathSuffix: '', method: 'WS', name: '', attributes: { protocol: 'WEBSOCKET' } }],
  }
}

function restOperation(method: string, attributes: Readonly<Record<string, string>>): LogicalOperations {
  return { apiType: 'REST', operations: [{ pathSuffix: '', method, name: '', attributes }] }
}
