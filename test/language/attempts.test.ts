import { expect, test } from 'vitest'
import { bodiesOf, posted, queriesOf, sent } from './language-tools.ts'

const GET = 'GET /orders?id=7&q=x HTTP/1.1\nhost: shop.test\nauthorization: Bearer victim\n\n'
const BARE = 'GET /orders?id=7 HTTP/1.1\nhost: shop.test\n\n'
const POST = posted('{"id":7,"name":"ann"}')
const EXTRACTS_K = '  or:\n    - query_param: {for_one: {key: {regex: id, extract: k}}}'
const LISTS = '  a: [1, 2, 3]\n  b: [x, y]'

test('11: lists of two operations go side by side, the shorter one cycling', () => {
  const operations = '        - modify_query_param: {id: "${a}"}\n        - modify_query_param: {q: "${b}"}'
  expect(queriesOf(sent(GET, { wordLists: LISTS, operations }))).toEqual(['id=1&q=x', 'id=2&q=y', 'id=3&q=x'])
})

test('12: lists in one text multiply, the left one slowest', () => {
  const operations = '        - modify_query_param: {id: "${a}-${b}"}'
  expect(queriesOf(sent(GET, { wordLists: LISTS, operations }))).toEqual(
    ['1-x', '1-y', '2-x', '2-y', '3-x', '3-y'].map((value) => `id=${value}&q=x`),
  )
})

test('13: a captured name as key is the key', () => {
  const operations = '        - modify_body_param: {k: 1}'
  expect(bodiesOf(sent(POST, { filters: EXTRACTS_K, operations }, { k: 'id' }))).toEqual([
    '{"name":"ann","id":1}',
  ])
})

test('14: an operation on what is not there changes nothing, and nothing is sent', () => {
  expect(sent(GET, { operations: '        - modify_query_param: {none: 1}' })).toEqual([])
})

test('15: the method set to what it was is sent', () => {
  expect(sent(GET, { operations: '        - modify_method: GET' })).toHaveLength(1)
})

test('16: a step without operations sends the sample in single, and nothing in multiple', () => {
  expect(sent(GET, {})).toHaveLength(1)
  expect(sent(GET, { type: 'multiple' })).toEqual([])
})

test('17: remove_auth_header without a credential sends nothing, and says so', () => {
  expect(sent(BARE, { operations: '        - remove_auth_header: true' })).toEqual([
    expect.stringMatching(/^failure: .*no known credential/),
  ])
})

test('18: replace_auth_header leaves no credential of the victim', () => {
  const request = GET.replace('\n\n', '\ncookie: session=of-victim; theme=dark\n\n')
  const [text] = sent(request, { operations: '        - replace_auth_header: true' })
  expect(text).toContain('Bearer attacker')
  expect(text).not.toMatch(/victim/)
  expect(text).toContain('theme=dark')
})

test('19: an opaque token cannot be tampered with, and goes', () => {
  const operations = '        - replace_auth_header: ${auth_context.none_algo_token}'
  const texts = sent(GET, { operations })
  expect(texts).toHaveLength(1)
  expect(texts[0]).not.toMatch(/authorization/i)
})

test('29: words found in samples', () => {
  const request = posted('{"user_id":"p1"}')
    .replace('/orders', '/orders?user_id=q1')
    .replace('\n\n', '\nx-user-id: h1\n\n')
  const found = (lookup: string): string[] =>
    queriesOf(
      sent(request, { wordLists: `  w: ${lookup}`, operations: '        - add_query_param: {z: "${w}"}' }),
    ).map((query) => query.slice(query.lastIndexOf('=') + 1))
  expect(found('{source: sample_data, key: user_id}')).toEqual(['q1', 'p1'])
  expect(found('{source: sample_data, key: {regex: user}}')).toEqual(
    expect.arrayContaining(['q1', 'p1', 'h1']),
  )
  expect(found('{source: sample_data, key: user_id, location: query_param}')).toEqual(['q1'])
  expect(found('{source: sample_data, key: user_id, location: payload}')).toEqual(['p1'])
  expect(found('{source: sample_data, key: x-user-id, location: header, all_apis: true}')).toEqual(['h1'])
  const many = posted(JSON.stringify(Array.from({ length: 20 }, (_, i) => ({ user_id: `u${i}` }))))
  const operations = '        - add_query_param: {z: "${w}"}'
  expect(sent(many, { wordLists: '  w: {source: sample_data, key: user_id}', operations })).toHaveLength(10)
})

