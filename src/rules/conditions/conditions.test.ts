import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../lookups.ts'
import { MessageView } from '../messages/message-view.ts'
import { percentage, schemaPercentage } from '../percentages.ts'
import { Variables } from '../variables/variables.ts'
import type { Problem } from '../yaml/node.ts'
import { readYaml } from '../yaml/read-yaml.ts'
import { compileCondition } from './compile-condition.ts'
import { evaluate } from './evaluate.ts'

interface Message {
  target?: string
  headers?: string[]
  body?: string
  status?: number
  responseHeaders?: string[]
  response?: string
}

function view(message: Message): MessageView {
  const exchange: Exchange = {
    request: {
      method: 'POST',
      target: message.target ?? 'https://shop.example/orders/7?user_id=7&empty=&q=a%20b',
      version: 'HTTP/1.1',
      headers: message.headers ?? ['host', 'shop.example'],
      body: message.body ?? '',
    },
    response: {
      status: message.status ?? 200,
      reason: '',
      headers: message.responseHeaders ?? ['content-type', 'application/json'],
      body: message.response ?? '',
    },
    at: 1,
    clientIp: '203.0.113.9',
    serverIp: '',
    source: 'OTHER',
    direction: 1,
    vxlanId: 0,
  }
  return new MessageView(exchange)
}

function compile(yaml: string) {
  const problems: Problem[] = []
  const { root } = readYaml(yaml)
  const condition = root === null ? null : compileCondition(root, 'test', problems)
  return { condition, problems }
}

function run(yaml: string, message: Message, variables = new Variables(), attempt: Message | null = null) {
  const { condition, problems } = compile(yaml)
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const judgement = evaluate(condition!, {
    phase: attempt === null ? 'filter' : 'validate',
    endpoint: { collectionId: 1, url: '/orders/INTEGER', method: 'POST' },
    sample: view(message),
    attempt: attempt === null ? null : view(attempt),
    variables,
    lookups: EMPTY_LOOKUPS,
  })
  return { holds: judgement.holds, variables, reasons: judgement.reasons }
}

describe('values of a body', () => {
  const five = { body: '{"n":5}' }
  test.each([
    ['regex: "5"', false],
    ['eq: 5', true],
    ['eq: "5"', true],
  ])('a JSON number against %s gives %s', (operator, holds) => {
    expect(run(`request_payload: { for_one: { value: { ${operator} } } }`, five).holds).toBe(holds)
  })
})

test('only the first operand of an equality counts', () => {
  expect(run('response_code: { eq: [200, 201] }', { status: 201 }).holds).toBe(false)
  expect(run('response_code: { or: [{ eq: 200 }, { eq: 201 }] }', { status: 201 }).holds).toBe(true)
})

test.each([
  ['{}', 'eq: 0', true],
  ['', 'eq: 0', false],
  ['', 'gt: 0', false],
  ['{"a":1}', 'eq: 5', true],
])('the length of %s satisfies %s: %s', (response, operator, holds) => {
  expect(run(`response_payload: { length: { ${operator} } }`, { response }).holds).toBe(holds)
})

test('percentages compare values and shapes', () => {
  expect(percentage('{"a":1,"b":2}', '{"a":1,"b":3}')).toBe(50)
  expect(schemaPercentage('{"a":1,"b":2}', '{"a":1,"b":3}')).toBe(100)
  expect(percentage('{"a":[1,2,2]}', '{"a":[2,1]}')).toBe(100)
  expect(schemaPercentage('{"a":[1,2]}', '{"a":[1]}')).toBe(50)
  expect(percentage('', '{}')).toBe(100)
})

test('a negation holds when some key satisfies it, under for_all when every key does', () => {
  const message = { body: '{"id":1,"name":"x"}' }
  expect(run('request_payload: { key: { not_contains: id } }', message).holds).toBe(true)
  expect(run('request_payload: { for_all: { key: { not_contains: id } } }', message).holds).toBe(false)
})

test('a key is captured whose own value matches, whatever the order of key and value', () => {
  const message = { body: '{"a":"y","b":"x"}' }
  const first = run(
    'request_payload: { for_one: { key: { regex: .*, extract: k }, value: { eq: x } } }',
    message,
  )
  expect([first.holds, first.variables.get('k')]).toEqual([true, 'b'])
  const second = run('request_payload: { for_one: { value: { eq: x }, key: { extract: k } } }', message)
  expect([second.holds, second.variables.get('k')]).toEqual([true, 'b'])
})

