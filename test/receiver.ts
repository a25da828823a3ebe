import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver heard. */
export interface HeardRequest {
  readonly method: string
  /** Path with query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What a receiver answers. */
export interface ReceiverAnswer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A server that stands in for another system: hears requests and answers as the test says. */
export interface Receiver {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly host: string
  readonly heard: HeardRequest[]
  /** How requests are answered from now on; 200 without a body at first. Null breaks the connection. */
  answer(how: (request: HeardRequest) => ReceiverAnswer | null): void
  close(): Promise<void>
}

/** Starts one on a free port of this machine. */
export async function startReceiver(): Promise<Receiver> {
  const heard: HeardRequest[] = []
  let how: (request: HeardRequest) => ReceiverAnswer | null = () => ({ status: 200 })
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString('utf8'),
      }
      heard.push(one)
      const answer = how(one)
      if (answer === null) {
        request.socket.destroy()
        return
      }
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      response.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    heard,
    answer: (next) => {
      how = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
