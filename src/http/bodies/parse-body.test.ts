import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ParsedBody } from './body-value.ts'
import { BODY_LIMITS } from './body-value.ts'
import { decodeContentEncoding } from './content-encoding.ts'
import { parseForm, parseQuery } from './form.ts'
import { parseBody } from './parse-body.ts'

function tree(contentType: string, body: string): unknown {
  const parsed = parseBody({ contentType, body })
  return parsed.kind === 'tree' ? JSON.parse(JSON.stringify(parsed.value)) : parsed
}

function treeOfBytes(contentType: string, bytes: Uint8Array, contentEncoding = ''): unknown {
  const body = Buffer.from(bytes).toString('base64')
  const parsed = parseBody({ contentType, body, isBase64: true, contentEncoding })
  return parsed.kind === 'tree' ? JSON.parse(JSON.stringify(parsed.value)) : parsed
}

describe('JSON bodies', () => {
  it('become their value', () => {
    expect(tree('application/json; charset=utf-8', '{"a":[1,null]}')).toEqual({ a: [1, null] })
    expect(tree('application/vnd.api+json', '[{"a":1}]')).toEqual([{ a: 1 }])
  })

  it('are known without content type by their first character', () => {
    expect(tree('', ' {"a":1}')).toEqual({ a: 1 })
    expect(tree('text/plain', '[1]')).toEqual([1])
  })

  it('keep __proto__ as a plain key', () => {
    const parsed = parseBody({
      contentType: 'application/json',
      body: '{"__proto__":{"polluted":true},"a":1}',
    })
    expect(parsed.kind === 'tree' && Object.keys(parsed.value as object)).toEqual(['__proto__', 'a'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('give what stands before a cut', () => {
    const parsed = parseBody({ contentType: 'application/json', body: '{"a":1,"b":{"c":[1,2,{"d":"unfinis' })
    expect(parsed).toMatchObject({ kind: 'tree', isTruncated: true, value: { a: 1, b: { c: [1, 2, {}] } } })
  })

  it('over the size limit are read up to the budget of values', () => {
    const body = `[${'{"id":1,"name":"x"},'.repeat(200_000)}{}]`
    const parsed = parseBody({ contentType: 'application/json', body })
    expect(parsed).toMatchObject({ kind: 'tree', isTruncated: true })
    expect((parsed as { value: unknown[] }).value.length).toBeGreaterThan(1000)
  })

  it('of absurd depth are cut at the depth limit', () => {
    const parsed = parseBody({ contentType: 'application/json', body: '['.repeat(200_000) })
    expect(parsed).toMatchObject({ kind: 'tree', isTruncated: true })
  })

  it('lose the guard against hijacking', () => {
    expect(tree('application/json', ')]}\',\n{"a":1}')).toEqual({ a: 1 })
  })

  it('that are several lines become a list', () => {
    expect(tree('application/x-ndjson', '{"a":1}\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }])
    expect(tree('application/json', '{"a":1}\n{"a":2}')).toEqual([{ a: 1 }, { a: 2 }])
    const many = parseBody({ contentType: 'application/x-ndjson', body: '{"a":1}\n'.repeat(100) })
    expect(many).toMatchObject({ isTruncated: true })
    expect((many as { value: unknown[] }).value).toHaveLength(BODY_LIMITS.maxElements)
  })

  it('inside a callback lose the callback', () => {
    expect(tree('application/javascript', '/**/ cb_1({"a":1});')).toEqual({ a: 1 })
    expect(tree('application/javascript', 'function f() { return 1 }')).toMatchObject({ kind: 'opaque' })
  })

  it('that are invalid are opaque', () => {
    expect(tree('application/json', '<html>')).toEqual({
      kind: 'opaque',
      mediaType: 'application/json',
      size: 6,
      reason: 'malformed',
    })
    expect(parseBody({ contentType: 'application/json', body: '' })).toEqual({ kind: 'none' })
  })
})

describe('forms', () => {
  it('are split before they are decoded', () => {
    expect(tree('application/x-www-form-urlencoded', 'a=1%262%3D3&b=x+y')).toEqual({ a: '1&2=3', b: 'x y' })
  })

  it('keep empty values, bare names and repeats apart', () => {
    expect(JSON.parse(JSON.stringify(parseForm('a=&b&c=1&c=2&c=3')))).toEqual({
      a: '',
      b: null,
      c: ['1', '2', '3'],
    })
  })

  it('keep everything after the first equals sign', () => {
    expect({ ...parseQuery('redirect=https://a/?b=1&c[d]=2') }).toEqual({
      redirect: 'https://a/?b=1',
      'c[d]': '2',
    })
  })

  it('survive malformed codes, prototype keys and a million pairs', () => {
    expect({ ...parseQuery('a=%zz&b=%ff%41') }).toEqual({ a: '%zz', b: '\ufffdA' })
    expect(Object.keys(parseQuery('__proto__=1&constructor=2'))).toEqual(['__proto__', 'constructor'])
    expect(
      Object.keys(parseQuery(Array.from({ length: 10_000 }, (_, i) => `k${i}=1`).join('&'))).length,
    ).toBe(2000)
  })

  it('that are JSON after all are read as JSON', () => {
    expect(tree('application/x-www-form-urlencoded', '{"a":"b&c"}')).toEqual({ a: 'b&c' })
  })
})

describe('multipart bodies', () => {
  const type = 'multipart/form-data; boundary="xyz"'
  const body =
    '--xyz\r\nContent-Disposition: form-data; name="title"\r\n\r\nHello\r\n' +
    '--xyz\r\nContent-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n' +
    '--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n' +
    '\u0089PNG\r\n\u001a\n1234\r\n--xyz--\r\n'

  it('describe files without keeping them', () => {
    expect(treeOfBytes(type, Buffer.from(body, 'latin1'))).toMatchObject({
      title: 'Hello',
      meta: { a: 1 },
      file: {
        fileName: 'a.png',
        declaredType: 'image/png',
        sniffedType: 'image/png',
        size: 12,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
  })

  it('without a closing delimiter are marked as cut', () => {
    const parsed = parseBody({ contentType: type, body: body.slice(0, 90) })
    expect(parsed).toMatchObject({ kind: 'tree', isTruncated: true })
  })

  it('without boundary are opaque', () => {
    expect(parseBody({ contentType: 'multipart/form-data', body: 'abc' })).toMatchObject({ kind: 'opaque' })
  })
})

describe('XML bodies', () => {
  it('become trees with attributes, repeats and local names', () => {
    expect(
      tree('application/xml', '<o:order xmlns:o="u" id="7"><item>a</item><item n="2">b</item></o:order>'),
    ).toEqual({
      order: { '@id': '7', item: ['a', { '@n': '2', _text: 'b' }] },
    })
  })

  it('of SOAP are the children of the body', () => {
    const soap =
      '<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Header><t>1</t></soap:Header>' +
      '<soap:Body><m:GetPrice xmlns:m="u"><m:Item>Apples</m:Item></m:GetPrice></soap:Body></soap:Envelope>'
    expect(tree('text/xml; charset=utf-8', soap)).toEqual({ GetPrice: { Item: 'Apples' } })
  })

  it('neither read external entities nor expand declared ones', () => {
    const hostile =
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "yyy">]><a><b>1</b><c>&x;&y;</c></a>'
    const parsed = parseBody({ contentType: 'application/xml', body: hostile })
    expect(JSON.stringify(parsed)).not.toMatch(/root:|yyy/)
    expect(parsed).toMatchObject({ kind: 'tree', isTruncated: true })
  })

  it('of absurd depth or size are cut', () => {
    expect(parseBody({ contentType: 'text/xml', body: '<a>'.repeat(100_000) })).toMatchObject({
      isTruncated: true,
    })
    expect(parseBody({ contentType: 'text/xml', body: `<a>${'<b/>'.repeat(100_000)}</a>` })).toMatchObject({
      isTruncated: true,
    })
  })

  it('that are pages or pictures are opaque', () => {
    expect(parseBody({ contentType: 'image/svg+xml', body: '<svg/>' })).toMatchObject({ kind: 'opaque' })
    expect(parseBody({ contentType: 'text/html', body: '<!doctype html><p>x' })).toMatchObject({
      kind: 'opaque',
    })
  })
})

describe('event streams', () => {
  it('become a list of events with their data', () => {
    expect(tree('text/event-stream', 'event: tick\ndata: {"n":1}\n\ndata: plain\n\n')).toEqual([
      { event: 'tick', data: { n: 1 } },
      { data: 'plain' },
    ])
  })

  it('are cut at twenty events', () => {
    const parsed = parseBody({ contentType: 'text/event-stream', body: 'data: 1\n\n'.repeat(1000) })
    expect(parsed).toMatchObject({ isTruncated: true })
    expect((parsed as { value: unknown[] }).value).toHaveLength(20)
  })
})

describe('gRPC bodies', () => {
  const frame = (message: Buffer, flags = 0): Buffer => {
    const header = Buffer.alloc(5)
    header[0] = flags
    header.writeUInt32BE(message.length, 1)
    return Buffer.concat([header, message])
  }
  // field 1 = 150, field 2 = "testing", field 3 = { 1: 150 }
  const message = Buffer.from('089601120774657374696e671a03089601', 'hex')

  it('become fields by number and nested messages', () => {
    expect(treeOfBytes('application/grpc+proto', frame(message))).toEqual({
      f1: 150,
      f2: 'testing',
      f3: { f1: 150 },
    })
  })

  it('of several frames, one of them compressed, become a list', () => {
    const bytes = Buffer.concat([
      frame(message),
      frame(gzipSync(message), 1),
      frame(Buffer.from('grpc-status:0'), 0x80),
    ])
    expect(treeOfBytes('application/grpc', bytes)).toHaveLength(2)
  })

  it('are found in the text form of gRPC-Web as it is sent, its trailers coded by themselves', () => {
    const sent =
      frame(message).toString('base64') + frame(Buffer.from('grpc-status:0'), 0x80).toString('base64')
    for (const contentType of ['application/grpc-web-text', 'application/grpc-web-text+proto'])
      expect(parseBody({ contentType, body: sent })).toMatchObject({ kind: 'tree', value: { f2: 'testing' } })
  })

  it('are found in the base64 that collectors write where text is wanted', () => {
    const body = frame(message).toString('base64')
    expect(parseBody({ contentType: 'application/grpc+proto', body })).toMatchObject({
      kind: 'tree',
      value: { f2: 'testing' },
    })
    const noFrames = parseBody({ contentType: 'application/grpc', body: 'hello world, no frames' })
    expect(noFrames).toMatchObject({ kind: 'opaque' })
  })

  it('that are not framed are opaque', () => {
    expect(treeOfBytes('application/grpc', Buffer.from('hello world, no frames'))).toMatchObject({
      kind: 'opaque',
    })
  })
})

describe('content encodings', () => {
  const json = Buffer.from('{"a":1}')

  it('are undone for gzip, both deflates, br, zstd and layers of them', () => {
    const all: [string, Buffer][] = [
      ['gzip', gzipSync(json)],
      ['deflate', deflateSync(json)],
      ['deflate', deflateRawSync(json)],
      ['br', brotliCompressSync(json)],
      ['zstd', zstdCompressSync(json)],
      ['gzip, br', brotliCompressSync(gzipSync(json))],
    ]
    for (const [coding, bytes] of all) {
      expect(treeOfBytes('application/json', bytes, coding)).toEqual({ a: 1 })
    }
  })

  it('are bounded: a decompression bomb is reported, not expanded', () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    expect(decodeContentEncoding(bomb, 'gzip', 1_000_000).outcome).toBe('TOO_LARGE')
    expect(treeOfBytes('application/json', bomb, 'gzip')).toMatchObject({
      kind: 'opaque',
      reason: 'too large',
    })
  })

  it('that lie leave the bytes as they are', () => {
    expect(treeOfBytes('application/json', json, 'gzip')).toEqual({ a: 1 })
    expect(decodeContentEncoding(json, 'rot13', 100).outcome).toBe('UNKNOWN')
  })
})

describe('other bodies', () => {
  it('are described by media type and size', () => {
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
    const expected: ParsedBody = { kind: 'opaque', mediaType: 'image/png', size: 10, reason: 'binary' }
    expect(treeOfBytes('', png)).toEqual(expected)
    expect(tree('text/plain', 'hello')).toEqual({
      kind: 'opaque',
      mediaType: 'text/plain',
      size: 5,
      reason: 'text',
    })
  })

  it('never make the reader throw', () => {
    const types = [
      'application/json',
      'text/xml',
      'multipart/form-data; boundary=a',
      'application/grpc',
      'text/event-stream',
      '',
    ]
    let seed = 7
    for (let i = 0; i < 2000; i++) {
      const bytes = Buffer.from(
        Array.from({ length: i % 60 }, () => {
          seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
          return '{}[]<>"\\:,--a1\n\r=&%\0\xff'.charCodeAt((seed >> 8) % 23)
        }),
      )
      const contentType = types[i % types.length]!
      parseBody({
        contentType,
        body: bytes.toString('base64'),
        isBase64: true,
        contentEncoding: i % 3 === 0 ? 'gzip' : '',
      })
      parseBody({ contentType, body: bytes.toString('latin1') })
    }
  })
})
