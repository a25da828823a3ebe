import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { narrowSample } from './narrow-operation.ts'

function narrowed(path: string, url: string, body: unknown, answer: unknown): [string, string] {
  const plain = rawSample(`POST ${path} HTTP/1.1\nhost: shop.test\n\n${JSON.stringify(body)}`)
  const sample = { ...plain, response: { ...plain.response, body: JSON.stringify(answer) } }
  const { request, response } = narrowSample(sample, url)
  return [request.body, response.body]
}

const ORDERS = { query: 'query A { ...top } fragment top on Query { orders { id } }', variables: { n: 1 } }
const PAY = { query: 'mutation { paid: pay(id: 1) { ok } }' }
const BOTH = { operationName: 'Two', query: 'query One { orders { id } } query Two { users { id } }' }

test('of a GraphQL batch the entry of the endpoint stays, with its answer', () => {
  const at = (field: string) =>
    narrowed(
      '/graphql?x=1',
      `https://shop.test/graphql/${field}`,
      [ORDERS, PAY, BOTH],
      [{ a: 1 }, { b: 2 }, { c: 3 }],
    )
  expect(at('query/orders')).toEqual([JSON.stringify([ORDERS]), '[{"a":1}]'])
  expect(at('mutation/pay')).toEqual([JSON.stringify([PAY]), '[{"b":2}]'])
  expect(at('query/users')).toEqual([JSON.stringify([BOTH]), '[{"c":3}]'])
  expect(at('query/none')[0], 'nobody asks for it').toContain('orders')
})

test('of a JSON-RPC batch the call stays, with the answer of its id', () => {
  const calls = [
    { jsonrpc: '2.0', id: 1, method: 'cart.get' },
    { jsonrpc: '2.0', id: 'b', method: 'cart.pay', params: [7] },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'search' } },
  ]
  const answers = [
    { jsonrpc: '2.0', id: 3, result: 3 },
    { jsonrpc: '2.0', id: 'b', result: 2 },
  ]
  expect(narrowed('/v1/rpc', '/v1/rpc/cart.pay', calls, answers)).toEqual([
    JSON.stringify([calls[1]]),
    JSON.stringify([answers[1]]),
  ])
  expect(narrowed('/v1/rpc', '/v1/rpc/tools/call/search', calls, answers)).toEqual([
    JSON.stringify([calls[2]]),
    JSON.stringify([answers[0]]),
  ])
  expect(narrowed('/v1/rpc', '/v1/rpc/cart.get', calls, answers)[1], 'no answer has its id').toBe(
    JSON.stringify(answers),
  )
})

test('of a document with several fields at the top that of the endpoint stays, with what it uses', () => {
  const several = {
    query: `query Page($id: ID!, $first: Int) { ...shop cart: basket(id: $id) { ...lines } users(first: $first) { id } }
      fragment shop on Query { orders { id ...lines } basket(id: 3) { id } }
      fragment lines on Lines { name }
      fragment other on User { id }`,
    operationName: 'Page',
    variables: { id: 7, first: 10 },
  }
  const answer = {
    data: { orders: [1], cart: { name: 'x' }, basket: null, users: [] },
    errors: [{ path: ['users', 0], message: 'no' }, { path: ['cart'], message: 'yes' }, { message: 'all' }],
  }
  const at = (field: string) => {
    const [asked, answered] = narrowed('/graphql', `/graphql/query/${field}`, several, answer)
    const { query, ...rest } = JSON.parse(asked) as { query: string }
    return [query.replace(/\s+/g, ' '), rest, JSON.parse(answered)] as const
  }
  expect(at('basket')).toEqual([
    'query Page($id: ID!) { ... on Query { basket(id: 3) { id } } cart: basket(id: $id) { ...lines } } fragment lines on Lines { name }',
    { operationName: 'Page', variables: { id: 7 } },
    {
      data: { cart: { name: 'x' }, basket: null },
      errors: [{ path: ['cart'], message: 'yes' }, { message: 'all' }],
    },
  ])
  expect(at('users')[0]).toBe('query Page($first: Int) { users(first: $first) { id } }')
  expect(at('orders')[2]).toEqual({ data: { orders: [1] }, errors: [{ message: 'all' }] })
  expect(at('none')[0]).toContain('users')
  const [batch, answers] = narrowed('/graphql', '/graphql/query/users', [several, PAY], [answer, { b: 2 }])
  expect(JSON.parse(batch)).toMatchObject([{ variables: { first: 10 } }])
  expect(JSON.parse(answers)).toMatchObject([{ data: { users: [] } }])
})

test('anything that is not a batch, or of a plain endpoint, stays as it is', () => {
  const lists = [
    [1, 2],
    [{ query: '{' }, { query: 'x' }],
    [{ jsonrpc: '2.0' }, null],
  ]
  for (const body of lists) {
    expect(narrowed('/graphql', '/graphql/query/orders', body, {})[0]).toBe(JSON.stringify(body))
    expect(narrowed('/graphql', '/graphql', body, {})[0]).toBe(JSON.stringify(body))
  }
  expect(narrowed('/graphql', '/graphql/query/orders', ORDERS, {})[0]).toBe(JSON.stringify(ORDERS))
})
