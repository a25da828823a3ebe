import { request } from 'node:http'
import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, testKey } from '../../test/harness.ts'
import { isBuilt } from '../app/index.ts'
import { errorCodeHeader, type OperationName, operationList } from '../contract/index.ts'
import { rawBodyOperations } from './raw-bodies.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    'max-body-bytes': '64KiB',
    'body-idle-seconds': '1',
  })
})
afterAll(() => server.close())

async function refusal(answer: Response): Promise<[number, string | null, unknown]> {
  return [answer.status, answer.headers.get(errorCodeHeader), await answer.json()]
}

/** Sends raw bytes and resolves with everything that came back until the server closed or `until` appeared. */
function exchange(bytes: string, until: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (data) => {
      received += data.toString()
      if (!until.test(received)) return
      socket.destroy()
      resolve(received)
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
  })
}

function head(extra: string[]): string {
  return [
    'POST /api/fetchOwnUser HTTP/1.1',
    'host: localhost',
    `x-api-key: ${testKey}`,
    ...extra,
    '',
    '',
  ].join('\r\n')
}

test('an empty body reads as an empty object', async () => {
  const answer = await fetch(`${server.baseUrl}/api/fetchOwnUser`, {
    method: 'POST',
    headers: { 'x-api-key': testKey },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json;charset=utf-8')
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/)
})

test('an empty body of unknown length and another type is empty all the same', async () => {
  const answer = await exchange(
    `${head(['content-type: text/plain', 'transfer-encoding: chunked'])}0\r\n\r\n`,
    /\r\n\r\n.+/,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200/)
})

test('a body of another type is refused', async () => {
  const others: Record<string, string>[] = [{ 'content-type': 'text/plain' }, { 'content-type': '' }]
  for (const headers of others) {
    expect(await refusal(await server.post('/api/fetchOwnUser', {}, { headers }))).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { actionErrors: ['Content-Type must be application/json'] },
    ])
  }
  const withParameter = { 'content-type': 'Application/JSON ; charset=utf-8' }
  expect((await server.post('/api/fetchOwnUser', {}, { headers: withParameter })).status).toBe(200)
})

const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }

test.each(Object.entries(codings))('a body in the content coding %s is read', async (coding, encode) => {
  const headers = { 'content-encoding': coding }
  const send = (body: Uint8Array) => server.post('/api/createCollection', body, { headers })
  const text = JSON.stringify({ collectionName: `by ${coding}` })
  expect((await send(encode(text))).status).toBe(200)
  expect((await refusal(await send(Buffer.from(text)))).slice(0, 2)).toEqual([400, 'INVALID_ENCODING'])
  expect((await refusal(await send(encode(text).subarray(0, -4)))).slice(0, 2)).toEqual([
    400,
    'INVALID_ENCODING',
  ])
  const bomb = encode(Buffer.alloc(50 * 2 ** 20))
  expect(bomb.length).toBeLessThan(65_000)
  const start = performance.now()
  expect(await refusal(await send(bomb))).toEqual([
    413,
    'BODY_TOO_LARGE',
    { actionErrors: ['The body is larger than 65536 bytes'] },
  ])
  expect(performance.now() - start).toBeLessThan(10_000)
})

test('an unknown content coding is refused, with the known ones', async () => {
  for (const coding of ['compress', 'gzip, gzip']) {
    const answer = await server.post('/api/fetchOwnUser', '{}', { headers: { 'content-encoding': coding } })
    expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd')
    expect((await refusal(answer)).slice(0, 2)).toEqual([415, 'UNSUPPORTED_ENCODING'])
  }
})

