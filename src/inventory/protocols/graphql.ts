import { storable } from '../../kit/index.ts'
import type { GraphqlOperation } from './graphql-document.ts'
import { graphqlOperations } from './graphql-document.ts'
import type { LogicalOperation, LogicalOperations, OperationView } from './operation.ts'
import { asObject, distinct, MAX_BATCH } from './operation.ts'

const MAX_PERSISTED = 10_000
const MAX_PERSISTED_CHARS = 16_000
const NAME = /^[_A-Za-z]\w{0,127}$/

/** Hash of a persisted query → its text, learned from requests that carry both. Bounded; the oldest leave first. */
const persisted = new Map<string, string>()

/** One request as GraphQL over HTTP has it, in a body or in the query. */
interface GraphqlRequest {
  readonly query: string | undefined
  readonly operationName: string
  readonly hash: string | undefined
}

/**
 * GraphQL operations of an exchange, told by the shape of its body or query and not by its address: one per field at the
 * top (`/query/orders`), whatever the client calls its operation, so that aliases and names do not multiply endpoints.
 * Undefined when it is not GraphQL.
 */
export function graphqlOperationsOf(view: OperationView): LogicalOperations | undefined {
  const requests = requestsOf(view) ?? []
  const { method } = view.exchange.request
  const operations: LogicalOperation[] = []
  for (const request of requests.slice(0, MAX_BATCH)) {
    for (const operation of operationsOf(request))
      addFields(operations, operation, request, method, requests.length)
  }
  if (operations.length > 0) return { apiType: 'GRAPHQL', operations: distinct(operations) }
  // A document that does not parse is an error of a client, where the address leaves no doubt about the protocol.
  return /graphql/i.test(view.target.path)
    ? {
        apiType: 'GRAPHQL',
        operations: [{ pathSuffix: '', method, name: '', attributes: { protocol: 'GRAPHQL' } }],
      }
    : undefined
}

function requestsOf(view: OperationView): readonly GraphqlRequest[] | undefined {
  const body = view.requestBody
  if (view.exchange.request.method === 'GET' || view.exchange.request.method === 'HEAD')
    return requestsOfQuery(view)
  if (Array.isArray(body)) {
    const requests = body.map(requestOf)
    return requests.length > 0 && requests.every((request) => request !== undefined) ? requests : undefined
  }
  const single = requestOf(body) ?? requestOf(uploadOperations(body)) ?? rawDocument(view)
  return single === undefined ? requestsOfQuery(view) : [single]
}

function requestsOfQuery(view: OperationView): readonly GraphqlRequest[] | undefined {
  const { query } = view.target
  if (!query.includes('query=') && !query.includes('extensions=')) return undefined
  const { extensions, ...rest } = view.query
  const request = requestOf({
    ...rest,
    extensions: typeof extensions === 'string' ? parsed(extensions) : undefined,
  })
  return request === undefined ? undefined : [request]
}

function requestOf(value: unknown): GraphqlRequest | undefined {
  const body = asObject(value)
  if (body === undefined) return undefined
  const hash = asObject(asObject(body['extensions'])?.['persistedQuery'])?.['sha256Hash']
  const query = typeof body['query'] === 'string' ? body['query'] : undefined
  if (typeof hash !== 'string' && (query === undefined || graphqlOperations(query) === undefined))
    return undefined
  const operationName = typeof body['operationName'] === 'string' ? body['operationName'] : ''
  return { query, operationName, hash: typeof hash === 'string' ? hash.slice(0, 128) : undefined }
}

/** The multipart form for uploads: `operations` holds the request, `map` says where the files go. */
function uploadOperations(value: unknown): unknown {
  const body = asObject(value)
  const operations = body?.['operations']
  return typeof operations === 'string' && body?.['map'] !== undefined ? parsed(operations) : operations
}

function rawDocument(view: OperationView): GraphqlRequest | undefined {
  if (!view.requestType.startsWith('application/graphql')) return undefined
  const { body } = view.exchange.request
  return graphqlOperations(body) === undefined
    ? undefined
    : { query: body, operationName: '', hash: undefined }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A parameter that only shares its name with GraphQL's.
    return undefined
  }
}

/** The operations that the request runs: the named one, or all when none is named. */
function operationsOf(request: GraphqlRequest): readonly GraphqlOperation[] {
  const text = request.query ?? (request.hash === undefined ? undefined : persisted.get(request.hash))
  if (request.query !== undefined && request.hash !== undefined)
    rememberPersisted(request.hash, request.query)
  const all = text === undefined ? undefined : graphqlOperations(text)
  if (all === undefined) return request.hash === undefined ? [] : [unknownOperation(request.operationName)]
  const named = all.filter((operation) => operation.name === request.operationName)
  return request.operationName !== '' && named.length > 0 ? named : all
}

function rememberPersisted(hash: string, query: string): void {
  if (query.length > MAX_PERSISTED_CHARS) return
  if (persisted.size >= MAX_PERSISTED && !persisted.has(hash)) {
    const oldest = persisted.keys().next().value
    if (oldest !== undefined) persisted.delete(oldest)
  }
  persisted.set(hash, query)
}

/** A persisted query whose text was never seen: the client's name stands for the field, its ending tells the type. */
function unknownOperation(name: string): GraphqlOperation {
  const type = name.endsWith('Mutation')
    ? 'mutation'
    : name.endsWith('Subscription')
      ? 'subscription'
      : 'query'
  const field = NAME.test(name) ? name : 'persisted'
  return { type, name, fields: [field], depth: 0, aliases: 0, isIntrospection: false }
}

function addFields(
  operations: LogicalOperation[],
  operation: GraphqlOperation,
  request: GraphqlRequest,
  method: string,
  batchSize: number,
): void {
  const named = operation.fields.filter((field) => field !== '__typename')
  for (const field of named.length > 0 ? named : operation.fields) {
    if (operations.length >= MAX_BATCH) return
    operations.push({
      pathSuffix: `/${operation.type}/${field}`,
      method,
      name: field,
      attributes: {
        protocol: 'GRAPHQL',
        operationType: operation.type,
        operationName: storable(operation.name || request.operationName),
        depth: operation.depth,
        aliases: operation.aliases,
        batchSize,
        isIntrospection: operation.isIntrospection,
        isPersisted: request.hash !== undefined,
      },
    })
  }
}
