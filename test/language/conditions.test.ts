import { expect, test } from 'vitest'
import { percentage, schemaPercentage, Variables } from '../../src/rules/index.ts'
import { judged, posted, refusalsOf, templateOf } from './language-tools.ts'

const FIVE = { request: posted('{"n":5}') }
const value = (operator: string): string => `request_payload: { for_one: { value: { ${operator} } } }`

test('1: text operators never match numbers, equality does', () => {
  expect(judged(value('regex: "5"'), FIVE).holds).toBe(false)
  expect(judged(value('eq: 5'), FIVE).holds).toBe(true)
  expect(judged(value('eq: "5"'), FIVE).holds).toBe(true)
})

test('2: of a list only the first operand of eq counts', () => {
  expect(judged('response_code: { eq: [200, 201] }', { status: 201 }).holds).toBe(false)
})

test('3: the length leaves the braces out, and an empty body has none', () => {
  const length = (response: string, operator: string): boolean =>
    judged(`response_payload: { length: { ${operator} } }`, { response }).holds
  expect(length('{}', 'eq: 0')).toBe(true)
  for (const operator of ['eq: 0', 'gt: 0', 'lt: 1', 'gte: 0']) expect(length('', operator)).toBe(false)
  expect(length('{"a":1}', 'eq: 5')).toBe(true)
})

test('4: percentage_match compares values, percentage_match_schema shapes', () => {
  const attempt = { response: '{"a":1,"b":2}' }
  const sample = { response: '{"a":1,"b":3}' }
  expect(judged('response_payload: { percentage_match: { eq: 50 } }', sample, { attempt }).holds).toBe(true)
  expect(
    judged('response_payload: { percentage_match_schema: { eq: 100 } }', sample, { attempt }).holds,
  ).toBe(true)
})

test('5: values of lists are sets; shapes count places', () => {
  expect(percentage('{"a":[1,2,2]}', '{"a":[2,1]}')).toBe(100)
  expect(schemaPercentage('{"a":[1,2,2]}', '{"a":[2,1]}')).toBeLessThan(100)
})

test('6: negation asks for some key, for_all for every', () => {
  const sample = { request: posted('{"id":1,"name":2}') }
  expect(judged('request_payload: { for_one: { key: { not_contains: id } } }', sample).holds).toBe(true)
  expect(judged('request_payload: { key: { not_contains: id } }', sample).holds).toBe(true)
  expect(judged('request_payload: { for_all: { key: { not_contains: id } } }', sample).holds).toBe(false)
})

const AB = { request: posted('{"a":"y","b":"x"}') }

test('7: a name extracted before the value is that of the value', () => {
  const { variables } = judged(
    'request_payload: { for_one: { key: { regex: ".*", extract: k }, value: { eq: x } } }',
    AB,
  )
  expect(variables.get('k')).toBe('b')
})

test('8: and so is one extracted after it', () => {
  const { variables } = judged('request_payload: { for_one: { value: { eq: x }, key: { extract: k } } }', AB)
  expect(variables.get('k')).toBe('b')
})

test('9: of two locations the first match is kept', () => {
  const yaml = `or:
  - request_payload: { for_one: { key: { regex: id, extract: k } } }
  - query_param: { for_one: { key: { regex: id, extract: k } } }`
  const request = posted('{"order_id":1}').replace('/orders', '/orders?user_id=7')
  expect(judged(yaml, { request }).variables.get('k')).toBe('order_id')
})

test('10: a false sibling does not prevent an extraction', () => {
  const { holds, variables } = judged('method: { eq: PUT }\nquery_param: { extract: q }', {})
  expect(holds).toBe(false)
  expect(variables.get('q')).toBe('user_id=7')
})

test('21: without an attempt compare_greater can hold, and no term', () => {
  const variables = new Variables()
  variables.set('x2.response.stats.median_response_time', 6000)
  const greater = 'compare_greater: ["${x2.response.stats.median_response_time}", 5001]'
  expect(judged(greater, {}, { variables, final: true }).holds).toBe(true)
  expect(judged('response_code: { gte: 1 }', {}, { variables, final: true }).holds).toBe(false)
  expect(judged('request_payload: { extract: k }', {}, { variables, final: true }).holds).toBe(false)
})

test('35: endpoint_in_traffic_context: false holds only for unknown URLs', () => {
  const yaml = 'url: { endpoint_in_traffic_context: false }'
  const attempt = { request: 'GET /orders/admin HTTP/1.1\nhost: shop.test\n\n' }
  const knows = (path: string) => ({
    isKnownEndpoint: (_id: number, _method: string, url: string) => url.endsWith(path),
  })
  expect(judged(yaml, {}, { attempt, lookups: knows('/orders/7') }).holds).toBe(true)
  expect(judged(yaml, {}, { attempt, lookups: knows('/orders/admin') }).holds).toBe(false)
})

test('39: duplicate keys, =, yes, dates and placeholders as keys are what section 2.1 says', () => {
  const template = templateOf({
    wordLists: '  words:\n    - =\n    - yes\n    - 2021-01-01\n  words2: [a]\n  words2: [b]',
    operations: '        - add_query_param:\n            ${words}: ${words2}',
  })
  expect(template.wordLists).toMatchObject([
    { name: 'words', words: ['=', 'yes', '2021-01-01'] },
    { name: 'words2', words: ['b'] },
  ])
  expect(template.execute.steps[0]!.operations[0]).toMatchObject({ key: '${words}', value: '${words2}' })
})

test('40: unknown operators and info keys and listed nested conditions are refused with their path', () => {
  expect(refusalsOf({ filters: '  response_code: {gteq: 200}' })[0]).toEqual({
    path: 'api_selection_filters.response_code.gteq',
    nearest: 'gte',
  })
  expect(refusalsOf({ info: '  severety: HIGH' })[0]).toMatchObject({
    path: 'info.severety',
    nearest: 'severity',
  })
  const nested = '        - validate: [{response_code: {eq: 200}}]'
  expect(refusalsOf({ type: 'multiple', operations: nested })[0]?.path).toContain('validate')
})
