import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { createVigil, type Vigil, type VigilOptions } from '../../sdk/node/index.js'
import { until } from '../until.ts'

type Message = Record<string, unknown> & { path: string; requestPayload: string; responsePayload: string }

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that takes batches as Vigil does. */
async function collector(): Promise<{ url: string; messages: Message[]; keys: Set<unknown> }> {
  const messages: Message[] = []
  const keys = new Set<unknown>()
  const url = await listen(
    createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      messages.push(...(JSON.parse(body) as { batchData: Message[] }).batchData)
      keys.add(request.headers['x-api-key'])
      response.end('{}')
    }),
  )
  return { url, messages, keys }
}

function vigilFor(url: string, options: Partial<VigilOptions> = {}): Vigil {
  const vigil = createVigil({ url, key: 'k', flushMs: 20, maxCpuShare: 1, ...options })
  closers.push(() => vigil.close(0))
  return vigil
}

/** Answers with what was posted, read late. */
const echo: RequestListener = (request, response) => {
  setImmediate(async () => {
    const body = Buffer.concat(await request.toArray())
    response.setHeader('content-type', 'application/json')
    response.write('{"got":')
    response.end(`${body.length > 0 ? body.toString() : 'null'}}`)
  })
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

test('a request of node:http is sent with both bodies, and its secrets are not', async () => {
  const { url, messages, keys } = await collector()
  const vigil = vigilFor(url, { redactFields: ['nick'] })
  const app = await listen(createServer(vigil.handler(echo)))
  const answer = await post(
    `${app}/v1/users?access_token=abc&page=2`,
    { name: 'ann', Password: 'p4ss', deep: [{ 'card-number': '4111', nick: 'a' }] },
    { authorization: 'Bearer tok3n', cookie: 'sid=s3cret; theme=dark' },
  )
  expect(await answer.json()).toMatchObject({ got: { name: 'ann', Password: 'p4ss' } })
  await until('it was sent', () => vigil.stats().sent === 1)
  expect([...keys]).toEqual(['k'])
  expect(messages).toHaveLength(1)
  const [message] = messages
  expect(message).toMatchObject({ method: 'POST', statusCode: 200, source: 'SDK', ip: '127.0.0.1' })
  expect(message!.path).toBe('/v1/users?access_token=%5Bredacted%5D&page=2')
  expect(JSON.parse(message!.requestPayload)).toEqual({
    name: 'ann',
    Password: '[redacted]',
    deep: [{ 'card-number': '[redacted]', nick: '[redacted]' }],
  })
  expect(JSON.parse(message!.responsePayload)).toMatchObject({ got: { name: 'ann', Password: '[redacted]' } })
  const headers = Object.fromEntries(message!['requestHeaders'] as [string, string][])
  expect(headers).toMatchObject({
    authorization: 'Bearer [redacted]',
    cookie: 'sid=[redacted]; theme=[redacted]',
  })
  expect(JSON.stringify(messages)).not.toMatch(/tok3n|s3cret|p4ss|4111/)
})

test('a message tells how long the application took', async () => {
  const { url, messages } = await collector()
  const slow = vigilFor(url).handler((_request, response) => setTimeout(() => response.end('late'), 30))
  const app = await listen(createServer(slow))
  const asked = performance.now()
  expect(await (await fetch(app)).text()).toBe('late')
  await until('it was sent', () => messages.length === 1)
  const tookMs = messages[0]!['durationMs']
  expect(tookMs).toBeGreaterThan(25)
  expect(tookMs).toBeLessThan(performance.now() - asked + 1)
})

test('a Fastify application is observed on every route', async () => {
  const { url, messages } = await collector()
  const vigil = vigilFor(url)
  const app = fastify()
  await app.register(vigil.fastify())
  app.post('/orders/:id', (request) => ({ id: (request.params as { id: string }).id, body: request.body }))
  closers.push(() => app.close())
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  expect(await (await post(`${address}/orders/7`, { qty: 2 })).json()).toEqual({ id: '7', body: { qty: 2 } })
  await until('it was sent', () => messages.length === 1)
  expect(messages[0]).toMatchObject({
    path: '/orders/7',
    requestPayload: '{"qty":2}',
    responsePayload: '{"id":"7","body":{"qty":2}}',
  })
})

test('bodies that are too long, compressed or of an unknown form are not sent, and the application has them whole', async () => {
  const { url, messages } = await collector()
  const vigil = vigilFor(url, { maxBodyBytes: 1000 })
  const long = JSON.stringify({ text: 'x'.repeat(5000) })
  const app = await listen(
    createServer(
      vigil.handler((request, response) => {
        if (request.url === '/gzip') {
          response.setHeader('content-encoding', 'gzip').setHeader('content-type', 'application/json')
          response.end(gzipSync('{"password":"p"}'))
        } else if (request.url === '/text')
          response.setHeader('content-type', 'text/plain').end('password: p')
        else response.setHeader('content-type', 'application/json').end(long)
      }),
    ),
  )
  expect(await (await fetch(`${app}/long`)).text()).toBe(long)
  expect(await (await fetch(`${app}/gzip`)).json()).toEqual({ password: 'p' })
  expect(await (await fetch(`${app}/text`)).text()).toBe('password: p')
  await until('all were sent', () => messages.length === 3)
  expect(messages.map(({ responsePayload }) => responsePayload)).toEqual(['', '', ''])
})

const absent: [string, () => Promise<string>][] = [
  ['is away', async () => 'http://127.0.0.1:1'],
  ['never answers', () => listen(createServer(() => {}))],
  ['breaks connections', () => listen(createServer((request) => request.socket.destroy()))],
]
test.each(absent)(
  'the application answers as ever while Vigil %s, and what has no room is counted',
  async (_, start) => {
    const vigil = vigilFor(await start(), { maxQueueBytes: 100_000, timeoutMs: 200 })
    const app = await listen(createServer(vigil.handler(echo)))
    for (let i = 0; i < 100; i++) expect((await post(`${app}/x`, { i })).status).toBe(200)
    const { captured, sent, dropped, errors, waitingBytes } = vigil.stats()
    expect({ captured, sent, errors }).toEqual({ captured: 100, sent: 0, errors: 0 })
    expect(dropped).toBeGreaterThan(0)
    expect(waitingBytes).toBeLessThanOrEqual(100_000)
    await vigil.close(300)
    expect(vigil.stats()).toMatchObject({ sent: 0, dropped: 100, waiting: 0 })
  },
)

test('what waits is sent when Vigil is back, each message under the same id', async () => {
  const ids: string[][] = []
  const url = await listen(
    createServer(async (request, response) => {
      const { batchData } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      ids.push(batchData.map(({ id }: { id: string }) => id))
      response.writeHead(ids.length === 1 ? 503 : 200).end('{}')
    }),
  )
  const vigil = vigilFor(url)
  const app = await listen(createServer(vigil.handler(echo)))
  await post(`${app}/x`, {})
  await until('it was sent', () => vigil.stats().sent === 1)
  expect(ids).toHaveLength(2)
  expect(ids[1]).toEqual(ids[0])
})

test('what the middleware may take is bounded: beyond it requests are answered and counted as skipped', async () => {
  const { url, messages } = await collector()
  // A fifth of a millisecond is used up by the first requests.
  const vigil = vigilFor(url, { maxCpuShare: 0.0001 })
  const application = await listen(createServer(vigil.handler(echo)))
  for (let call = 0; call < 60; call++) {
    const answer = await post(`${application}/orders`, { call, text: 'x'.repeat(10_000) })
    expect(await answer.json()).toMatchObject({ got: { call } })
  }
  const { captured, skipped, dropped } = vigil.stats()
  expect(captured + skipped).toBe(60)
  expect(captured).toBeGreaterThan(0)
  expect(skipped).toBeGreaterThan(0)
  expect(dropped).toBe(0)
  await until('what was captured is sent', async () => messages.length, {
    isRight: (count) => count === captured,
  })
})

test('a sample rate of nought sends nothing, and a refused key is counted', async () => {
  const url = await listen(createServer((_, response) => void response.writeHead(401).end()))
  const none = vigilFor(url, { sampleRate: 0 })
  const refused = vigilFor(url)
  const app = await listen(createServer(none.handler(refused.handler(echo))))
  await post(`${app}/x`, {})
  await until('it was refused', () => refused.stats().rejected === 1)
  expect(none.stats().captured).toBe(0)
})

test.each([
  ['vigil.internal', 'k'],
  ['vigil.internal:9090', 'k'],
  ['', 'k'],
  ['http://127.0.0.1:1', ''],
])('the address "%s" with the key "%s" is refused at once', (url, key) => {
  expect(() => createVigil({ url, key })).toThrow(TypeError)
})

test.for([Number.NaN, -0.1, 1.1, '0.5', null])('a share of %s is refused', (share) => {
  for (const option of ['maxCpuShare', 'sampleRate'])
    expect(() => createVigil({ url: 'http://127.0.0.1:1', key: 'k', [option]: share })).toThrow(
      new TypeError(`${option} must be a number from 0 to 1`),
    )
})

test('an option that is undefined has its default', async () => {
  const { url, messages } = await collector()
  const options = { maxCpuShare: undefined, maxBodyBytes: undefined, redactFields: undefined }
  const vigil = createVigil({ url, key: 'k', flushMs: 20, ...(options as object) })
  closers.push(() => vigil.close(0))
  const app = await listen(createServer(vigil.handler(echo)))
  await post(`${app}/x`, { a: 1 })
  await until('it was sent', () => messages.length === 1)
  expect(messages[0]!.requestPayload).toBe('{"a":1}')
})
