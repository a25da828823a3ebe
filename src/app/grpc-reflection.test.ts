import { once } from 'node:events'
import { createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, createServer } from 'node:net'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { importText } from '../traffic/index.ts'
import { describeGrpc } from './grpc-reflection.ts'

const LIMITS = { maxBytes: 10_000_000, verifiesTls: true }
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.forceShutdown()
})

async function started(withReflection: boolean): Promise<string> {
  const server = new Server()
  servers.push(server)
  const definition = loadSync('test/fixtures/grpc/stock.proto', { includeDirs: ['test/fixtures/grpc'] })
  if (withReflection) new ReflectionService(definition).addToServer(server)
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    )
  })
  return `grpc://127.0.0.1:${port}`
}

test('the services of a gRPC server are read by reflection, with the messages of other files', async () => {
  const { declared, report } = importText(await describeGrpc(await started(true), LIMITS))
  expect(report).toMatchObject({ taken: 2, warningsTotal: 0 })
  expect(declared.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /stock.v1.Stock/GetItem',
    'POST /stock.v1.Stock/WatchItems',
  ])
  expect(declared[0]?.responses[0]?.keys.map(({ key }) => key)).toEqual([
    'sku',
    'price#units',
    'price#currency',
  ])
})

test('a server without reflection, and one that does not answer, are distinguished', async () => {
  await expect(describeGrpc(await started(false), LIMITS)).rejects.toMatchObject({
    code: 'DOCUMENT_NOT_FETCHED',
    details: { reason: expect.stringContaining('does not offer reflection') },
  })
  await expect(describeGrpc('grpc://127.0.0.1:9', LIMITS)).rejects.toMatchObject({
    details: { reason: expect.stringContaining('ECONNREFUSED') },
  })
})

test('a server that breaks the connection, or speaks another protocol, is an error with its reason', async () => {
  const greetings = ['HTTP/1.1 400 Bad Request\r\n\r\n', Buffer.alloc(64, 0xff)]
  for (const greeting of greetings) {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(greeting)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `grpc://127.0.0.1:${(server.address() as AddressInfo).port}`
    await expect(describeGrpc(url, LIMITS)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FETCHED' })
  }
})

test('a description that is too large ends its stream', async () => {
  let closed: Promise<unknown> | null = null
  const server = createHttp2Server()
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    closed = once(stream, 'close')
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
    const send = (): void => {
      while (!stream.destroyed && stream.write(Buffer.alloc(16_384, 1)));
    }
    stream.on('drain', send)
    send()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `grpc://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(describeGrpc(url, { ...LIMITS, maxBytes: 100_000 })).rejects.toMatchObject({
    details: { reason: 'its description is too large' },
  })
  await closed
})
