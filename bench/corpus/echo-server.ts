import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SHAPES } from './shapes.ts'

/** Bytes of a body that are shown. */
const MAX_SHOWN = 2_000

/**
 * A local server: 401 without credentials, the recorded answer to requests of the made-up exchanges, and to everything
 * else what was asked.
 */
export async function startEchoServer(): Promise<{
  origin: string
  requests(): number
  close(): Promise<void>
}> {
  let requests = 0
  const recorded = new Map(
    SHAPES.map(({ sample }) => [
      `${sample.request.method} ${new URL(sample.request.target).pathname}`,
      sample.response,
    ]),
  )
  const server: Server = createServer((request, response) => {
    requests++
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_SHOWN) chunks.push(chunk)
    })
    request.on('error', () => response.destroy())
    request.on('end', () => {
      const { method = '', url = '/', headers } = request
      const known = recorded.get(`${method} ${url.split('?', 1)[0]}`)
      if (headers.authorization === undefined && headers.cookie === undefined) {
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"unauthorized"}')
      } else if (known !== undefined) {
        response.writeHead(known.status, [...known.headers]).end(known.body)
      } else {
        const shown = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shown))
      }
    })
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
