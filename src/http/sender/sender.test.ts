import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { setClock } from '../../kit/index.ts'
import type { AuditEntry, OutgoingRequest } from './outgoing.ts'
import { Sender, type SenderOptions } from './sender.ts'
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

function sender(
  hosts: string[],
  own: string[] = [],
  requestsPerMinute = 0,
  options: Partial<SenderOptions> = {},
): Sender {
  const made = new Sender({
    scope: new TargetScope(hosts, own),
    requestsPerMinute,
    verifiesTls: false,
    audit: (entry) => audit.push(entry),
    ...options,
  })
  senders.push(made)
  return made
}

function send(
  from: Sender,
  request: Partial<OutgoingRequest> & { url: string },
  signal?: AbortSignal,
  lingerMs?: number,
) {
  return from.send(
    { method: 'GET', headers: [], body: null, ...request },
    {
      followRedirects: true,
      signal: signal ?? new AbortController().signal,
      ...(lingerMs === undefined ? {} : { lingerMs }),
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

test('a host that keeps failing is not asked for a while, then tried again', async () => {
  let isUp = false
  const host = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.resume()
      if (isUp) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      else socket.destroy()
    }),
  )
  const from = sender([host])
  for (let i = 0; i < 10; i++)
    await expect(send(from, { url: `http://${host}/` })).rejects.toThrow('TARGET_UNREACHABLE')
  isUp = true
  await expect(send(from, { url: `http://${host}/` })).rejects.toThrow('HOST_BUDGET_SPENT')
  const later = Date.now() + 31_000
  const putBack = setClock(() => later)
  try {
    const [one, two] = await Promise.allSettled([
      send(from, { url: `http://${host}/` }),
      send(from, { url: `http://${host}/` }),
    ])
    expect(one.status).toBe('fulfilled')
    expect(two).toMatchObject({ status: 'rejected', reason: { code: 'HOST_BUDGET_SPENT' } })
    await send(from, { url: `http://${host}/` })
  } finally {
    putBack()
  }
})

test('concurrent requests stay within the limit, and those that wait can be stopped', async () => {
  let most = 0
  let open = 0
  const answers: (() => void)[] = []
  const host = await listen(
    createServer((_request, response) => {
      most = Math.max(most, ++open)
      answers.push(() => response.end('x', () => open--))
    }),
  )
  const from = sender([host], [], 0, { maxConcurrent: 3 })
  const stop = new AbortController()
  const first = Array.from({ length: 3 }, () => send(from, { url: `http://${host}/` }))
  await expect.poll(() => answers.length).toBe(3)
  const waiting = send(from, { url: `http://${host}/` }, stop.signal)
  const last = send(from, { url: `http://${host}/` })
  stop.abort()
  await expect(waiting).rejects.toThrow('SEND_STOPPED')
  for (const answer of answers.splice(0)) answer()
  await Promise.all(first)
  await expect.poll(() => answers.length).toBe(1)
  answers[0]!()
  await last
  expect(most).toBe(3)
})

test('the answer to what was sent may be waited for a little longer than the work lasts', async () => {
  const answers: (() => void)[] = []
  const host = await listen(createServer((_request, response) => answers.push(() => response.end('made 7'))))
  const from = sender([host])
  const request = { method: 'POST', url: `http://${host}/` }
  const stop = new AbortController()
  const kept = send(from, request, stop.signal, 5_000)
  await expect.poll(() => answers.length).toBe(1)
  const [short, none] = [send(from, request, stop.signal, 20), send(from, request, stop.signal)]
  const ended = [short, none].map((one) => expect(one).rejects.toThrow('SEND_STOPPED'))
  await expect.poll(() => answers.length).toBe(3)
  stop.abort()
  await Promise.all(ended)
  answers[0]!()
  expect((await kept).response.body.toString()).toBe('made 7')
  await expect(send(from, request, stop.signal, 5_000)).rejects.toThrow('SEND_STOPPED')
  expect(answers).toHaveLength(3)
})

