import { once } from 'node:events'
import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, testKey } from '../../test/harness.ts'
import { until } from '../../test/until.ts'
import { errorCodeHeader } from '../contract/index.ts'

/** Reading such a request in one go takes several times as long. */
const LONG_PAUSE_MS = 200
const TRACES = '/api/otlp/v1/traces'
const PROTOBUF = 'application/x-protobuf'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ 'max-ingest-bytes-in-flight': '1MiB', 'body-idle-seconds': '60' })
})
afterAll(() => server.close())

function send(body: Buffer | string, type = PROTOBUF, headers: Record<string, string> = {}) {
  return server.post(TRACES, typeof body === 'string' ? body : new Uint8Array(body), {
    headers: { 'content-type': type, ...headers },
  })
}

/** A field of Protocol Buffers that holds bytes. */
function field(number: number, bytes: Buffer | string): Buffer {
  const content = Buffer.from(bytes as string)
  const length = [0, 7, 14, 21].map((shift) => (content.length >> shift) & 127)
  while (length.length > 1 && length.at(-1) === 0) length.pop()
  const varint = length.map((part, at) => (at < length.length - 1 ? part | 128 : part))
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint]), content])
}

const junk = (bytes: number): Buffer => Buffer.alloc(bytes, Buffer.from('1200', 'hex'))
const EIGHT_MIB = 8 * 1024 * 1024 - 64

function shapes(bytes: number): string {
  const parts: string[] = []
  for (let n = 0, length = 0; length < bytes - 40; length += parts.at(-1)!.length + 1)
    parts.push(`{"${(n++).toString(36)}":1}`)
  return `{"resourceSpans":[],"a":[${parts.join(',')}]}`
}

const spans = (count: number): string =>
  JSON.stringify({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: Array.from({ length: count }, () => ({
              kind: 2,
              attributes: [{ key: 'http.method', value: { stringValue: 'GET' } }],
            })),
          },
        ],
      },
    ],
  })

test.each<[string, string, Buffer | string]>([
  ['empty fields of a resource', PROTOBUF, field(1, junk(EIGHT_MIB))],
  ['empty fields of a span', PROTOBUF, field(1, field(2, field(2, junk(EIGHT_MIB))))],
  ['objects with a key each', 'application/json', shapes(2 * 1024 * 1024)],
  ['spans that are refused', 'application/json', spans(20_000)],
])('a request full of %s holds up no other call', { timeout: 120_000 }, async (_, type, body) => {
  const pauses: number[] = []
  // Other processes on the machine make pauses too: the shortest of several is the server's own.
  for (let n = 0; n < 8 && Math.min(...pauses) >= LONG_PAUSE_MS; n++) {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    expect((await send(body, type)).status).toBe(200)
    delay.disable()
    pauses.push(delay.max / 1e6)
  }
  expect(Math.min(...pauses)).toBeLessThan(LONG_PAUSE_MS)
})

test('traces are refused while live batches fill their memory', async () => {
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  const head = ['POST /api/ingestData HTTP/1.1', 'host: x', `x-api-key: ${testKey}`]
  socket.write([...head, 'content-type: application/json', 'content-length: 1048576', '', ''].join('\r\n'))
  const empty = '{"resourceSpans":[]}'
  const refused = await until('it is refused', () => send(empty, 'application/json'), {
    isRight: ({ status }) => status === 503,
  })
  expect([refused.headers.get(errorCodeHeader), refused.headers.get('retry-after')]).toEqual([
    'OVERLOADED',
    '2',
  ])
  socket.destroy()
  await until('it is taken', () => send(empty, 'application/json'), {
    isRight: ({ status }) => status === 200,
  })
})

test('an error is a status of the protocol for clients that speak Protocol Buffers', async () => {
  const answer = await send(Buffer.from('0a', 'hex'))
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get(errorCodeHeader)]).toEqual([
    400,
    PROTOBUF,
    'INVALID_TRACES',
  ])
  const message = 'Invalid OTLP request: it is not a message of Protocol Buffers'
  const body = Buffer.from(await answer.arrayBuffer())
  expect(body.subarray(0, 1).toString('hex')).toBe('12')
  expect(body.toString()).toContain(message)
  expect(body.equals(field(2, body.subarray(body.length < 130 ? 2 : 3)))).toBe(true)
  const withoutKey = await server.post(TRACES, '', { key: null, headers: { 'content-type': PROTOBUF } })
  expect([withoutKey.status, withoutKey.headers.get('content-type')]).toEqual([403, PROTOBUF])
  const json = await send('{}', 'application/json')
  expect(await json.json()).toEqual({ actionErrors: [expect.stringContaining('Invalid OTLP request')] })
})
