import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type HostileTarget, startHostileTarget } from '../../../test/targets/hostile/server.ts'
import type { AuditEntry, SentResponse } from './outgoing.ts'
import { Sender, type SenderOptions } from './sender.ts'
import { TargetScope } from './target-scope.ts'

const LIMIT = 5 * 1024 * 1024
let target: HostileTarget
let sender: Sender
const audit: AuditEntry[] = []

beforeAll(async () => {
  target = await startHostileTarget()
})
afterAll(() => target.close())
afterEach(async () => {
  audit.length = 0
  await sender.close()
})

function make(options: Partial<SenderOptions> = {}): Sender {
  sender = new Sender({
    scope: new TargetScope([target.host, target.tlsHost]),
    requestsPerMinute: 0,
    verifiesTls: false,
    audit: (entry) => audit.push(entry),
    limits: { firstByteMs: 400, totalMs: 800 },
    ...options,
  })
  return sender
}

const PURPOSE = { kind: 'test', runId: null, summaryId: null, testId: null, user: null } as const

/** Both ways of sending: the library, and a separate connection (a method that the library does not know). */
const WAYS = ['GET', 'Get'] as const

function ask(path: string, method = 'GET', signal = new AbortController().signal): Promise<SentResponse> {
  return sender.send(
    { method, url: `http://${target.host}${path}`, headers: [], body: null },
    { followRedirects: true, signal, purpose: PURPOSE },
  )
}

