import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { type LeafList, PLACE, PLACES_OF, readingOf, TRUNCATION, VIEW } from './leaf.ts'
import { readViews } from './read-views.ts'

const ALL = Object.values(PLACES_OF).reduce((all, one) => all | one, 0)

function exchangeOf(
  request: Partial<Exchange['request']>,
  response: Partial<Exchange['response']> = {},
): Exchange {
  return {
    request: { method: 'POST', target: '/', version: 'HTTP/1.1', headers: [], body: '', ...request },
    response: { status: 200, reason: 'OK', headers: [], body: '', ...response },
    ...{ at: 0, clientIp: '', serverIp: '', source: 'OTHER', direction: 1, vxlanId: 0 },
  }
}

/** Leaves of a place as texts. */
function textsAt(list: LeafList, place: number): string[] {
  return Array.from({ length: list.count }, (_, i) => i)
    .filter((i) => list.places[i] === place)
    .map((i) => list.text(i))
}

function bodyTexts(body: string, type = 'application/json'): string[] {
  return textsAt(
    readViews(exchangeOf({ headers: ['Content-Type', type], body }), ALL),
    PLACE.REQUEST_BODY_VALUE,
  )
}

describe('targets', () => {
  test('the path is decoded and its dot segments are resolved', () => {
    const list = readViews(exchangeOf({ target: '/a/b/%2e%2e/c?x=1' }), ALL)
    expect(textsAt(list, PLACE.URL_PATH)).toEqual(['/a/b/../c', '/a/c'])
    expect(textsAt(list, PLACE.URL_RAW)).toEqual(['/a/b/%2e%2e/c?x=1'])
  })

  test('names and values of the query are read once, pairs behind a second question mark as well', () => {
    const list = readViews(exchangeOf({ target: '/?a%20b=1+2&c=x?d=%3Cy%3E' }), ALL)
    expect(textsAt(list, PLACE.QUERY_NAME)).toEqual(['a b', 'c', 'd'])
    expect(textsAt(list, PLACE.QUERY_VALUE)).toEqual(['1 2', 'x?d=<y>', '<y>'])
  })

  test('a part without an equals sign leaves the whole text as one', () => {
    const list = readViews(exchangeOf({ target: '/?a=java&Tab;script' }), ALL)
    expect(textsAt(list, PLACE.QUERY_VALUE)).toContain('a=java\tscript')
  })
})

