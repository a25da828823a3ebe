import type { LogicalOperation, LogicalOperations, OperationView } from './operation.ts'
import { asObject, distinct, MAX_BATCH } from './operation.ts'

/** Names that may be part of a URL: method names of the protocol, never free text. */
const METHOD_NAME = /^[A-Za-z_$][\w.$/:-]{0,127}$/
/** Methods of the Model Context Protocol, which speaks JSON-RPC. */
const MCP_METHOD =
  /^(?:initialize|ping|completion\/complete|(?:tools|resources|prompts|roots|sampling|logging|notifications|elicitation)\/.+)$/

/**
 * JSON-RPC 2.0 calls of an exchange by the shape of its body, batches split: `/<method>`, and for tool calls of the Model
 * Context Protocol the tool's name as well. Undefined when the body is not a call.
 */
export function jsonRpcOperationsOf(view: OperationView): LogicalOperations | undefined {
  const body = view.requestBody
  const calls = Array.isArray(body) ? body.slice(0, MAX_BATCH) : [body]
  const operations: LogicalOperation[] = []
  for (const call of calls) {
    const operation = operationOf(call, view.exchange.request.method, calls.length)
    if (operation !== undefined) operations.push(operation)
  }
  return operations.length === 0 ? undefined : { apiType: 'REST', operations: distinct(operations) }
}

function operationOf(value: unknown, httpMethod: string, batchSize: number): LogicalOperation | undefined {
  const call = asObject(value)
  if (call === undefined || typeof call['jsonrpc'] !== 'string') return undefined
  const name = call['method']
  if (typeof name !== 'string' || !METHOD_NAME.test(name)) return undefined
  const isMcp = MCP_METHOD.test(name)
  const tool = isMcp && name === 'tools/call' ? asObject(call['params'])?.['name'] : undefined
  const suffix = typeof tool === 'string' && METHOD_NAME.test(tool) ? `/${name}/${tool}` : `/${name}`
  return {
    pathSuffix: suffix,
    method: httpMethod,
    name: suffix.slice(1),
    attributes: { protocol: isMcp ? 'MCP' : 'JSON_RPC', batchSize, isNotification: call['id'] === undefined },
  }
}
