import { expect, test } from 'vitest'
import { rawSample } from '../../../../test/raw-sample.ts'
import { DEFAULT_RULES } from '../../../data-types/index.ts'
import type { Exchange } from '../../../http/index.ts'
import { maskTypes, sensitiveValues } from './mask-types.ts'

const CARD = '4111111111111111'
const MAIL = 'ann.lee@shop.example'

function answerOf(contentType: string, body: string): Exchange {
  const plain = rawSample('GET /x HTTP/1.1\nhost: shop.test\n\n')
  return { ...plain, response: { ...plain.response, headers: ['content-type', contentType], body } }
}

const json = (value: unknown): [string, string] => ['application/json', JSON.stringify(value)]
const PAGE = `<html>\n<body>\n${'<p>Hello</p>\n'.repeat(500)}`

test.each<[string, [string, string], string]>([
  ['a JSON number', ['application/json', `{"n":${CARD}}`], CARD],
  ['a JSON number of 19 digits', ['application/json', '{"n":4000000000000000006}'], '4000000000000000006'],
  ['groups in a sentence', json({ note: 'pay with 4012 8888 8888 1881 now' }), '4012 8888 8888 1881'],
  ['four, six and five digits', json({ note: 'amex 3714 496353 98431' }), '3714 496353 98431'],
  ['groups beside other numbers', ['text/plain', '2026 5105-1051-0510-5100 12'], '5105-1051-0510-5100'],
  ['a text of several lines', json({ error: `declined\n ${CARD}\n at pay` }), CARD],
  ['a long text', json({ note: `${'x '.repeat(4000)}${CARD}` }), CARD],
  [
    'the end of a statement',
    json({ error: `INSERT failed: VALUES ('${CARD}')${' at x.js:1'.repeat(40)}` }),
    CARD,
  ],
  ['a page', ['text/html', `${PAGE}<p>Your card ${CARD} is charged, ${MAIL}</p>`], MAIL],
  ['an attribute', ['text/html', `${PAGE}<input name="pan" value="${CARD}">`], CARD],
  ['a row of a table', ['text/csv', `id,pan\n1,${CARD}\n`], CARD],
  ['a stack trace', ['text/plain', `Error: card ${CARD}\n    at pay (/app/pay.js:1:2)\n`], CARD],
  ['lines of JSON', ['application/x-ndjson', `{"a":1}\n{"password":"hunter2x!"}\n`], 'hunter2x!'],
  ['events', ['text/event-stream', `data: {"password":"hunter2x!"}\n\n`], 'hunter2x!'],
  ['XML', ['application/xml', '<a><password>hunter2x!</password></a>'], 'hunter2x!'],
  [
    'a part of a form',
    [
      'multipart/form-data; boundary=x',
      `--x\r\ncontent-disposition: form-data; name="password"\r\n\r\nhunter2x!\r\n--x--\r\n`,
    ],
    'hunter2x!',
  ],
  [
    'a document that was cut',
    ['application/json', `{"rows":[${`{"password":"hunter2x!"},`.repeat(20)}`],
    'hunter2x!',
  ],
  ['an address at the end of a sentence', ['text/plain', `Ask ${MAIL}.\nThank you`], MAIL],
  ['a number dialled', ['text/plain', 'Call\n+4915112345678 now'], '+4915112345678'],
  ['a number of a person', ['text/plain', 'ssn:\n536-90-4399'], '536-90-4399'],
  [
    'a private key',
    json({ pem: `-----BEGIN PRIV${''}ATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END` }),
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
  ],
  ['a long secret', json({ client_secret: 'k9'.repeat(300) }), 'k9'.repeat(300)],
])('a sensitive value is found in %s', (_name, [contentType, body], value) => {
  expect(sensitiveValues(answerOf(contentType, body), DEFAULT_RULES)).toContain(value)
})

test.each([
  ['location', `https://shop.test/p/a-${CARD}-b?x=1`],
  ['link', `<https://shop.test/?pan=${CARD}>; rel=next`],
])('a sensitive value is found in the header %s', (name, value) => {
  const plain = rawSample('GET /x HTTP/1.1\nhost: shop.test\n\n')
  const exchange = { ...plain, response: { ...plain.response, headers: [name, value] } }
  expect(sensitiveValues(exchange, DEFAULT_RULES)).toContain(CARD)
})

test.each([
  '/p?q=pay+4111111111111111+now',
  '/p/order-4111111111111111-x',
  '/p?next=https%3A%2F%2Fshop.test%2F%3Fpan%3D4111111111111111',
  '/p#pan=4111111111111111',
])('a sensitive value is found in the target %s', (target) => {
  expect(sensitiveValues(rawSample(`GET ${target} HTTP/1.1\nhost: shop.test\n\n`), DEFAULT_RULES)).toContain(
    CARD,
  )
})

test('words, versions, times and identifiers of a text are none', () => {
  const text = `at Object.run (/app/node_modules/x/1.2.3/index.js:10:5)\n2026-11-26T12:00:00.000Z v10.20.30
    order 1795367177 1795367177123 2026 1126 1200 0000 e3b0c44298fc1c149afbf4c8996fb924
    5f0c1a3e-9d4b-4c1e-8a57-0b1d2c3e4f50 4111111111111112 0.4111111111111111`
  expect(sensitiveValues(answerOf('text/plain', text), DEFAULT_RULES)).toEqual([])
})

test('a redacted type is masked inside texts, too', () => {
  const rules = { ...DEFAULT_RULES, redacted: new Set(['CREDIT_CARD']) }
  for (const [contentType, body] of [
    ['text/html', `${PAGE}<p>${CARD}</p>`],
    json({ note: 'pay with 4012 8888 8888 1881 now', n: 1 }),
  ] as const)
    expect(maskTypes(answerOf(contentType, body), rules).response.body).not.toMatch(
      /4111111111111111|4012 8888/,
    )
})
