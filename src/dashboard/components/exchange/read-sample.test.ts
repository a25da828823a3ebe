import { describe, expect, it } from 'vitest'
import { readSample } from './read-sample.ts'

describe('readSample', () => {
  it('reads the usual form', () => {
    const sample = readSample(
      JSON.stringify({
        method: 'POST',
        path: '/login?x=1',
        type: 'HTTP/1.1',
        requestHeaders: '{"host":"shop.test","accept":["a","b"]}',
        requestPayload: '{"u":1}',
        statusCode: '401',
        status: 'Unauthorized',
        responseHeaders: '[["set-cookie","a=1"],["set-cookie","b=2"]]',
        responsePayload: '',
        ip: '203.0.113.9',
        time: '1769854500',
        source: 'HAR',
      }),
    )
    expect(sample?.request).toEqual({
      line: 'POST /login?x=1 HTTP/1.1',
      headers: [
        ['host', 'shop.test'],
        ['accept', 'a'],
        ['accept', 'b'],
      ],
      body: '{"u":1}',
    })
    expect(sample?.response.line).toBe('HTTP/1.1 401 Unauthorized')
    expect(sample?.response.headers).toHaveLength(2)
    expect(sample?.time).toBe(1769854500)
  })

  it('reads the form with request and response inside', () => {
    const sample = readSample(
      JSON.stringify({
        request: {
          url: 'https://h/a',
          queryParams: 'b=1',
          method: 'GET',
          type: 'HTTP/2',
          headers: '{}',
          body: '',
        },
        response: { statusCode: 200, headers: { etag: 'x' }, body: 'ok' },
      }),
    )
    expect(sample?.request.line).toBe('GET https://h/a?b=1 HTTP/2')
    expect(sample?.response).toEqual({ line: 'HTTP/2 200', headers: [['etag', 'x']], body: 'ok' })
  })

  it('returns null for anything that is not a message', () => {
    expect(readSample('plain')).toBeNull()
    expect(readSample('{}')).toBeNull()
  })

  it('keeps hostile keys as text', () => {
    const sample = readSample('{"method":"GET","path":"/","requestHeaders":"{\\"__proto__\\":\\"x\\"}"}')
    expect(sample?.request.headers).toEqual([['__proto__', 'x']])
  })
})