test('a client that disconnects is not an error', async () => {
  const before = server.logText().length
  // Hung up at many moments between the call and its answer.
  const headers = ['accept-encoding: gzip', 'content-type: application/json', 'content-length: 2']
  const call = `${head(headers).replace('fetchOwnUser', 'fetchDataTypes')}{}`
  for (let n = 0; n < 60; n++) {
    const asked = connect(server.port, '127.0.0.1')
    asked.write(call)
    setTimeout(() => asked.destroy(), n / 5)
    await new Promise((resolve) => asked.on('close', resolve))
  }
  const sent = connect(server.port, '127.0.0.1')
  sent.write(`${head(['content-type: application/json', 'content-length: 100'])}{"a":`)
  sent.resetAndDestroy()
  await expect.poll(async () => (await fetch(`${server.baseUrl}/health?live=1`)).status).toBe(200)
  await server.post('/api/fetchOwnUser', {})
  expect(server.logText().slice(before)).not.toContain('"level":"error"')
})

test.each([['{'], ['[]'], ['"text"'], ['null'], ['1']])('the body %s is not an object', async (body) => {
  expect(await refusal(await server.post('/api/fetchOwnUser', body))).toEqual([
    400,
    'INVALID_JSON_BODY',
    { actionErrors: ['The body is not a JSON object'] },
  ])
})

test('deep nesting is refused', async () => {
  const body = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
  expect((await refusal(await server.post('/api/fetchOwnUser', body))).slice(0, 2)).toEqual([422, 'TOO_DEEP'])
})

test('keys that could change prototypes do nothing', async () => {
  const body = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
  expect((await server.post('/api/fetchOwnUser', body)).status).toBe(200)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('a body over the limit is refused, announced or not', async () => {
  const big = JSON.stringify({ a: 'x'.repeat(70_000) })
  expect(await refusal(await server.post('/api/fetchOwnUser', big))).toEqual([
    413,
    'BODY_TOO_LARGE',
    { actionErrors: ['The body is larger than 65536 bytes'] },
  ])
  const chunk = `${(1000).toString(16)}\r\n${'x'.repeat(1000)}\r\n`
  const bytes = head(['content-type: application/json', 'transfer-encoding: chunked']) + chunk.repeat(100)
  expect(await exchange(bytes, /actionErrors/)).toMatch(/^HTTP\/1\.1 413/)
})

test('a body that stops arriving is answered with 408', async () => {
  const bytes = `${head(['content-type: application/json', 'content-length: 100'])}{"a":`
  const answer = await exchange(bytes, /actionErrors/)
  expect(answer).toMatch(/^HTTP\/1\.1 408/)
  expect(answer).toMatch(/\r\nretry-after: 1\r\n/i)
})

test('bodies beyond the shared memory limit are refused with a hint, and one that is allowed always has room', async () => {
  const small = await startTestServer({
    'max-bytes-in-flight': '1MiB',
    'max-body-bytes': '64KiB',
    'max-import-bytes': '2MiB',
    'body-idle-seconds': '60',
  })
  try {
    const held = async () => {
      const headers = { 'x-api-key': testKey }
      const text = await (await fetch(`${small.baseUrl}/metrics`, { headers })).text()
      return /^vigil_body_bytes_in_flight (\d+)$/m.exec(text)?.[1]
    }
    const upload = (chars: number) => small.post('/api/uploadHar', { content: 'x'.repeat(chars) })
    const half = connect(small.port, '127.0.0.1')
    const start = head(['content-type: application/json', 'content-length: 1500000'])
    half.write(`${start.replace(/ \/api\/\w+/, ' /api/uploadHar')}{"a":`)
    await expect.poll(held).toBe('1500000')
    const answer = await upload(1_000_000)
    expect(answer.headers.get('retry-after')).toBe('2')
    expect((await refusal(answer)).slice(0, 2)).toEqual([503, 'OVERLOADED'])
    half.destroy()
    await expect.poll(held).toBe('0')
    // It was read: the text is not a HAR file.
    expect((await upload(1_900_000)).status).toBe(422)
    expect(await held()).toBe('0')
  } finally {
    await small.close()
  }
})

test('operations that read their own bytes take large bodies; the others are read in a thread', () => {
  const large = operationList.filter(({ bodyLimit }) => bodyLimit === 'import').map(({ name }) => name)
  expect(large.filter((name) => rawBodyOperations.has(name)).sort()).toEqual([...rawBodyOperations].sort())
})

test('only POST calls an operation', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const answer = await fetch(`${server.baseUrl}/api/fetchOwnUser`, {
      method,
      headers: { 'x-api-key': testKey },
    })
    expect(answer.headers.get('allow')).toBe('POST')
    expect(await refusal(answer)).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      { actionErrors: [`Method ${method} is not allowed`] },
    ])
  }
  expect((await fetch(`${server.baseUrl}/api/fetchOwnUser`, { method: 'OPTIONS' })).status).toBe(204)
  expect((await fetch(`${server.baseUrl}/api/fetchOwnUser`, { method: 'HEAD' })).status).toBe(405)
})