test('closing ends what is under way', async () => {
  const host = await listen(createServer(() => {}))
  const from = sender([host])
  const sent = send(from, { url: `http://${host}/` })
  const ended = expect(sent).rejects.toThrow('SEND_STOPPED')
  await from.close()
  await ended
  await expect(send(from, { url: `http://${host}/` })).rejects.toThrow('SEND_STOPPED')
})

test('the time of an answer leaves out the wait for the turn', async () => {
  const host = await listen(createServer((_request, response) => response.end('x')))
  const from = sender([host], [], 600)
  const sent = await Promise.all(Array.from({ length: 4 }, () => send(from, { url: `http://${host}/` })))
  for (const { totalMs } of sent) expect(totalMs).toBeLessThan(90)
})

describe('names', () => {
  const names = (addresses: readonly string[][]): SenderOptions['resolve'] => {
    let asked = 0
    return async () =>
      (addresses[Math.min(asked++, addresses.length - 1)] ?? []).map((address) => ({ address, family: 4 }))
  }

  test('are resolved once, and what was checked is what is connected to', async () => {
    const seen: string[] = []
    const host = await rawServer('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', seen)
    const [, port] = host.split(':')
    const from = sender([`shop.test:${port}`], [], 0, {
      resolve: names([['127.0.0.1'], ['169.254.169.254']]),
    })
    await send(from, { url: `http://shop.test:${port}/` })
    expect(seen).toHaveLength(1)
    const rebound = sender([`shop.test:${port}`], [], 0, { resolve: names([['169.254.169.254']]) })
    await expect(send(rebound, { url: `http://shop.test:${port}/` })).rejects.toThrow('TARGET_OUT_OF_SCOPE')
  })

  test('that look public may not lead inside, for the library and for own connections', async () => {
    const seen: string[] = []
    const host = await rawServer('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', seen)
    const [, port] = host.split(':')
    for (const method of ['GET', 'Get']) {
      const from = sender([`shop.example:${port}`], [], 0, { resolve: names([['127.0.0.1']]) })
      const sent = send(from, { method, url: `http://shop.example:${port}/` })
      await expect(sent).rejects.toMatchObject({
        code: 'TARGET_OUT_OF_SCOPE',
        details: { host: `shop.example:${port}` },
      })
    }
    expect(seen).toHaveLength(0)
  })

  test.each([
    ...['169.254.169.254', '100.100.100.200', 'fd20:ce::254', 'fd00:ec2::23', 'fd00:ec2::254', 'fd00:42::42'],
    ...['::169.254.169.254', '::ffff:169.254.169.254', '::ffff:0:169.254.169.254', '64:ff9b:1::a9fe:a9fe'],
    ...['64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', '::ffff:10.0.0.5', '64:ff9b:1::a00:5'],
  ])(
    '%s is refused in a URL, behind a name and behind a redirect, also where it is a host under test',
    async (address) => {
      const url = address.includes(':') ? `http://[${address}]/` : `http://${address}/`
      const inside = new URL(url).host
      const isPrivate = /10\.0\.0\.5|a00:5/.test(address)
      const refused = { code: 'TARGET_OUT_OF_SCOPE' }
      // A private address may be tested where a person named it.
      if (!isPrivate) await expect(send(sender([inside]), { url })).rejects.toMatchObject(refused)
      const family = address.includes(':') ? 6 : 4
      const named = sender(['shop.example'], [], 0, { resolve: async () => [{ address, family }] })
      await expect(send(named, { url: 'http://shop.example/' })).rejects.toMatchObject(refused)
      const redirecting = (location: string) =>
        listen(createServer((_request, response) => response.writeHead(302, { location }).end()))
      const host = await redirecting(url)
      const stayed = await send(sender(isPrivate ? [host] : [host, inside]), { url: `http://${host}/` })
      expect(stayed).toMatchObject({ redirects: [], refusedRedirect: { url: new URL(url).href } })
      const other = await redirecting('http://shop.example/')
      const resolve: SenderOptions['resolve'] = async () => [{ address, family }]
      const followed = sender([other, 'shop.example'], [], 0, { resolve })
      await expect(send(followed, { url: `http://${other}/` })).rejects.toMatchObject(refused)
    },
  )

  test('that are not known are reported as unreachable', async () => {
    const from = sender(['nowhere.test'], [], 0, {
      resolve: async () => {
        throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
      },
    })
    await expect(send(from, { url: 'http://nowhere.test/' })).rejects.toMatchObject({
      code: 'TARGET_UNREACHABLE',
      details: { reason: 'its name is not known' },
    })
  })
})

