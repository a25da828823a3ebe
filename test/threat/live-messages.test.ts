import { describe, expect, test } from 'vitest'
import { seeded } from '../../bench/ingest/messages.ts'
import { compiled, filterTexts } from '../../bench/threat/filters.ts'
import { labelledRequests } from '../../bench/threat/messages.ts'
import { type Exchange, LiveReader, plainExchange, ScannedExchange } from '../../src/http/index.ts'
import { evaluateMessage, FilterSet, type Verdict } from '../../src/threat/index.ts'

const shipped = filterTexts().map(compiled)

function sampleOf(headers: Record<string, string>, more: object = {}): object {
  return {
    path: '/api/orders/17?sort=created',
    method: 'POST',
    type: 'HTTP/1.1',
    requestHeaders: JSON.stringify({ host: 'shop.example', 'content-type': 'application/json', ...headers }),
    responseHeaders: JSON.stringify({ 'content-type': 'application/json' }),
    requestPayload: '{"note":"two words"}',
    responsePayload: '{"ok":true}',
    statusCode: '200',
    status: 'OK',
    ip: '203.0.113.9',
    ...more,
  }
}

/** Verdicts of messages that are read in place one after the other, and of each by itself. */
function verdicts(samples: readonly object[], makeSet: () => FilterSet): [live: Verdict[], alone: Verdict[]] {
  const live = new LiveReader().open(Buffer.from(JSON.stringify({ batchData: samples })), 'OTHER')
  const set = makeSet()
  const other = makeSet()
  const verdict = (exchange: Exchange, one: FilterSet): Verdict =>
    evaluateMessage(one, { exchange, actorAddress: '203.0.113.9', country: 'DE', collectionId: 1 })
  const exchanges = samples.map((_, at) => live.exchangeAt(at) as Exchange)
  expect(exchanges.filter((one) => one instanceof ScannedExchange).length).toBeGreaterThan(samples.length / 2)
  return [
    exchanges.map((one) => verdict(one, set)),
    exchanges.map((one) => verdict(plainExchange(one), other)),
  ]
}

