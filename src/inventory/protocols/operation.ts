import type { LiveExchange } from '../../http/index.ts'

/** Names on the wire. Other protocols are REST there and told apart by the attribute `protocol`. */
type ApiType = 'REST' | 'GRAPHQL' | 'GRPC' | 'SOAP' | 'WEBSOCKET'

type OperationAttributes = Readonly<Record<string, string | number | boolean>>

/** One thing that an exchange asks for. */
export interface LogicalOperation {
  /** What follows the path in the endpoint's URL; '' for plain requests. Its parts are names and never templates. */
  readonly pathSuffix: string
  /** The request's method, or WS for a WebSocket. */
  readonly method: string
  /** Name of the operation in its protocol; '' for plain requests. */
  readonly name: string
  readonly attributes: OperationAttributes
}

export interface LogicalOperations {
  readonly apiType: ApiType
  /** At least one. */
  readonly operations: readonly LogicalOperation[]
}

/** What is looked at of an exchange; the engine's view has all of it. */
export interface OperationView {
  readonly exchange: LiveExchange
  readonly target: { readonly path: string; readonly query: string }
  /** name, value, …; names in lower case. */
  readonly requestHeaders: readonly string[]
  readonly requestType: string
  readonly responseType: string
  readonly query: Readonly<Record<string, unknown>>
  /** Decoded body; undefined when there is none or it is opaque. */
  readonly requestBody: unknown
}

/** Operations kept of one batch. */
export const MAX_BATCH = 50

/** An object with names as keys, or undefined for lists, texts and the rest. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

/** Operations without those whose URL repeats an earlier one. */
export function distinct(operations: readonly LogicalOperation[]): LogicalOperation[] {
  const seen = new Set<string>()
  return operations.filter((operation) => {
    if (seen.has(operation.pathSuffix)) return false
    seen.add(operation.pathSuffix)
    return true
  })
}