describe.each(WAYS)('asked with %s', (method) => {
  test.each([
    ['/slow-body', 'TARGET_TIMEOUT'],
    ['/slow-head', 'TARGET_BROKE_PROTOCOL'],
    ['/never-answers', 'TARGET_TIMEOUT'],
    ['/endless-head', 'TARGET_BROKE_PROTOCOL'],
    ['/endless-line', 'TARGET_BROKE_PROTOCOL'],
    ['/ten-thousand-headers', 'TARGET_BROKE_PROTOCOL'],
    ['/redirect-loop', 'TOO_MANY_REDIRECTS'],
    ['/no-http', 'TARGET_BROKE_PROTOCOL'],
    ['/bad-status', 'TARGET_BROKE_PROTOCOL'],
    ['/bad-chunk', 'TARGET_BROKE_PROTOCOL'],
    ['/two-lengths', 'TARGET_BROKE_PROTOCOL'],
    ['/closes-at-once', 'TARGET_UNREACHABLE'],
    ['/closes-in-head', 'TARGET_BROKE_PROTOCOL'],
    ['/closes-in-body', 'TARGET_BROKE_PROTOCOL'],
    ['/resets', 'TARGET_UNREACHABLE'],
  ])('%s is reported as %s, and the connection is gone', async (path, code) => {
    make()
    await expect(ask(path, method)).rejects.toThrow(code)
    expect(audit.at(-1)).toMatchObject({ method })
    await expect.poll(() => target.connections()).toBe(0)
  })

  test.each(['/endless-body', '/endless-chunks', '/gzip-bomb', '/gzip-bomb-in-bomb'])(
    '%s is cut at the limit',
    async (path) => {
      make({ limits: { firstByteMs: 5_000, totalMs: 10_000 } })
      const { response, isTruncated } = await ask(path, method)
      expect(isTruncated).toBe(true)
      expect(response.status).toBe(200)
      expect(response.body.length).toBe(path === '/gzip-bomb-in-bomb' ? response.body.length : LIMIT)
      expect(response.body.length).toBeLessThanOrEqual(LIMIT)
    },
  )

  test.each(['/many-codings', '/not-gzip'])('%s is kept as it came', async (path) => {
    make()
    const { response, isTruncated } = await ask(path, method)
    expect(isTruncated).toBe(false)
    if (path === '/not-gzip') expect(response.body).toBe('plain text')
  })

  test.each([
    ['/redirect-metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['/redirect-elsewhere', 'http://elsewhere.example/'],
    ['/redirect-file', 'file:///etc/passwd'],
  ])('%s is not followed, and its answer stands', async (path, url) => {
    make()
    const { response, refusedRedirect, redirects } = await ask(path, method)
    expect(response.status).toBe(302)
    expect(refusedRedirect?.url).toBe(url)
    expect(redirects).toEqual([])
    expect(audit).toHaveLength(1)
  })

  test.each([
    ['/interim', 'ok'],
    ['/length-and-chunks', 'ok'],
    ['/trailers', 'ok'],
    ['/no-content', ''],
    ['/until-close', 'ok'],
  ])('%s is understood', async (path, body) => {
    make()
    const { response } = await ask(path, method)
    expect(response.body).toBe(body)
    expect(response.status).toBe(path === '/no-content' ? 204 : 200)
  })

  test('the letter case, the order and the repeats of answer headers are kept', async () => {
    make()
    const { response } = await ask('/until-close', method)
    expect(response.headers).toEqual(['X-Mixed-Case', 'Ünï', 'x-mixed-case', '2'])
  })

  test('an event stream is left after a silence, with what it said', async () => {
    make({ limits: { firstByteMs: 1_000, totalMs: 10_000 } })
    const { response, isTruncated, totalMs } = await ask('/events', method)
    expect(response.body).toBe('data: 1\n\n')
    expect(isTruncated).toBe(true)
    expect(totalMs).toBeLessThan(3_000)
  })

  test.each(['/never-answers', '/endless-body', '/slow-body', '/events'])(
    'the end of a run ends %s at once',
    async (path) => {
      make({ limits: { bodyBytes: 1024 ** 3 } })
      const stop = new AbortController()
      const sent = ask(path, method, stop.signal)
      await expect.poll(() => target.connections()).toBe(1)
      const stoppedAt = performance.now()
      stop.abort()
      await expect(sent).rejects.toThrow('SEND_STOPPED')
      expect(performance.now() - stoppedAt).toBeLessThan(100)
      await expect.poll(() => target.connections()).toBe(0)
      expect(audit.at(-1)).toMatchObject({ failure: 'SEND_STOPPED' })
    },
  )
})

test('HEAD has no body, whatever the length says', async () => {
  make()
  const { response } = await ask('/fine', 'HEAD')
  expect(response).toMatchObject({ status: 200, body: '' })
})

describe('over TLS', () => {
  const secure = (certificate?: { certificate: string; key: string }): Promise<SentResponse> =>
    sender.send(
      { method: 'GET', url: `https://${target.tlsHost}/fine`, headers: [], body: null },
      {
        followRedirects: true,
        signal: new AbortController().signal,
        purpose: PURPOSE,
        ...(certificate ? { clientCertificate: certificate } : {}),
      },
    )

  test('a bad certificate is refused only when the run verifies', async () => {
    make({ verifiesTls: true })
    await expect(secure()).rejects.toThrow('TARGET_CERTIFICATE_REFUSED')
    await sender.close()
    make()
    expect((await secure()).response.body).toBe('ok')
  })

  test('each client certificate has its own connections', async () => {
    const { selfSigned } = await import('../../../test/targets/hostile/self-signed.ts')
    const [one, two] = [selfSigned('one'), selfSigned('two')]
    make()
    target.callers.length = 0
    await secure(one)
    await secure(two)
    await secure()
    expect(target.callers).toEqual([one.fingerprint, two.fingerprint, ''])
  })

  test('a target without TLS is reported as unreachable', async () => {
    make()
    const sent = sender.send(
      { method: 'GET', url: `https://${target.host}/fine`, headers: [], body: null },
      { followRedirects: true, signal: new AbortController().signal, purpose: PURPOSE },
    )
    await expect(sent).rejects.toThrow(/TARGET_(?:UNREACHABLE|TIMEOUT)/)
  })
})

test('many hostile answers at once do not fill the memory', {
  tags: ['marathon'],
}, async () => {
  make({ limits: { firstByteMs: 5_000, totalMs: 10_000 }, maxConcurrent: 8 })
  const paths = ['/endless-body', '/endless-head', '/gzip-bomb', '/ten-thousand-headers', '/endless-chunks']
  await Promise.allSettled(paths.map((path) => ask(path)))
  const before = process.memoryUsage().rss
  for (let round = 0; round < 6; round++)
    await Promise.allSettled([...paths, ...paths].map((path) => ask(path)))
  expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024)
})

test('a write that follows an error goes over a connection that the server cannot have closed', async () => {
  const failed = new Set<Socket>()
  const server = createServer(({ method, socket }, response) => {
    // As servers do that close a connection after an error while the next request is already on its way.
    if (failed.has(socket)) return void socket.destroy()
    if (method === 'PUT') failed.add(socket)
    response.writeHead(method === 'PUT' ? 500 : 201).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  make({ scope: new TargetScope([host]) })
  const send = (method: string) =>
    sender.send(
      { method, url: `http://${host}/orders`, headers: [], body: Buffer.from('{}') },
      { followRedirects: false, signal: new AbortController().signal, purpose: PURPOSE },
    )
  try {
    expect((await send('PUT')).response.status).toBe(500)
    expect((await send('POST')).response.status).toBe(201)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