describe('messages read in place', () => {
  test('labelled requests get the verdicts that they get by themselves', () => {
    const samples = labelledRequests().flatMap(({ method, path, headers, body }, at) =>
      // One of each few: attacks and ordinary requests in turn, with the same headers beside.
      at % 7 === 0
        ? [sampleOf({ 'user-agent': 'Shop/4.17', ...headers }, { method, path, requestPayload: body })]
        : [],
    )
    const [live, alone] = verdicts(samples, () => new FilterSet(shipped))
    expect(live).toEqual(alone)
    expect(live.some(({ hits }) => hits.length > 0)).toBe(true)
  })

  test('an attack in a header is found although the header came without it, and with it, before', () => {
    const agents = ['Shop/4.17', 'Shop/4.17', "' UNION SELECT login, password FROM users--"]
    const samples = [...agents, ...agents].map((agent) => sampleOf({ 'user-agent': agent, 'x-a': agent }))
    const [live, alone] = verdicts(samples, () => new FilterSet(shipped))
    expect(live).toEqual(alone)
    expect(live.map(({ hits }) => hits.length > 0)).toEqual([false, false, true, false, false, true])
  })

  test('a value that came in other headers, or in a response, is looked at in the header that is asked for', () => {
    const samples = [
      sampleOf({ 'x-note': 'evil' }),
      sampleOf({ 'x-other': 'evil' }),
      sampleOf({}, { responseHeaders: JSON.stringify({ a: 'b', c: 'd', 'x-other': 'evil' }) }),
      sampleOf({ 'x-other': 'evil' }),
    ]
    const filter = compiled(`
id: named
filter:
  request_headers:
    for_one:
      key: { eq: x-other }
info: {category: {name: WORDS}, severity: LOW}
`)
    const ofResponses = compiled(`
id: responses
filter:
  response_headers: { contains_either: [never] }
info: {category: {name: WORDS}, severity: LOW}
`)
    const [live, alone] = verdicts(samples, () => new FilterSet([filter, ofResponses]))
    expect(live).toEqual(alone)
    expect(live.map(({ hits }) => hits.length)).toEqual([0, 1, 0, 1])
  })

  test.each([
    ['something is asked of all headers', 'for_all: { value: { not_contains: evil } }'],
    ['something must be missing in a header', 'for_one: { value: { not_contains: fine } }'],
    ['a pattern without words is looked for', "regex: ['^[0-9]{7}$']"],
    ['lines of headers are looked for', "regex: ['x-b: \\d{7}']"],
  ])('headers that were met before count where %s', (_, question) => {
    const samples = [
      sampleOf({ 'x-a': 'evil' }),
      sampleOf({ 'x-a': 'fine', 'x-b': '1234567' }),
      sampleOf({ 'x-a': 'fine', 'x-b': '1234567' }),
      sampleOf({ 'x-a': 'evil' }),
    ]
    const filter = compiled(`
id: asked
filter:
  request_headers: { ${question} }
info: {category: {name: WORDS}, severity: LOW}
`)
    const [live, alone] = verdicts(samples, () => new FilterSet([filter]))
    expect(live).toEqual(alone)
    const counts = live.map(({ hits }) => hits.length)
    expect(new Set(counts.slice(1, 3)).size).toBe(1)
    expect(counts[0]).toBe(counts[3])
  })

  test('bodies of every form are read alike', () => {
    const attack = "1' UNION SELECT login, password FROM users--"
    const bodies: [type: string, body: string][] = [
      ['application/json', JSON.stringify({ a: attack, ü: 'ä' })],
      ['application/json', JSON.stringify({ a: attack, list: ['x'.repeat(300)] })],
      ['application/x-www-form-urlencoded', `a=${encodeURIComponent(attack)}&b=2`],
      ['text/xml', `<a><b>${attack}</b></a>`],
      [
        'multipart/form-data; boundary=b',
        `--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n${attack}\r\n--b--`,
      ],
      ['text/plain; charset=utf-7', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-'],
      ['text/plain', 'nothing'],
    ]
    const samples = bodies.map(([type, requestPayload]) =>
      sampleOf({ 'content-type': type }, { requestPayload }),
    )
    const [live, alone] = verdicts(samples, () => new FilterSet(shipped))
    expect(live).toEqual(alone)
    expect(live.map(({ hits }) => hits.length > 0)).toEqual([true, true, true, true, true, true, false])
  })

  test.each([1, 2, 3, 4])('bodies of responses get the same verdicts by themselves (seed %i)', (seed) => {
    const random = seeded(seed)
    const types = ['application/json', 'application/json; charset=utf-8', 'text/JSON', 'text/plain', '']
    const samples = Array.from({ length: 400 }, () =>
      sampleOf(
        {},
        {
          responseHeaders: JSON.stringify({ 'content-type': pick(types, random) }),
          responsePayload: responseBody(random),
          statusCode: pick(['200', '500'], random),
        },
      ),
    )
    const [live, alone] = verdicts(samples, () => new FilterSet(shipped))
    expect(live).toEqual(alone)
    const found = live.filter(({ hits }) => hits.length > 0).length
    expect(found).toBeGreaterThan(20)
    expect(found).toBeLessThan(380)
  })

  test.each([
    ['something is asked of all values', 'for_all: { value: { not_contains: evil } }'],
    ['something must be missing in a value', 'for_one: { value: { not_contains: fine } }'],
    ['a pattern without words is looked for', "regex: ['^[0-9]{7}$']"],
    ['undecoded text is looked for', "regex: ['100%x']"],
    ['a short word is looked for', 'contains_either: [ev]'],
  ])('bodies of responses are read where %s', (_, question) => {
    const filter = compiled(`
id: asked
filter:
  response_payload: { ${question} }
info: {category: {name: WORDS}, severity: LOW}
`)
    const bodies = ['{"a":"evil"}', '{"a":"fine"}', '{"a":"\\u0065vil"}', '["evil"]', '{"c":"100%x"}']
    const samples = [...bodies, '{"a":"fine","b":"1234567"}'].map((body) =>
      sampleOf({}, { responsePayload: body }),
    )
    const [live, alone] = verdicts(samples, () => new FilterSet([filter]))
    expect(live).toEqual(alone)
    expect(new Set(live.map(({ hits }) => hits.length))).toEqual(new Set([0, 1]))
  })
})

/** What the shipped filters look for in responses, and what only looks like it. */
const LEAKS = [
  'root:x:0:0:root:/root:/bin/bash',
  'You have an error in your SQL syntax; check the manual',
  'ORA-00933: SQL command not properly ended',
  'AKIAIOSFODNN7EXAMPLE',
  '-----BEGIN RSA PRIVATE KEY-----',
  'java.lang.NullPointerException: null at com.shop.Order(Order.java:17)',
  '<title>Index of /</title>',
  'uid=33(www-data) gid=33(www-data)',
  'an exception to the rule',
  'support',
]

function pick<T>(all: readonly T[], random: () => number): T {
  return all[Math.floor(random() * all.length)]!
}

/** JSON and what is nearly JSON; some of it holds a leak, in one spelling or another. */
function responseBody(random: () => number): string {
  const text = (): string => {
    const plain = pick(['alpha', 'SKU-17', '', 'two words', 'user1@mail.example', 'é'], random)
    if (random() < 0.8) return plain
    const leak = pick(LEAKS, random)
    return pick([`${plain} ${leak}`, leak, leak.toUpperCase(), JSON.stringify({ leak })], random)
  }
  const value = (depth: number): unknown =>
    pick<() => unknown>(
      [
        text,
        () => Math.floor(random() * 1e6),
        () => null,
        ...(depth > 3
          ? []
          : [() => [value(depth + 1), value(depth + 1)], () => ({ [text()]: value(depth + 1), b: text() })]),
      ],
      random,
    )()
  const json = JSON.stringify(random() < 0.8 ? { a: value(0), c: value(0) } : value(0))
  const escaped = json.replace(/[a-z]/i, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
  return pick([json, json, escaped, json.slice(0, -1), ` ${json}`, `a=${json}`], random)
}