test.each([
  [301, 'POST', 'GET'],
  [302, 'PUT', 'PUT'],
  [303, 'PUT', 'GET'],
  [307, 'POST', 'POST'],
])('a redirect of status %i turns %s into %s', async (status, method, next) => {
  const seen: string[] = []
  const host = await listen(
    createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['content-length'] ?? '-'}`)
      request.resume()
      if (request.url === '/to') response.end('there')
      else response.writeHead(status, { location: '/to#part' }).end()
    }),
  )
  await send(sender([host]), { method, url: `http://${host}/from`, body: Buffer.from('ab') })
  expect(seen).toEqual([`${method} /from 2`, `${next} /to ${next === 'GET' ? '-' : '2'}`])
})

describe('the wire', () => {
  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

  test.each([
    [
      'a target with spaces and dots',
      { url: '/a b/../%2e%2e//c\\d?x=<>"' },
      'GET /a b/../%2e%2e//c\\d?x=<>" HTTP/1.1\r\n',
    ],
    ['text beyond ASCII as UTF-8', { url: '/é' }, 'GET /\u00c3\u00a9 HTTP/1.1\r\n'],
    ['a body with GET', { body: Buffer.from('ab') }, 'Content-Length: 2\r\n\r\nab'],
    ['two hosts', { headers: ['Host', 'a', 'HOST', 'b'] }, 'Host: a\r\nHOST: b\r\n'],
    [
      'a wrong length',
      { method: 'POST', headers: ['Content-Length', '1'], body: Buffer.from('ab') },
      'Content-Length: 1\r\n\r\nab',
    ],
    [
      'both lengths',
      {
        method: 'POST',
        headers: ['Transfer-Encoding', 'chunked', 'Content-Length', '4'],
        body: Buffer.from('0\r\n\r\n'),
      },
      'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
    ],
    [
      'hop-by-hop headers by name',
      { headers: ['Connection', 'close, X-Forwarded-For'] },
      'Connection: close, X-Forwarded-For\r\n',
    ],
    ['an upgrade', { headers: ['Connection', 'Upgrade', 'Upgrade', 'websocket'] }, 'Upgrade: websocket\r\n'],
    ['invalid header names', { headers: ['X Space', 'a', 'X-Nul\0', 'b'] }, 'X Space: a\r\nX-Nul\0: b\r\n'],
    ['a split header line', { headers: ['X-A', 'a\r\nX-B: b'] }, 'X-A: a\r\nX-B: b\r\n'],
  ])('carries %s', async (_what, { url = '/', ...request }: Partial<OutgoingRequest>, expected) => {
    const seen: string[] = []
    const host = await rawServer(OK, seen)
    await send(sender([host]), { ...request, url: `http://${host}${url}` })
    expect(seen[0]).toContain(expected)
    expect(seen).toHaveLength(1)
  })

  test('carries nothing that the request does not say', async () => {
    const seen: string[] = []
    const host = await rawServer(OK, seen)
    const from = sender([host])
    await send(from, { url: `http://${host}/` })
    await send(from, { method: 'Get', url: `http://${host}/` })
    expect(seen).toEqual([
      `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n\r\n`,
      `Get / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    ])
  })

  test('stays open until the answer is there', async () => {
    // A server whose side closes as soon as the caller's does.
    const host = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => setTimeout(() => socket.end(OK), 50))
      }),
    )
    expect((await send(sender([host]), { method: 'Get', url: `http://${host}/` })).response.status).toBe(200)
  })
})

test('spreads requests over the minute', async () => {
  const host = await listen(createServer((_request, response) => response.end('x')))
  const from = sender([host], [], 1200)
  const started = performance.now()
  await Promise.all(Array.from({ length: 5 }, () => send(from, { url: `http://${host}/` })))
  // Four requests wait for 50 ms each; a burst of a tenth of a second is free.
  expect(performance.now() - started).toBeGreaterThan(90)
})
