/**
 * Cost of telling the protocol of one exchange whose body is already parsed, in nanoseconds.
 * Run: node bench/logical-operations.ts
 */
import type { OperationView } from '../src/inventory/protocols/index.ts'
import { logicalOperationsOf } from '../src/inventory/protocols/index.ts'

/** CPU time of this process, so that other work on the machine weighs less than with a clock. */
function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

function view(method: string, target: string, requestType: string, body: string): OperationView {
  const [path = '', query = ''] = target.split('?', 2)
  const headers = ['host', 'shop.test', 'content-type', requestType, 'accept', 'application/json']
  return {
    exchange: {
      request: { method, target, version: 'HTTP/1.1', headers, body },
      response: { status: 200, reason: 'OK', headers: [], body: '' },
      at: 0,
      clientIp: '',
      serverIp: '',
      source: 'OTHER',
      direction: 1,
      vxlanId: 0,
    },
    target: { path, query },
    requestHeaders: headers,
    requestType,
    responseType: 'application/json',
    query: Object.fromEntries(new URLSearchParams(query)),
    requestBody: body === '' ? undefined : JSON.parse(body),
  }
}

const CASES: readonly (readonly [string, OperationView])[] = [
  ['REST without body', view('GET', '/api/orders/5?page=2', '', '')],
  [
    'REST with JSON body',
    view('POST', '/api/orders', 'application/json', '{"email":"a@b.test","items":[{"id":1}]}'),
  ],
  [
    'search text under query',
    view('POST', '/api/search', 'application/json', '{"query":"red shoes","page":1}'),
  ],
  [
    'GraphQL, document met before',
    view('POST', '/graphql', 'application/json', '{"query":"query A { orders { id } me { id } }"}'),
  ],
  ['JSON-RPC', view('POST', '/rpc', 'application/json', '{"jsonrpc":"2.0","id":1,"method":"eth_call"}')],
]
const ROUNDS = 500_000
for (const [label, sample] of CASES) {
  let operations = 0
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4; round++) {
    const start = cpuNanoseconds()
    for (let i = 0; i < ROUNDS; i++) operations += logicalOperationsOf(sample).operations.length
    best = Math.min(best, (cpuNanoseconds() - start) / ROUNDS)
  }
  console.log(`${label}: ${best.toFixed(0)} ns per exchange (${operations / ROUNDS / 4} operations)`)
}
