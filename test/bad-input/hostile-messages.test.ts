import { expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { sharing as test } from '../shared-server.ts'

let server: TestServer
test.beforeAll(async ({ shared }) => {
  server = shared
})

const JSON_TYPE = 'application/json'
const deep = (open: string, middle: string, close: string, levels: number): string =>
  open.repeat(levels) + middle + close.repeat(levels)

/** Texts that no honest client sends, by the content type they claim. */
const BODIES: readonly (readonly [name: string, type: string, text: string])[] = [
  ['broken surrogates and NUL', JSON_TYPE, '{"a":"\\ud800\\u0000","\\udfff":1,"b\\u0000":1,"b\\ufffd":1}'],
  ...[1_000, 40_000, 300_000].flatMap((levels) => [
    [`objects in ${levels} levels`, JSON_TYPE, deep('{"a":', '1', '}', levels)] as const,
    [`lists in ${levels} levels`, JSON_TYPE, deep('[', '1', ']', levels)] as const,
    [`lists of objects in ${levels} levels`, JSON_TYPE, deep('[{"a":', '1', '}]', levels)] as const,
    [`unclosed lists in ${levels} levels`, JSON_TYPE, '['.repeat(levels)] as const,
    [`elements in ${levels} levels`, 'application/xml', deep('<a>', '1', '</a>', levels)] as const,
    [
      `GraphQL selections in ${levels} levels`,
      JSON_TYPE,
      JSON.stringify({ query: deep('{a', '', '}', levels) }),
    ] as const,
    [
      `fields of a form in ${levels} levels`,
      'application/x-www-form-urlencoded',
      `a${'[b]'.repeat(levels)}=1`,
    ] as const,
  ]),
  ['JSON in JSON in 12 levels', JSON_TYPE, nested(12)],
  ['100,000 keys', JSON_TYPE, `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
  ['one key 100,000 times', JSON_TYPE, `{${'"k":1,'.repeat(99_999)}"k":1}`],
  ['a key of 300,000 characters', JSON_TYPE, `{"${'k'.repeat(300_000)}":1}`],
  [
    'keys that are names of JavaScript',
    JSON_TYPE,
    '{"__proto__":{"a":1},"constructor":{"prototype":1},"toString":2}',
  ],
  ['a number of 100,000 digits', JSON_TYPE, `{"n":${'9'.repeat(100_000)}}`],
  ['a boundary that never ends', 'multipart/form-data; boundary=b', '--b\r\n'.repeat(50_000)],
]

function nested(levels: number): string {
  let text = '"x"'
  for (let i = 0; i < levels; i++) text = JSON.stringify(text.length > 200_000 ? 'x' : `{"a":${text}}`)
  return `{"a":${text}}`
}

let number = 0
/** Messages that the server said to have taken, and those among them that are {@link ordinary}. */
let taken = 0
let ordinaries = 0
function message(path: string, type: string, request: string, response: string): Record<string, string> {
  return {
    // A path of its own: what a new endpoint is told by is looked at in full.
    path: `${path}-${'abcdefghijklmnopqrstuvwxyz'[number % 26]}${'aeiou'[Math.floor(number / 26) % 5]}rd?n=${number++}`,
    method: 'POST',
    requestHeaders: JSON.stringify({ host: 'hostile.example', 'content-type': type }),
    responseHeaders: JSON.stringify({ 'content-type': type }),
    requestPayload: request,
    responsePayload: response,
    statusCode: '200',
    ip: '198.51.100.7',
    time: '1795000000',
    source: 'MIRRORING',
  }
}

/** A call that any client sends, always of the same endpoint. */
function ordinary(): Record<string, string> {
  const host = { host: 'ordinary.example', 'content-type': JSON_TYPE }
  return {
    ...message('', JSON_TYPE, '{"id":1}', '{"id":1}'),
    path: `/ordinary?n=${ordinaries++}`,
    requestHeaders: JSON.stringify(host),
  }
}

for (const [name, type, text] of BODIES) {
  test(`a message with ${name} is answered, and costs its batch nothing`, async () => {
    const batchData = [
      message('/asked', type, text, '{}'),
      message('/answered', type, '{"a":1}', text),
      ordinary(),
    ]
    const answer = await server.post('/api/ingestData', { batchData })
    const told = (await answer.json()) as { accepted?: number }
    expect(answer.status, server.logText().slice(-3000)).toBe(200)
    expect(told.accepted).toBe(3)
    taken += told.accepted!
  })
}

/** Text that no compression makes short, of letters or of signs that take three bytes each. */
function noise(length: number, first = 97, count = 26): string {
  let state = length
  let text = ''
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    text += String.fromCharCode(first + ((state >> 8) % count))
  }
  return text
}

const LONG = [2_600, 9_000].flatMap((length) => [
  [`${length} letters`, noise(length)] as const,
  [`${length} Chinese signs`, noise(length, 0x4e00, 5_000)] as const,
])
/** Texts that JSON and percent-encoding can tell, and that a store cannot keep: all of it, or where it is cut. */
const BROKEN = [
  ['NUL', 'a\0b'],
  ['broken surrogates', '\udfffa\ud800'],
  ['pairs of surrogates', '\u{1f600}'.repeat(1_400)],
  ['shifted pairs of surrogates', `a${'\u{1f600}'.repeat(1_400)}`],
] as const
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
const FORM_TYPE = 'application/x-www-form-urlencoded'
const withType = (type: string, requestPayload: string): Record<string, string> => ({
  requestHeaders: JSON.stringify({ host: 'hostile.example', 'content-type': type }),
  requestPayload,
})
const PLACES: readonly (readonly [place: string, change: (text: string) => Record<string, string>])[] = [
  ['a key of a body', (text) => ({ requestPayload: JSON.stringify({ [text]: { [text]: [1] } }) })],
  ['a value of a body', (text) => ({ requestPayload: JSON.stringify({ value: text, list: [text] }) })],
  [
    'a body that fails',
    (text) => ({ responsePayload: JSON.stringify({ [text]: text }), statusCode: '500', status: text }),
  ],
  ['a segment of the path', (text) => ({ path: `/a/${text}/b` })],
  ['a path of words', (text) => ({ path: `/${text.slice(0, 9_000).replace(/.{15}/gu, '$&/')}` })],
  ['the path of a refused probe', (text) => ({ path: `/${text}.php`, statusCode: '404' })],
  ['a key of the query', (text) => ({ path: `/long?${encoded(text)}=1` })],
  ['a value of the query', (text) => ({ path: `/long?q=${encoded(text)}` })],
  ['a form', (text) => withType(FORM_TYPE, `${encoded(text)}=${encoded(text)}`)],
  [
    'a form with parts',
    (text) =>
      withType(
        'multipart/form-data; boundary=b',
        `--b\r\ncontent-disposition: form-data; name="${text}"\r\n\r\n${text}\r\n--b--\r\n`,
      ),
  ],
  [
    'an attack in the query',
    (text) => ({ path: `/long?q=${text}%27%20UNION%20SELECT%20login,password%20FROM%20users--` }),
  ],
  ['a header', (text) => ({ requestHeaders: JSON.stringify({ host: 'hostile.example', [text]: text }) })],
  [
    'a cookie',
    (text) => ({ requestHeaders: JSON.stringify({ host: 'hostile.example', cookie: `${text}=1` }) }),
  ],
  [
    'an operation of GraphQL',
    (text) => ({
      path: '/graphql',
      requestPayload: JSON.stringify({ operationName: text, query: `query ${text} { ${text} }` }),
    }),
  ],
  [
    'a stored operation of GraphQL',
    (text) => ({
      path: '/graphql',
      requestPayload: JSON.stringify({
        operationName: text,
        extensions: { persistedQuery: { version: 1, sha256Hash: text } },
      }),
    }),
  ],
  [
    'an action of SOAP',
    (text) => ({
      path: '/soap',
      requestHeaders: JSON.stringify({
        host: 'hostile.example',
        soapaction: text,
        'content-type': 'text/xml',
      }),
      requestPayload: '<Envelope><Body><Get/></Body></Envelope>',
    }),
  ],
  [
    'a method of JSON-RPC',
    (text) => ({ path: '/rpc', requestPayload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: text }) }),
  ],
  ['an address', (text) => ({ ip: text, destIp: text })],
  ['the reason of a status', (text) => ({ status: text })],
  ['a tag', (text) => ({ tag: JSON.stringify({ [text]: text }) })],
  [
    'a tag of a new host',
    (text) => ({
      tag: JSON.stringify({ [text]: text }),
      requestHeaders: JSON.stringify({ host: `host-${number}.example` }),
    }),
  ],
  ['a message id', (text) => ({ id: text })],
  ['a route', (text) => ({ route: `/${text}` })],
]
for (const [place, change] of PLACES) {
  for (const [what, text] of [...LONG, ...BROKEN]) {
    test(`${place} of ${what} costs its batch nothing`, async () => {
      const batchData = [{ ...message('/long', JSON_TYPE, '{"a":1}', '{}'), ...change(text) }, ordinary()]
      const answer = await server.post('/api/ingestData', { batchData })
      const told = (await answer.json()) as { accepted?: number; rejected?: unknown[] }
      expect(answer.status, server.logText().slice(-3000)).toBe(200)
      expect(told.accepted! + (told.rejected?.length ?? 0)).toBe(2)
      expect(told.accepted).toBeGreaterThanOrEqual(1)
      taken += told.accepted!
    })
  }
}

test('every message taken beside hostile ones is counted in the inventory', async () => {
  const { inventory, store } = server.running.app
  await inventory.flush()
  const calls = async (where: string): Promise<number> => {
    const { rows } = await store.pool.query<{ calls: number }>(
      `SELECT sum(call_count)::integer AS calls FROM endpoints WHERE root_id = id ${where}`,
    )
    return rows[0]!.calls
  }
  expect(await calls("AND url = '/ordinary'")).toBe(ordinaries)
  expect(await calls('')).toBeGreaterThanOrEqual(taken)
  expect(server.logText()).not.toContain('Maximum call stack')
  const problems = server
    .logText()
    .split('\n')
    .filter((line) => /"level":"(?:warn|error)"/.test(line))
  expect(problems).toEqual([])
})
