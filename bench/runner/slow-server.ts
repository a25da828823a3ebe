/**
 * A server that answers every request after one millisecond with 1 KB of JSON; the other end of the measurements of
 * sending. Prints its port, and counts nothing.
 *
 *   node bench/runner/slow-server.ts
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = JSON.stringify({
  items: Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}`, price: id * 3.5 })),
})

const server = createServer((request, response) => {
  request.resume()
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  }, 1)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