test('an operation of the reference that is absent is answered with what to call instead', async () => {
  expect(await refusal(await server.post('/api/fetchCountMapOfApis', {}))).toEqual([
    404,
    'OPERATION_NOT_OFFERED',
    { actionErrors: [expect.stringContaining('call getAllCollections')] },
  ])
})

test('an unknown operation is reported, whatever its name', async () => {
  for (const name of ['noSuchThing', 'constructor', '__proto__', 'toString', '%00']) {
    const [status, code] = await refusal(await server.post(`/api/${name}`, {}))
    expect([name, status, code]).toEqual([name, 404, 'UNKNOWN_OPERATION'])
  }
  expect(await refusal(await server.post('/api/noSuchThing', {}))).toEqual([
    404,
    'UNKNOWN_OPERATION',
    { actionErrors: ['Unknown operation: noSuchThing'] },
  ])
  expect((await server.post('/api/fetchOwnUser/more', {})).status).toBe(404)
  expect((await server.post('/api/', {})).status).toBe(404)
})

test('every operation of the contract has a handler', () => {
  expect(operationList.filter(({ name }) => !isBuilt(name as OperationName))).toEqual([])
})

test('invalid HTTP and endless headers are refused and nothing breaks', async () => {
  expect(await exchange('nonsense\r\n\r\n', /\}/)).toMatch(/^HTTP\/1\.1 400/)
  expect(await exchange(head([`x-long: ${'y'.repeat(20_000)}`]), /\}/)).toMatch(/^HTTP\/1\.1 431/)
  const both = head(['content-length: 5', 'transfer-encoding: chunked'])
  expect(await exchange(`${both}0\r\n\r\n`, /\}/)).toMatch(/^HTTP\/1\.1 400/)
  expect((await server.post('/api/fetchOwnUser', {})).status).toBe(200)
})

test('large answers are compressed when asked for, small ones never', async () => {
  const get = (path: string): Promise<{ encoding: string | undefined; body: Buffer }> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': testKey, 'accept-encoding': 'gzip' }
      request(server.baseUrl + path, { headers }, (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('end', () =>
          resolve({ encoding: answer.headers['content-encoding'], body: Buffer.concat(pieces) }),
        )
      })
        .on('error', reject)
        .end()
    })
  const large = await get('/metrics')
  expect(large.encoding).toBe('gzip')
  expect(gunzipSync(large.body).toString()).toContain('vigil_calls_total')
  expect((await get('/health')).encoding).toBeUndefined()
})

test('pages carry a content policy and every answer forbids sniffing', async () => {
  const page = await fetch(`${server.baseUrl}/collections`, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  const answer = await server.post('/api/fetchOwnUser', {})
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('paths that leave the folder of the dashboard find nothing', async () => {
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/%00',
    '/%zz',
  ]) {
    const answer = await exchange(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`, /\r\n\r\n/)
    expect([path, answer.slice(9, 12)]).toEqual([path, expect.stringMatching(/40[034]/)])
  }
})

test('health tells the state of the parts, and life alone when asked', async () => {
  const health = await fetch(`${server.baseUrl}/health`)
  expect(await health.json()).toMatchObject({
    status: 'ok',
    parts: { store: 'ok' },
    setup: 'needs-first-user',
  })
  expect(await (await fetch(`${server.baseUrl}/health?live=1`)).json()).toEqual({ status: 'ok' })
})
