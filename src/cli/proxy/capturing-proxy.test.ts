import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CapturingProxy } from './capturing-proxy.ts'
import { Certificates } from './certificates.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-test-proxy-'))
const odd = new Map([
  ['/status', 'HTTP/1.1 099 Odd\r\n\r\n'],
  ['/reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n'],
])
let proxy: CapturingProxy
let port: number
let site: Server
let host: string

beforeAll(async () => {
  const certificates = new Certificates(folder)
  proxy = new CapturingProxy({ certificates, hosts: null, verifiesTls: true, onCapture: () => {} })
  port = await proxy.listen(0)
  site = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (data: Buffer) => {
      const [, path = ''] = data.toString('latin1').split(' ')
      socket.end(
        odd.get(path) ?? 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nfine',
        'latin1',
      )
    })
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  await proxy.close()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What the proxy answers to bytes, until it ends the connection. */
async function answerTo(...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (data: string) => {
    text += data
    const next = parts.shift()
    if (next !== undefined) socket.write(next)
  })
  socket.on('error', () => {})
  socket.write(parts.shift()!)
  await once(socket, 'close')
  return text
}

const within = `CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n`
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
const head = 'Host: {host}\r\nConnection: close\r\n\r\n'

test.each([
  ['an answer whose status is below 100', [`GET http://{host}/status HTTP/1.1\r\n${head}`], '502'],
  ['an answer whose reason cannot be written', [`GET http://{host}/reason HTTP/1.1\r\n${head}`], '502'],
  ['OPTIONS * within a tunnel', [within, `OPTIONS * HTTP/1.1\r\n${head}`], '400'],
  ['an absolute URL within a tunnel', [within, `GET http://other.example/ HTTP/1.1\r\n${head}`], '400'],
  ['an upgrade to ftp', [`GET ftp://{host}/ HTTP/1.1\r\n${upgrade}Host: {host}\r\n\r\n`], '400'],
  ['an upgrade within a tunnel', [within, `GET http://o.example/ HTTP/1.1\r\n${upgrade}\r\n`], '400'],
])('%s is refused, and the proxy continues', async (_what, parts, status) => {
  const answer = await answerTo(...parts.map((part) => part.replaceAll('{host}', host)))
  expect(answer).toContain(`HTTP/1.1 ${status} `)
  expect(
    await answerTo(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*fine$/)
})
