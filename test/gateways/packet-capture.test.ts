import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RARE_PROGRAM } from '../../scripts/test-files.ts'
import { importText } from '../../src/traffic/index.ts'
import { until } from '../until.ts'

let folder: string
let capture: ChildProcess | null = null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-test-capture-'))
})
afterEach(async () => {
  if (capture !== null && capture.exitCode === null && capture.signalCode === null) {
    const ended = once(capture, 'exit')
    capture.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Captures the loopback interface; undefined when this machine does not allow it. */
async function startCapture(file: string, port: number): Promise<ChildProcess | undefined> {
  if (spawnSync('tcpdump', ['--version']).status !== 0) return undefined
  const child = spawn('tcpdump', ['-i', 'lo', '-U', '-Z', 'root', '-w', file, 'tcp', 'port', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const isOver = (): boolean => child.exitCode !== null || /listening on/.test(said)
  await until('it listens or ends', isOver)
  return child.exitCode === null ? child : undefined
}

async function send(options: object, body = ''): Promise<void> {
  const outgoing = request(options)
  outgoing.end(body)
  const [answer] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream]
  answer.resume()
  await once(answer, 'end')
}

test('what tcpdump captures is imported: both bodies, over IPv4 and IPv6, on connections that stay open', {
  tags: [RARE_PROGRAM],
}, async ({ skip }) => {
  const long = JSON.stringify({ text: 'ä'.repeat(100_000) })
  const site = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray())
    response.setHeader('content-type', 'application/json')
    if (incoming.url === '/zip') response.setHeader('content-encoding', 'gzip').end(gzipSync(long))
    else if (incoming.method === 'HEAD') response.setHeader('content-length', 99).end()
    else response.end(body.length > 0 ? body : '{}')
  })
  site.listen(0, '::')
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const file = join(folder, 'shop.pcap')
    capture = (await startCapture(file, port)) ?? null
    if (capture === null) {
      console.warn('\nSKIPPED: a real capture, which needs tcpdump and the right to capture.\n')
      skip()
    }
    const headers = { host: 'shop.test', 'content-type': 'application/json' }
    for (const host of ['127.0.0.1', '::1']) {
      const to = { host, port, agent, headers }
      await send({ ...to, path: '/orders?page=2', method: 'POST' }, '{"qty":2}')
      await send({ ...to, path: '/zip' })
      await send({ ...to, path: '/orders', method: 'HEAD' })
      await send({ ...to, path: '/long', method: 'PUT' }, long)
    }
    const written = (): Buffer => readFileSync(file)
    await until('all is written', () => [...importText(written()).exchanges], {
      isRight: (found) => found.length === 8 && found[7]!.exchange.response.body === long,
    })
    const { exchanges, report, importer } = importText(written())
    const taken = [...exchanges].map(({ exchange }) => exchange)
    expect(importer).toBe('pcap')
    expect(report).toMatchObject({ taken: 8, skippedTotal: 0, warnings: [] })
    for (const [i, address] of ['127.0.0.1', '::1'].entries()) {
      const one = taken.slice(i * 4, i * 4 + 4)
      expect(one.map(({ request: { method, target } }) => `${method} ${target}`)).toEqual([
        'POST /orders?page=2',
        'GET /zip',
        'HEAD /orders',
        'PUT /long',
      ])
      expect(one[0]).toMatchObject({ clientIp: address, serverIp: address, source: 'PCAP' })
      expect(one[0]!.request.body).toBe('{"qty":2}')
      expect(one.map(({ response }) => response.body)).toEqual(['{"qty":2}', long, '', long])
    }
  } finally {
    agent.destroy()
    site.closeAllConnections()
    site.close()
  }
})