test('of two places that capture the same variable the first that matches wins', () => {
  const yaml = `or:
  - request_payload: { for_one: { key: { regex: (^|_)user_?id$, extract: k } } }
  - query_param: { for_one: { key: { regex: (^|_)user_?id$, extract: k } } }`
  expect(run(yaml, { body: '{"userid":1}' }).variables.get('k')).toBe('userid')
  expect(run(yaml, { body: '{"other":1}' }).variables.get('k')).toBe('user_id')
})

test('a sibling that does not hold keeps no later one from capturing', () => {
  const result = run(
    'response_code: { eq: 500 }\nquery_param: { for_one: { key: { eq: user_id, extract: k } } }',
    {},
  )
  expect([result.holds, result.variables.get('k')]).toEqual([false, 'user_id'])
})

test('nothing is captured in a collection that does not hold', () => {
  const result = run('request_payload: { for_one: { key: { eq: a, extract: k }, value: { eq: 9 } } }', {
    body: '{"a":1}',
  })
  expect([result.holds, result.variables.get('k')]).toEqual([false, undefined])
})

test('values are captured as lists, bodies as texts, statuses as texts', () => {
  const { variables } = run(
    `request_payload: { for_one: { key: { eq: a }, value: { regex: .+, extract: v } } }
response_payload: { extract: body }
response_code: { extract: code }
url: { extract: url }`,
    { body: '{"a":"1","b":"2"}', response: '{"x":1}' },
  )
  expect(variables.get('v')).toEqual(['1'])
  expect(variables.get('body')).toBe('{"x":1}')
  expect(variables.get('code')).toBe('200')
  expect(variables.get('url')).toBe('https://shop.example/orders/7')
})

test('without an attempt only comparisons of variables can hold', () => {
  const { condition } = compile('response_code: { gte: 0 }')
  const { condition: compared } = compile('compare_greater: ["${x2.t}", "${x1.t} * 5"]')
  const variables = new Variables()
  variables.set('x1.t', 10)
  variables.set('x2.t', 60)
  const scene = {
    phase: 'validate',
    endpoint: { collectionId: 1, url: '/', method: 'GET' },
    sample: view({}),
    attempt: null,
    variables,
    lookups: EMPTY_LOOKUPS,
  } as const
  expect(evaluate(condition!, scene).holds).toBe(false)
  expect(evaluate(compared!, scene).holds).toBe(true)
  variables.set('x2.t', 40)
  expect(evaluate(compared!, scene).holds).toBe(false)
})

test('a variable that nothing set leaves a comparison false', () => {
  expect(run('compare_greater: ["${x9.t}", 1]', {}).holds).toBe(false)
  expect(run('response_payload: { contains_either: "${nothing}" }', { response: 'abc' }).holds).toBe(false)
})

test('headers are named without case, and cookies by their own names', () => {
  const message = { headers: ['Cookie', 'sid=abc; theme=dark', 'X-Id', '7'] }
  expect(run('request_headers: { for_one: { key: { eq: x-id }, value: { eq: "7" } } }', message).holds).toBe(
    true,
  )
  expect(
    run('request_headers: { for_one: { key: { eq: theme }, value: { eq: dark } } }', message).holds,
  ).toBe(true)
  expect(run('response_headers: { for_all: { key: { neq: x-frame-options } } }', message).holds).toBe(true)
})

test('the judgement explains which node held and what it saw', () => {
  const { reasons } = run('response_code: { gte: 200, lt: 300 }', { status: 404 })
  expect(reasons.children[0]).toMatchObject({
    text: 'response_code',
    holds: false,
    children: [
      { text: 'gte 200', holds: true, observed: '404', line: 1 },
      { text: 'lt 300', holds: false, observed: '404', line: 1 },
    ],
  })
})

describe('what is wrong with a condition is told with its place', () => {
  test.each([
    ['response_code: { equals: 200 }', 1, 'equals', null],
    ['response_code:\n  gte: 200\n  contains_ether: x', 3, 'contains_ether', 'contains_either'],
    ['url: { response_code: { eq: 1 } }', 1, 'below another term', null],
    ['for_one: { key: { eq: a } }', 1, 'needs a term', null],
    ['eq: 5', 1, 'needs a term', null],
    ['response_code: { key: { eq: a } }', 1, 'has no names', null],
    ['response_payload: {}', 1, 'missing', null],
    ['response_payload: { contains_either: [{ a: 1 }] }', 1, 'Texts, numbers', null],
    ['source_ip: { contains_either_cidr: [not-a-range] }', 1, 'no range', null],
  ])('%s', (yaml, line, words, nearest) => {
    const { condition, problems } = compile(yaml)
    expect(condition).toBeNull()
    expect(problems[0]!.place.line).toBe(line)
    expect(problems[0]!.message).toContain(words)
    if (nearest !== null) expect(problems[0]!.nearest).toBe(nearest)
  })
})