describe('headers', () => {
  test('cookies stand apart, names are in lower case', () => {
    const list = readViews(exchangeOf({ headers: ['Cookie', 'a=1; b="x%27y"', 'X-Y', 'z'] }), ALL)
    expect(textsAt(list, PLACE.COOKIE_NAME)).toEqual(['a', 'b'])
    expect(textsAt(list, PLACE.COOKIE_VALUE)).toEqual(['1', 'x%27y', "x'y"])
    expect(textsAt(list, PLACE.REQUEST_HEADER_NAME)).toEqual(['cookie', 'x-y'])
    expect(textsAt(list, PLACE.REQUEST_HEADERS_RAW)).toEqual(['cookie: a=1; b="x%27y"\nx-y: z\n'])
  })

  test('segments of a token are decoded', () => {
    const token = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${btoa('{"sub":"admin"}').replaceAll('=', '')}.`
    const texts = textsAt(
      readViews(exchangeOf({ headers: ['Authorization', `Bearer ${token}`] }), ALL),
      PLACE.REQUEST_HEADER_VALUE,
    )
    expect(texts).toEqual(expect.arrayContaining(['{"alg":"none"}', 'none', 'admin']))
  })
})

describe('bodies', () => {
  test('JSON keeps repeated keys, and names what stands under them', () => {
    const list = readViews(exchangeOf({ body: '{"a":{"b":["x","y\\u003c"]},"a":"z","n":5}' }), ALL)
    expect(textsAt(list, PLACE.REQUEST_BODY_VALUE)).toEqual(['x', 'y<', 'z'])
    const leaf = Array.from({ length: list.count }, (_, i) => i).find((i) => list.text(i) === 'x')!
    expect(list.path(leaf)).toBe('a.b')
    expect(list.name(leaf)).toBe('b')
  })

  test.each([
    ['a broken object', '{"a":"x" OR 1=1', '{"a":"x" OR 1=1'],
    ['an invalid scalar', "' or 1=1 --", "' or 1=1 --"],
    ['a single string', '"<x>"', '<x>'],
    ['control characters', '\0{"a":"b"}', 'b'],
    ['a cut string', '{"a":"bcd', 'bcd'],
  ])('JSON that is %s is read', (_, body, text) => {
    expect(bodyTexts(body)).toContain(text)
  })

  test('forms, multipart and XML are taken apart', () => {
    expect(bodyTexts('a=%3Cb%3E&c=d+e', 'application/x-www-form-urlencoded')).toEqual(['<b>', 'd e'])
    const part = '--q\r\nContent-Disposition: form-data; name="f"; filename="a.php"\r\n\r\n<?php\r\n--q--\r\n'
    const list = readViews(
      exchangeOf({ headers: ['content-type', 'multipart/form-data; boundary=q'], body: part }),
      ALL,
    )
    expect(textsAt(list, PLACE.REQUEST_FILE_NAME)).toEqual(['a.php'])
    expect(textsAt(list, PLACE.REQUEST_BODY_VALUE)).toContain('<?php')
    expect(bodyTexts('<a x="1&#60;"><![CDATA[t]]></a><!ENTITY y>', 'text/xml')).toEqual(
      expect.arrayContaining(['1&#60;', '1<', 't', '<!ENTITY y>']),
    )
  })

  test('charsets that hide ASCII are undone', () => {
    expect(bodyTexts('+ADw-script+AD4-', 'text/plain; charset=utf-7')).toEqual(['<script>'])
    const ebcdic = Buffer.from([0xa2, 0x83, 0x99, 0x89, 0x97, 0xa3])
    const list = readViews(
      exchangeOf({
        headers: ['content-type', 'text/plain; charset=ibm037'],
        body: ebcdic.toString('base64'),
        bodyIsBase64: true,
      }),
      ALL,
    )
    expect(textsAt(list, PLACE.REQUEST_BODY_VALUE)).toEqual(['script'])
  })
})

describe('encodings', () => {
  const attack = '<script>alert(1)</script>'
  const percent = (text: string): string => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
  test.each([
    ['percent codes', percent(attack)],
    ['percent codes twice', percent(attack).replaceAll('%', '%25')],
    ['percent codes three times', percent(attack).replaceAll('%', '%2525')],
    [
      'codes of UTF-16',
      [...attack].map((c) => `%u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
    ['overlong UTF-8', attack.replaceAll('<', '%C0%BC').replaceAll('>', '%e0%80%be')],
    ['decimal references', [...attack].map((c) => `&#${c.charCodeAt(0)}`).join(';')],
    ['hexadecimal references', [...attack].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join('')],
    ['named references', attack.replaceAll('<', '&lt').replaceAll('>', '&gt;').replaceAll('(', '&lpar;')],
    ['escapes', [...attack].map((c) => `\\\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
    ['Base64', btoa(attack)],
    ['Base64 in Base64', btoa(btoa(attack))],
    ['Base64 of percent codes', btoa(percent(attack))],
    ['full-width forms', attack.replaceAll('<', '＜').replaceAll('>', '＞')],
    ['NUL inside', attack.replaceAll('p', 'p\\u0000')],
    ['a string of JSON', `{\\"a\\":[\\"${attack}\\"]}`],
    ['a data URL', `data:text/html;base64,${btoa(attack)}`],
  ])('%s are undone', (_, text) => {
    expect(bodyTexts(`{"v":"${text}"}`)).toContain(attack)
  })

  test('comments of SQL become spaces, executed ones their content', () => {
    expect(bodyTexts('{"v":"1/**/union/*!50000select*/ 2 -- x\\n from"}')).toContain('1 union select 2 from')
  })

  test.each([
    'Main Street',
    'subscription',
    '550e8400-e29b-41d4-a716-446655440000',
    'aGVsbG8',
    'iVBORw0KGgoAAAANSUhEUgAA',
  ])('%s stays what it is', (text) => {
    expect(bodyTexts(`{"v":"${text}"}`)).toEqual([text])
  })

  test('say how a leaf was read', () => {
    const list = readViews(exchangeOf({ body: JSON.stringify({ v: btoa(percent('<script>')) }) }), ALL)
    const last = list.count - 1
    expect(readingOf(list, last)).toBe('base64, percent')
    expect(list.places[last]).toBe(PLACE.REQUEST_BODY_VALUE)
    expect(list.name(last)).toBe('v')
  })

  test.each([
    ['base64, base64', btoa(btoa('<script>'))],
    ['percent, base64', percent(btoa(attack))],
    ['base64, percent, percent again', btoa(percent(attack).replaceAll('%', '%25'))],
  ])('say what was undone, outermost first: %s', (reading, text) => {
    const list = readViews(exchangeOf({ body: JSON.stringify({ v: text }) }), ALL)
    expect([...Array(list.count).keys()].map((leaf) => readingOf(list, leaf))).toContain(reading)
  })
})

describe('limits', () => {
  const units = (list: LeafList): number =>
    Array.from({ length: list.count }, (_, i) => list.ends[i]! - list.starts[i]!).reduce((a, b) => a + b, 0)

  test('the head and the tail of a long body are read', () => {
    const list = readViews(exchangeOf({ body: `${'a'.repeat(1_000_000)}<end>` }), ALL)
    expect(list.truncated & TRUNCATION.BODY).not.toBe(0)
    expect(textsAt(list, PLACE.REQUEST_BODY_VALUE).some((text) => text.includes('<end>'))).toBe(true)
    expect(units(list)).toBeLessThan(700_000)
  })

  test('long leaves become windows that overlap', () => {
    const list = readViews(
      exchangeOf({ headers: ['content-type', 'text/plain'], body: `${'a'.repeat(65_530)}<script>` }),
      ALL,
    )
    const windows = textsAt(list, PLACE.REQUEST_BODY_VALUE)
    expect(windows.length).toBe(2)
    expect(windows.some((text) => text.includes('<script>'))).toBe(true)
    expect(list.views[list.count - 1]! & VIEW.WINDOW).not.toBe(0)
  })

  test('text after 2,000 values is still examined', () => {
    const list = readViews(exchangeOf({ body: `[${'"a",'.repeat(5_000)}"<end>"]` }), ALL)
    expect(list.count).toBeLessThan(2_300)
    expect(textsAt(list, PLACE.REQUEST_BODY_VALUE).some((text) => text.includes('<end>'))).toBe(true)
  })

  test.each([
    ['20,000 lists in each other', '['.repeat(20_000)],
    ['one letter', 'a'.repeat(200_000)],
    ['percent signs', '%'.repeat(160_000)],
    ['backslashes', '\\'.repeat(160_000)],
    ['openings of comments', '/*'.repeat(80_000)],
    ['number signs', `${'#'.repeat(150_000)}\n`],
    ['tags without an end', '<a b="'.repeat(26_000)],
    ['pairs', 'a=b;c=d?e=f&'.repeat(13_000)],
    ['ligatures that grow', '\ufdfa'.repeat(60_000)],
  ])('%s do not cost more than others', (_, body) => {
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'application/xml',
      'text/plain',
    ]) {
      const start = performance.now()
      const list = readViews(exchangeOf({ headers: ['content-type', type], body }), ALL)
      // Some ten times what it takes, so that a busy machine does not fail it; quadratic work would take minutes.
      expect(performance.now() - start).toBeLessThan(500)
      expect(units(list)).toBeLessThan(1_500_000)
    }
  })

  test('layers beyond the fourth are not decoded', () => {
    let text = '<script>alert(1)</script>'
    for (let i = 0; i < 7; i++) text = btoa(text)
    const list = readViews(exchangeOf({ body: JSON.stringify({ v: text }) }), ALL)
    expect(textsAt(list, PLACE.REQUEST_BODY_VALUE).length).toBeLessThan(12)
  })

  test.each([
    ['Base64', btoa],
    ['percent codes', encodeURIComponent],
    ['character references', (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')],
    ['JSON', (text: string) => JSON.stringify({ v: text })],
  ])('a text that is still encoded after four layers is reported: %s', (_, encode) => {
    const seen = (layers: number): number => {
      // White space gives each layer a normalised twin, which is not a layer.
      let text = '<script>  alert(1) </script>'
      for (let i = 0; i < layers; i++) text = encode(text)
      const list = readViews(exchangeOf({ body: JSON.stringify({ v: text }) }), ALL)
      const isFound = textsAt(list, PLACE.REQUEST_BODY_VALUE).includes('<script> alert(1) </script>')
      expect(isFound).toBe(layers <= 4)
      return list.truncated
    }
    expect([1, 2, 3, 4].map(seen)).toEqual([0, 0, 0, 0])
    expect([5, 6, 8].map(seen)).toEqual([TRUNCATION.LAYERS, TRUNCATION.LAYERS, TRUNCATION.LAYERS])
  })

  test('files are not decoded as layered texts', () => {
    const part = `--x\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\n${'\x01%41 '.repeat(99)}\r\n--x--`
    const list = readViews(
      exchangeOf({ headers: ['content-type', 'multipart/form-data; boundary=x'], body: part }),
      ALL,
    )
    expect(list.truncated).toBe(0)
  })
})

test('nothing is read that nobody wants', () => {
  const list = readViews(
    exchangeOf({ target: '/a?b=c', headers: ['x', 'y'], body: '{"a":"b"}' }),
    PLACES_OF.QUERY_DECODED,
  )
  expect(
    Array.from(list.places.subarray(0, list.count)).every(
      (place) => place === PLACE.QUERY_NAME || place === PLACE.QUERY_VALUE,
    ),
  ).toBe(true)
})

describe('nested texts', () => {
  const strings = (body: string): string[] => bodyTexts(JSON.stringify({ a: body }))

  test('of sound JSON in a string each string is decoded, not the whole once more', () => {
    const inner = '{"b":"x%27y","c":["\\u003cz","<q"]}'
    expect(strings(inner)).toEqual([inner, 'b', 'x%27y', 'c', '<z', '<q', "x'y"])
  })

  test('of broken JSON the whole is decoded as well', () => {
    const inner = '{"b":"x\\u003cy"} or'
    expect(strings(inner)).toEqual([inner, 'b', 'x<y', '{"b":"x<y"} or', 'x<y'])
  })

  test('a string in quotation marks is decoded with them', () => {
    expect(strings('" %6fr 1=1 or "')).toContain('" or 1=1 or "')
  })

  test('a text that comes out twice is one leaf', () => {
    const text = `${'a'.repeat(50)} &lt;b&gt;  c`
    const all = strings(text)
    expect(new Set(all).size).toBe(all.length)
    expect(all).toContain(`${'a'.repeat(50)} <b> c`)
  })

  test('nested JSON is read once for each layer', () => {
    let text = JSON.stringify({ a: 'x' })
    for (let i = 0; i < 8; i++) text = JSON.stringify({ a: text })
    expect(bodyTexts(text).length).toBeLessThan(10)
  })

  test('layers of broken JSON cost at most a few times the text', () => {
    let text = 'select '.repeat(70)
    for (let i = 0; i < 8; i++) text = `${JSON.stringify({ a: text })}x`
    const list = readViews(exchangeOf({ headers: ['Content-Type', 'text/plain'], body: text }), ALL)
    let units = 0
    for (let leaf = 0; leaf < list.count; leaf++) units += list.ends[leaf]! - list.starts[leaf]!
    expect(units).toBeLessThan(text.length * 10)
    expect(list.truncated & TRUNCATION.WORK).not.toBe(0)
  })

  test('a long text that is decoded is normalised behind that', () => {
    const text = `${'a '.repeat(300)}&lt;b/**/c`
    expect(strings(text)).toEqual([text, text.replace('&lt;', '<'), text.replace('&lt;b/**/', '<b ')])
  })
})

describe('lists of GraphQL requests', () => {
  const lists = (requests: readonly unknown[]): string[] =>
    bodyTexts(JSON.stringify(requests)).filter((text) => text.includes('\n'))

  test('are read side by side as well, a line each', () => {
    const requests = Array.from({ length: 9 }, (_, i) => ({
      variables: { query: '{ me }' },
      query: `query Q${i} {\n  me {`,
    }))
    const lines = requests.map((_, i) => `query: query Q${i} {   me { }\n`)
    expect(lists(requests).filter((text) => text.startsWith('query:'))).toEqual([lines.join('')])
    const list = readViews(exchangeOf({ body: JSON.stringify(requests) }), ALL)
    const leaf = Array.from({ length: list.count }, (_, i) => i).find((i) =>
      list.text(i).startsWith('query:'),
    )!
    expect([readingOf(list, leaf), list.path(leaf)]).toEqual(['list of operations', 'query'])
    const [many] = lists(Array(400).fill({ query: '{ me }' }))
    expect(many!.split('\n')).toHaveLength(101)
  })

  test('are identified by the hashes of their documents where they have no other name', () => {
    const known = (i: number) => ({
      operationName: 'A',
      extensions: { persistedQuery: { sha256Hash: `${i}f` } },
    })
    const both = { query: '{ me }', extensions: { persistedQuery: { sha256Hash: 'ff' } } }
    expect(lists(Array.from({ length: 9 }, (_, i) => known(i)))).toEqual([
      Array.from({ length: 9 }, (_, i) => `query: ${i}f }\n`).join(''),
    ])
    expect(lists(Array(9).fill(both))).toEqual(['query: { me } }\n'.repeat(9)])
  })

  test('are read so only where they are many, and documents', () => {
    expect(lists(Array(7).fill({ query: '{ me }' }))).toEqual([])
    expect(lists(Array(50).fill({ query: 'red shoes' }))).toEqual([])
    expect(lists(Array(50).fill({ search: '{ me }' }))).toEqual([])
    expect(lists([Array(50).fill({ a: { query: '{ me }' } })])).toEqual([])
  })
})
