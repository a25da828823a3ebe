import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, testKey } from '../../test/harness.ts'

const TOTAL = 40
const PER_ADDRESS = 8
let server: TestServer
const opened: Socket[] = []

beforeAll(async () => {
  server = await startTestServer({
    'max-connections': String(TOTAL),
    'max-connections-per-address': String(PER_ADDRESS),
    'max-ingest-bytes-in-flight': '1MiB',
    'body-idle-seconds': '6',
  })
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})
afterAll(() => server.close())

/** Opens a connection and says nothing. */
async function idle(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  opened.push(socket)
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return socket
}

/** Sends bytes on a connection of their own; resolves with the first line that comes back. */
async function firstLine(bytes: string): Promise<string> {
  const socket = await idle()
  socket.write(bytes)
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(data.toString().split('\r\n', 1)[0]!))
    socket.once('close', () => resolve('closed'))
  })
}

const headOfBatch = (bytes: number) =>
  `POST /api/ingestData HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${testKey}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`

test('more idle connections than fit lock nobody out', async () => {
  const sockets = await Promise.all(Array.from({ length: 3 * TOTAL }, idle))
  for (let n = 0; n < 5; n++) {
    expect((await server.post('/api/fetchOwnUser', {}, { headers: { connection: 'close' } })).status).toBe(
      200,
    )
    const health = await fetch(`${server.baseUrl}/health?live=1`, { headers: { connection: 'close' } })
    expect(health.status).toBe(200)
    await Promise.all(Array.from({ length: TOTAL }, idle))
  }
  const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState === 'open'
  for (const socket of sockets) socket.resume()
  // The oldest of an address go first, those that may bring a request soon stay.
  await expect.poll(() => opened.filter(isOpen).length).toBeLessThanOrEqual(PER_ADDRESS)
})

test('a connection that brings no request is closed soon', async () => {
  const socket = await idle()
  const started = performance.now()
  await new Promise((resolve) => socket.resume().once('close', resolve))
  expect(performance.now() - started).toBeLessThan(9_000)
})

test.each([
  ['showed a key', 'POST', '/api/fetchOwnUser', { 'x-api-key': testKey }],
  ['a health check keeps', 'GET', '/health?live=1', {}],
])('a connection that %s stays, whatever idle ones others open', async (_name, method, path, headers) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = () =>
    new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
      request(server.baseUrl + path, { method, agent, headers }, (answer) => {
        const port = answer.socket.localPort
        answer.resume().on('end', () => resolve({ status: answer.statusCode, port }))
      })
        .on('error', reject)
        .end()
    })
  const before = await call()
  const sockets = await Promise.all(Array.from({ length: 2 * TOTAL }, idle))
  const after = await call()
  expect(after).toEqual({ status: 200, port: before.port })
  // Later, when those beyond the limit of the address are closed, too.
  const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState === 'open'
  for (const socket of sockets) socket.resume()
  await expect.poll(() => sockets.filter(isOpen).length).toBeLessThan(PER_ADDRESS)
  expect(await call()).toEqual(after)
  agent.destroy()
})

test('a batch that does not fit is refused before its body is sent, and others are answered meanwhile', async () => {
  const held = await idle()
  held.write(headOfBatch(900_000))
  await expect.poll(() => firstLine(headOfBatch(900_000))).toContain(' 503 ')
  expect((await server.post('/api/getAllCollections', {})).status).toBe(200)
  held.destroy()
  const small = { batchData: [] }
  await expect.poll(async () => (await server.post('/api/ingestData', small)).status).not.toBe(503)
  // A batch larger than the budget waits until no other is open; this one sends nothing further.
  expect(await firstLine(headOfBatch(2_000_000))).toContain(' 408 ')
})

test('a refused batch is answered while its body is still being sent, and its connection ends', async () => {
  const held = await idle()
  held.write(headOfBatch(900_000))
  const socket = await idle()
  const answers: string[] = []
  socket.on('data', (data) => answers.push(...(data.toString().match(/HTTP\/1\.1 \d+/g) ?? [])))
  // Until the batch that is held was admitted, this one may be.
  await expect.poll(() => firstLine(headOfBatch(900_000))).toContain(' 503 ')
  const ended = new Promise((resolve) => socket.once('end', resolve).once('error', resolve))
  socket.write(headOfBatch(900_000) + ' '.repeat(800_000))
  expect(await ended).toBeUndefined()
  expect(answers).toEqual(['HTTP/1.1 503'])
})