test('30: words are texts, literals keep their type', () => {
  const operation = (word: string): string => `        - modify_body_param: {id: ${word}}`
  expect(bodiesOf(sent(POST, { wordLists: '  w: [1]', operations: operation('"${w}"') }))).toEqual([
    '{"name":"ann","id":"1"}',
  ])
  expect(bodiesOf(sent(POST, { operations: operation('1') }))).toEqual(['{"name":"ann","id":1}'])
})

test('31: a product is a number', () => {
  const operations = '        - modify_body_param: {id: "${x} * 2"}'
  expect(bodiesOf(sent(POST, { operations }, { x: 5 }))).toEqual(['{"name":"ann","id":10}'])
})

test.each([
  ['GET /api/v1/orders/7', 'token_insert: {location: 3, replace_with: admin}', '/api/v1/admin/orders/7'],
  ['GET /api/v1/orders/7/', 'token_insert: {location: 3, replace_with: admin}', '/api/v1/admin/orders/7/'],
  ['GET http://shop.test:8080/api/7', 'token_insert: {location: 3, replace_with: end}', '/api/7/end'],
  ['GET /api/v1/orders/7', 'token_replace: {location: 3, replace_with: admin}', '/api/v1/admin/7'],
  ['GET https://shop.test/a/b/', 'token_replace: {location: 1, replace_with: c}', '/c/b/'],
  ['GET /a/b', 'token_replace: {location: 0, replace_with: c}', null],
  ['GET /a/b', 'regex_replace: {regex: "/b$", replace_with: /c}', '/a/c'],
  ['GET http://shop.test:8080/a/b', 'regex_replace: {regex: a/b, replace_with: c}', '/c'],
])('32: %s with %s', (start, form, path) => {
  const texts = sent(`${start} HTTP/1.1\nhost: shop.test\n\n`, {
    operations: `        - modify_url: {${form}}`,
  })
  expect(texts.map((text) => text.split(' ')[1])).toEqual(path === null ? [] : [path])
})

test('33: an encoded payload is sent as it is written', () => {
  const operations = '        - modify_query_param: {q: "%0d%0aset-cookie:a=b"}'
  expect(queriesOf(sent(GET, { operations }))).toEqual(['id=7&q=%0d%0aset-cookie:a=b'])
})

test('34: forms, multipart and XML are edited once and keep their form', () => {
  const operations = '        - modify_body_param: {id: 8}'
  const bodyOf = (type: string, body: string): string =>
    bodiesOf(sent(`POST / HTTP/1.1\nhost: shop.test\ncontent-type: ${type}\n\n${body}`, { operations }))[0]!
  expect(new URLSearchParams(bodyOf('application/x-www-form-urlencoded', 'id=7&q=a+b')).get('id')).toBe('8')
  const parts = '--b\r\nContent-Disposition: form-data; name="id"\r\n\r\n7\r\n--b--\r\n'
  expect(bodyOf('multipart/form-data; boundary=b', parts)).toBe(parts.replace('7', '8'))
  expect(bodyOf('application/xml', '<order><id>7</id></order>')).toContain('<id>8</id>')
})

test('36: a context names keys and values together', () => {
  const records = [
    { key: 'id', value: '8' },
    { key: 'q', value: 'y' },
  ]
  const operations = '        - modify_query_param: {"${p.key}": "${p.value}"}'
  expect(queriesOf(sent(GET, { operations }, { context_p: { records } }))).toEqual(['id=8&q=x', 'id=7&q=y'])
})

test('38: a loop changes all captured headers in each attempt', () => {
  const request = 'GET / HTTP/1.1\nhost: shop.test\nx-a: 1\nx-b: 2\n\n'
  const operations = `        - \${names}:
            for_all:
              - modify_header:
                  \${iteratorKey}: "\${w}"`
  const texts = sent(request, { wordLists: '  w: [p, q]', operations }, { names: ['x-a', 'x-b'] })
  expect(texts.map((text) => /x-a: (.*)\nx-b: (.*)/.exec(text)?.slice(1))).toEqual([
    ['p', 'p'],
    ['q', 'q'],
  ])
})
