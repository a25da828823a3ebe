import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS, type Lookups } from '../lookups.ts'
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

function run(
  yaml: string,
  message: Message,
  variables = new Variables(),
  attempt: Message | null = null,
  lookups: Lookups = EMPTY_LOOKUPS,
) {
  const { condition, problems } = compile(yaml)
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const judgement = evaluate(condition!, {
    phase: attempt === null ? 'filter' : 'validate',
    endpoint: { collectionId: 1, url: '/orders/INTEGER', method: 'POST' },
    sample: view(message),
    attempt: attempt === null ? null : view(attempt),
    variables,
    lookups,
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
  for (const yaml of [
    'url: { endpoint_in_traffic_context: false }',
    'response_payload: { extract: body }',
    'response_payload: { not_contains: x }',
  ])
    expect(evaluate(compile(yaml).condition!, scene).holds).toBe(false)
  expect(variables.get('body')).toBeUndefined()
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

test('a cookie header stands for its cookies only where its own name does not satisfy', () => {
  const message = { headers: ['Cookie', 'sid=abc; theme=dark'] }
  const { variables } = run(
    `request_headers:
  for_one: { key: { regex: cookie, extractMultiple: own } }
  and: [{ for_one: { key: { regex: ^(sid|theme)$, extractMultiple: inner } } }]`,
    message,
  )
  expect(variables.get('own')).toEqual(['cookie'])
  expect(variables.get('inner')).toEqual(['sid', 'theme'])
  expect(run('request_headers: { for_all: { key: { eq: sid } } }', message).holds).toBe(true)
})

test('of alternatives under a value the names go on whose values matched', () => {
  const yaml =
    'request_payload: { for_one: { key: { regex: id, extract: k }, value: { or: [{ regex: "^[0-9]+$" }, { eq: 7 }] } } }'
  expect(run(yaml, { body: '{"aid":"x","bid":7}' }).variables.get('k')).toBe('bid')
})

test('every value must satisfy under for_all, and there must be one', () => {
  const yaml = 'request_payload: { for_all: { value: { regex: "^[a-z]$" } } }'
  expect(run(yaml, { body: '{"a":"x","b":"y"}' }).holds).toBe(true)
  expect(run(yaml, { body: '{"a":"x","b":"1"}' }).holds).toBe(false)
  expect(run(yaml, { body: '{}' }).holds).toBe(false)
})

test('all extractions of the first child are carried out when the collection holds', () => {
  const { variables } = run(
    'request_payload: { for_one: { key: { eq: a, extract: k, extractMultiple: all }, value: { eq: 1 } } }',
    { body: '{"a":1}' },
  )
  expect([variables.get('k'), variables.get('all')]).toEqual(['a', ['a']])
})

test('measures, contexts and containers save what they found', () => {
  const { variables } = run(
    `response_payload:
  and:
    - length: { gt: 0, extract: size }
    - percentage_match: { gte: 0, extract: share }
    - key: { valueType: true, extractMultiple: boxes }
private_variable_context: { gt: 0, regex: ^u, extract: mine }`,
    { response: '{"a":{"b":[1]}}' },
    new Variables(),
    null,
    {
      ...EMPTY_LOOKUPS,
      privateValuesOf: () => [
        { key: 'id', value: '7' },
        { key: 'user', value: 'u7' },
      ],
    },
  )
  expect([variables.get('size'), variables.get('share')]).toEqual([13, 100])
  expect(variables.get('boxes')).toEqual(['a', 'b'])
  expect(variables.get('context_mine')).toEqual({ records: [{ key: 'user', value: 'u7' }] })
})

test('the inventory is asked for the URL of the attempt', () => {
  const lookups = {
    ...EMPTY_LOOKUPS,
    isKnownEndpoint: (_: number, __: string, url: string) => url.endsWith('/a'),
  }
  const unknown = 'url: { endpoint_in_traffic_context: false }'
  const on = (path: string) =>
    run(unknown, {}, new Variables(), { target: `https://shop.example${path}` }, lookups).holds
  expect([on('/a'), on('/b')]).toEqual([false, true])
})

test('roles, access types and tags of the endpoint are asked', () => {
  const lookups = {
    ...EMPTY_LOOKUPS,
    rolesOf: () => ['MEMBER'],
    accessTypesOf: () => ['private'],
    collectionTags: () => ['mcp-server'],
  }
  const holds = (yaml: string) => run(yaml, {}, new Variables(), null, lookups).holds
  expect(holds('include_roles_access: { param: MEMBER }')).toBe(true)
  expect(holds('exclude_roles_access: { param: MEMBER }')).toBe(false)
  expect(holds('exclude_roles_access: { param: ADMIN }')).toBe(true)
  expect(holds('api_access_type: { eq: private }')).toBe(true)
  expect(holds('test_type: { eq: anything }')).toBe(true)
  expect(run('test_type: { eq: anything }', {}).holds).toBe(false)
  expect(run('country_code: { neq: DE }', {}).holds).toBe(false)
})

test('large integers stay what they are', () => {
  const body = '{"id":9007199254740993}'
  expect(run('request_payload: { value: { eq: "9007199254740993" } }', { body }).holds).toBe(true)
  expect(run('request_payload: { value: { eq: "9007199254740992" } }', { body }).holds).toBe(false)
  expect(percentage(body, '{"id":9007199254740992}')).toBe(0)
  const { variables } = run('request_payload: { for_one: { value: { gt: 1, extract: v } } }', { body })
  expect(variables.get('v')).toEqual(['9007199254740993'])
})

test('operands name variables, words and parts of the messages', () => {
  const variables = new Variables(new Map([['words', ['nope', 'seven']]]))
  variables.capture('saved', 'seven')
  variables.set('engine', 'seven')
  const response = '{"answer":"seven"}'
  const holds = (operand: string) =>
    run(`response_payload: { value: { eq: ${operand} } }`, { body: '{"q":"seven"}', response }, variables)
      .holds
  expect(holds('saved')).toBe(true)
  expect(holds('engine')).toBe(false)
  expect(holds('"${engine}"')).toBe(true)
  expect(holds('"${sample_request_payload.q}"')).toBe(true)
  expect(holds('"${sample_response_headers.content-type}"')).toBe(false)
  expect(run('response_payload: { contains_either: "${words}" }', { response }, variables).holds).toBe(true)
})

test('an operand that stands for nothing, or for too much, fails instead of holding', () => {
  const many = Array.from({ length: 200 }, (_, i) => `w${i}`)
  const variables = new Variables(
    new Map([
      ['none', []],
      ['a', many],
      ['b', many],
    ]),
  )
  const holds = (yaml: string) => run(yaml, { response: 'abc' }, variables).holds
  expect(holds('response_payload: { contains_all: "${none}" }')).toBe(false)
  expect(holds('response_payload: { contains_either: "${a}${b}" }')).toBe(false)
})

test('bodies that came as bytes are read like others', () => {
  const bytes = (text: string) => Buffer.from(text).toString('base64')
  const { request, ...rest } = view({}).exchange
  const message = { ...request, body: bytes('{"name":"Zoë"}'), bodyIsBase64: true }
  const { requestBody } = new MessageView({ request: message, ...rest })
  expect([requestBody.text, requestBody.leafOf('NAME')?.value]).toEqual(['{"name":"Zoë"}', 'Zoë'])
})

test('operators that need a language model never hold, and say why', () => {
  const { holds, reasons } = run('response_payload: { magic_validate: "is it an error?" }', { response: 'x' })
  expect(holds).toBe(false)
  expect(reasons.children[0]?.children[0]?.observed).toContain('language model')
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

describe('errors in a condition are reported with their place', () => {
  test.each([
    ['response_code: { equals: 200 }', 1, 'equals', null],
    ['response_code:\n  gte: 200\n  contains_ether: x', 3, 'contains_ether', 'contains_either'],
    ['url: { response_code: { eq: 1 } }', 1, 'below another term', null],
    ['for_one: { key: { eq: a } }', 1, 'needs a term', null],
    ['eq: 5', 1, 'needs a term', null],
    ['response_code: { key: { eq: a } }', 1, 'has no names', null],
    ['response_payload: {}', 1, 'missing', null],
    ['response_payload: { contains_either: [{ a: 1 }] }', 1, 'Texts, numbers', null],
    ['source_ip: { contains_either_cidr: [not-a-range] }', 1, 'not a range', null],
    ['source_ip: { eq: 10.0.0.1 }', 1, 'ranges only', null],
    ['url: { contains_either_cidr: [10.0.0.0/8] }', 1, 'source_ip', null],
    ['response_payload: { for_one: { regex: a } }', 1, 'needs key or value', null],
    ['response_payload: { key: { for_one: { key: { eq: a } } } }', 1, 'below key or value', null],
    ['private_variable_context: { url: { eq: a } }', 1, 'below a context', null],
    ['extract: everything', 1, 'needs a term', null],
  ])('%s', (yaml, line, words, nearest) => {
    const { condition, problems } = compile(yaml)
    expect(condition).toBeNull()
    expect(problems[0]!.place.line).toBe(line)
    expect(problems[0]!.message).toContain(words)
    if (nearest !== null) expect(problems[0]!.nearest).toBe(nearest)
  })
})

test.each([
  ['response_code: { gte: two }', ['gte compares numbers, and two is not a number: write one.']],
  [
    'response_code: { eq: OK }',
    ['response_code is a number, and OK is not a number: write one such as 200.'],
  ],
  ['response_code: { gte: "200" }', []],
  ['response_payload: { length: { gt: "${size}" } }', []],
])('a test whose operator compares with no number is warned of: %s', (yaml, messages) => {
  const { condition, problems } = compile(yaml)
  expect(condition).not.toBeNull()
  expect(problems.map(({ severity, message }) => `${severity} ${message}`)).toEqual(
    messages.map((message) => `warning ${message}`),
  )
})

test.each(['magic_validate: x', 'private_variable_context: { gt: 0 }', 'and: { ssrf_url_hit: x }'])(
  'filters of live traffic have no %s',
  (yaml) => {
    const problems: Problem[] = []
    const { root } = readYaml(
      `url: { contains_either: a }\n${yaml.startsWith('magic') ? `response_payload: { ${yaml} }` : yaml}`,
    )
    expect(compileCondition(root!, 'filter', problems)).toBeNull()
    expect(problems[0]!.place.line).toBe(2)
  },
)
