import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { AuditEntry, OutgoingRequest } from './outgoing.ts'
import { Sender } from './sender.ts'
import { TargetScope } from './target-scope.ts'

const servers: (Server | TcpServer)[] = []
const senders: Sender[] = []
const audit: AuditEntry[] = []

afterEach(async () => {
  audit.length = 0
  for (const sender of senders.splice(0)) await sender.close()
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen(server: Server | TcpServer): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function sender(hosts: string[], own: string[] = [], requestsPerMinute = 0): Sender {
  const made = new Sender({
    scope: new TargetScope(hosts, own),
    requestsPerMinute,
    verifiesTls: false,
    audit: (entry) => audit.push(entry),
  })
  senders.push(made)
  return made
}

function send(from: Sender, request: Partial<OutgoingRequest> & { url: string }, signal?: AbortSignal) {
  return from.send(
    { method: 'GET', headers: [], body: null, ...request },
    {
      followRedirects: true,
      signal: signal ?? new AbortController().signal,
      purpose: { kind: 'test', runId: 'r', summaryId: 's', testId: 'T', user: null },
    },
  )
}

/** A server that shows what it got, byte for byte. */
async function rawServer(answer: string | Buffer, seen: string[] = []): Promise<string> {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (bytes) => {
        seen.push(bytes.toString('latin1'))
        socket.end(answer)
      })
    }),
  )
}

test('sends what the draft says, and tells the audit without the query', async () => {
  const seen: string[] = []
  const host = await rawServer('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\n\r\nhi', seen)
  const answer = await send(sender([host]), {
    url: `http://${host}/a/../b//c?q=%0d%0a&s=secret`,
    headers: ['X-Mixed', 'one', 'x-mixed', 'two', 'Host', 'other.example'],
  })
  expect(answer.response).toMatchObject({ status: 200, body: 'hi' })
  expect(seen[0]).toContain('GET /a/../b//c?q=%0d%0a&s=secret HTTP/1.1\r\n')
  expect(seen[0]).toMatch(/X-Mixed: one\r\n(?:.*\r\n)*x-mixed: two\r\n/)
  expect(seen[0]).toContain('other.example')
  expect(audit).toMatchObject([{ method: 'GET', host, status: 200, failure: null, testId: 'T' }])
  expect(JSON.stringify(audit)).not.toContain('secret')
})

test('sends methods and targets that no library sends', async () => {
  const seen: string[] = []
  const host = await rawServer('HTTP/1.1 501 No\r\n\r\nno', seen)
  const answer = await send(sender([host]), { method: 'FooBar', url: `http://${host}/a b` })
  expect(answer.response.status).toBe(501)
  expect(seen[0]).toContain('FooBar /a b HTTP/1.1\r\n')
})

describe('the scope', () => {
  test('refuses other hosts, other schemes and the own listener', async () => {
    const host = await rawServer('HTTP/1.1 200 OK\r\n\r\n')
    await expect(send(sender(['shop.example']), { url: `http://${host}/` })).rejects.toThrow(
      'TARGET_OUT_OF_SCOPE',
    )
    await expect(send(sender([host], [host]), { url: `http://${host}/` })).rejects.toThrow(
      'TARGET_OUT_OF_SCOPE',
    )
    await expect(send(sender([host]), { url: `ftp://${host}/` })).rejects.toThrow('TARGET_OUT_OF_SCOPE')
  })

  test('refuses the metadata address even when it is a host under test', async () => {
    await expect(send(sender(['169.254.169.254']), { url: 'http://169.254.169.254/latest' })).rejects.toThrow(
      'TARGET_OUT_OF_SCOPE',
    )
  })

  test('refuses a redirect that leads out of it', async () => {
    const host = await rawServer(
      'HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n',
    )
    await expect(send(sender([host]), { url: `http://${host}/` })).rejects.toThrow('TARGET_OUT_OF_SCOPE')
  })
})

test('follows redirects, leaves credentials with their host, and ends at a loop', async () => {
  const seen: string[] = []
  const target = await rawServer('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', seen)
  const first = await rawServer(
    `HTTP/1.1 302 Found\r\nLocation: http://${target}/x\r\nContent-Length: 0\r\n\r\n`,
  )
  const answer = await send(sender([first, target]), {
    url: `http://${first}/`,
    headers: ['Authorization', 'Bearer secret'],
  })
  expect(answer.redirects).toEqual([`http://${target}/x`])
  expect(seen[0]).not.toContain('secret')
  const loop = await listen(
    createServer((_request, response) => response.writeHead(302, { location: '/again' }).end()),
  )
  await expect(send(sender([loop]), { url: `http://${loop}/` })).rejects.toThrow('TOO_MANY_REDIRECTS')
})

describe('a hostile target', () => {
  test('with an endless body is cut at the limit', async () => {
    const host = await listen(
      createServer((_request, response) => {
        const part = Buffer.alloc(65_536, 97)
        const pour = (): void => {
          while (!response.destroyed && response.write(part));
          if (!response.destroyed) response.once('drain', pour)
        }
        pour()
      }),
    )
    const answer = await send(sender([host]), { url: `http://${host}/` })
    expect(answer.isTruncated).toBe(true)
    expect(answer.response.body.length).toBe(5 * 1024 * 1024)
  })

  test('with a gzip bomb is named as broken', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const host = await listen(
      createServer((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb)),
    )
    await expect(send(sender([host]), { url: `http://${host}/` })).rejects.toThrow('TARGET_BROKE_PROTOCOL')
  })

  test.each([
    ['no HTTP at all', 'this is no http\r\n\r\n'],
    [
      'ten thousand headers',
      `HTTP/1.1 200 OK\r\n${'X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(10_000)}\r\n`,
    ],
  ])('with %s is named as broken', async (_what, answer) => {
    const host = await rawServer(answer)
    await expect(send(sender([host]), { url: `http://${host}/` })).rejects.toThrow(
      /TARGET_(?:BROKE_PROTOCOL|UNREACHABLE)/,
    )
  })

  test('that closes at once, or does not exist, is named as unreachable and left alone after a while', async () => {
    const host = await listen(createTcpServer((socket) => socket.destroy()))
    const from = sender([host])
    for (let i = 0; i < 10; i++)
      await expect(send(from, { url: `http://${host}/` })).rejects.toThrow('TARGET_UNREACHABLE')
    await expect(send(from, { url: `http://${host}/` })).rejects.toThrow('HOST_BUDGET_SPENT')
  })

  test('that never answers is left when the run ends', async () => {
    const host = await listen(createServer(() => {}))
    const stop = new AbortController()
    const sent = send(sender([host]), { url: `http://${host}/` }, stop.signal)
    stop.abort()
    await expect(sent).rejects.toThrow('SEND_STOPPED')
    expect(audit).toMatchObject([{ status: null, failure: 'SEND_STOPPED' }])
  })
})

test('spreads requests over the minute', async () => {
  const host = await listen(createServer((_request, response) => response.end('x')))
  const from = sender([host], [], 1200)
  const started = performance.now()
  await Promise.all(Array.from({ length: 5 }, () => send(from, { url: `http://${host}/` })))
  expect(performance.now() - started).toBeGreaterThan(140)
})
