import { createHash } from 'node:crypto'
import { createServer as createPlain } from 'node:http'
import { createServer as createSecure, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { selfSigned } from '../../../test/targets/hostile/self-signed.ts'
import { Sender, TargetScope } from '../../http/sender/index.ts'
import type { AuthMechanismView } from '../records/auth-mechanism.ts'
import { beginSession, type SessionDeps } from './begin-session.ts'
import { IdentifiedSend } from './identified-send.ts'
import { isLoginFailure } from './session.ts'

const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function listen(server: Server | ReturnType<typeof createPlain>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function senderTo(host: string): IdentifiedSend {
  const sender = new Sender({
    scope: new TargetScope([host]),
    requestsPerMinute: 0,
    verifiesTls: false,
    audit: () => {},
  })
  closers.push(() => sender.close())
  return new IdentifiedSend(sender)
}

const OPTIONS = {
  followRedirects: false,
  signal: new AbortController().signal,
  purpose: { kind: 'test', runId: null, summaryId: null, testId: null, user: null },
} as const

async function identityOf(type: string, parameters: { key: string; value: string }[]) {
  const mechanism = {
    id: 'm',
    type,
    parameters: parameters.map((one) => ({ where: type === 'TLS_AUTH' ? 'TLS' : 'HEADER', ...one })),
  } as unknown as AuthMechanismView
  const state = await beginSession(mechanism, 'MEMBER', {} as SessionDeps)
  if (isLoginFailure(state)) throw new Error(state.text)
  return state.parameters[0]!.identity!
}

test('digest credentials answer the challenge of a server, and the next request carries its answer at once', async () => {
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
  const seen: string[] = []
  const host = await listen(
    createPlain((request, response) => {
      const given = request.headers.authorization ?? ''
      const part = (name: string): string => new RegExp(`${name}="?([^",]+)`).exec(given)?.[1] ?? ''
      const secret = md5('mufasa:the realm:circle of life')
      const expected = md5(
        [secret, part('nonce'), part('nc'), part('cnonce'), 'auth', md5(`GET:${request.url}`)].join(':'),
      )
      const isRight =
        given !== '' && part('response') === expected && part('nonce') === `n${seen.length > 2 ? 2 : 1}`
      seen.push(`${given === '' ? 'without' : part('nc')} ${isRight ? 'right' : 'wrong'}`)
      if (isRight) response.end('in')
      else
        response
          .writeHead(401, {
            'www-authenticate': `Digest realm="the realm", nonce="n${seen.length > 2 ? 2 : 1}", qop="auth"`,
          })
          .end()
    }),
  )
  const send = senderTo(host)
  const identity = await identityOf('Digest_Auth', [
    { key: 'username', value: 'mufasa' },
    { key: 'password', value: 'circle of life' },
  ])
  const ask = (path: string, as = identity) =>
    send.send(
      {
        method: 'GET',
        url: `http://${host}${path}`,
        headers: ['authorization', 'Bearer of the victim'],
        body: null,
      },
      OPTIONS,
      as,
    )
  expect((await ask('/a?b=1')).response.body).toBe('in')
  expect(seen).toEqual(['without wrong', '00000001 right'])
  expect((await ask('/b')).response.body).toBe('in')
  expect(seen.at(-1)).toBe('00000002 right')
  expect((await ask('/c')).response.body, 'the nonce ran out').toBe('in')
  const count = seen.length
  const wrong = await ask('/d', { digest: { user: 'mufasa', password: 'circle of lies' } })
  expect([wrong.response.status, seen.length - count]).toEqual([401, 2])
})

test('a client certificate in one parameter or two identifies the connection', async () => {
  const own = selfSigned('target')
  const callers: string[] = []
  const host = await listen(
    createSecure(
      { cert: own.certificate, key: own.key, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        callers.push(
          (request.socket as TLSSocket)
            .getPeerCertificate()
            .fingerprint256?.replaceAll(':', '')
            .toLowerCase() ?? 'nobody',
        )
        response.end('ok')
      },
    ),
  )
  const { certificate, key, fingerprint } = selfSigned('member')
  const send = senderTo(host)
  const request = { method: 'GET', url: `https://${host}/`, headers: [], body: null }
  const both = await identityOf('TLS_AUTH', [{ key: 'pem', value: `${key}\n${certificate}` }])
  const apart = await identityOf('TLS_AUTH', [
    { key: 'certificate', value: certificate },
    { key: 'key', value: key },
  ])
  await send.send(request, OPTIONS, both)
  await send.send(request, OPTIONS, apart)
  await send.send(request, OPTIONS, null)
  expect(callers).toEqual([fingerprint, fingerprint, 'nobody'])
})
