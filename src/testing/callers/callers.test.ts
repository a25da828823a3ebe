import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { Callers } from './callers.ts'

async function requestWith(claims: Record<string, unknown>): Promise<Exchange> {
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode('a secret of 32 characters or more'))
  return rawSample(`GET http://shop.test/orders HTTP/1.1\nauthorization: Bearer ${token}\n\n`)
}

async function ownersOf(...tokens: Record<string, unknown>[]): Promise<string[]> {
  const callers = new Callers(() => ['authorization'])
  const requests = await Promise.all(tokens.map(requestWith))
  for (const request of requests) callers.learn(request)
  return requests.map((request) => callers.ownerOf(request))
}

test.each(['access', 'User details', 'auth_token'])(
  'tokens with the subject "%s" are of the people that they name',
  async (sub) => {
    expect(await ownersOf({ sub, username: 'ann' }, { sub, username: 'bob' })).toEqual([
      'name ann',
      'name bob',
    ])
  },
)

test('a subject that is an identifier joins tokens with and without a name', async () => {
  for (const sub of ['7', '3f0c2a51-8a4b-4c6d-9e7f-0a1b2c3d4e5f', 'auth0|5f3c1d2e']) {
    const [one, other] = await ownersOf({ sub, email: 'ann@shop.test' }, { sub })
    expect(one).toBe('email ann@shop.test')
    expect(other).toBe(one)
  }
})

test('a name as the only claim of a token is that of its user', async () => {
  const [one, other] = await ownersOf({ sub: 'ann' }, { sub: 'bob' })
  expect(one).not.toBe(other)
})

test('a token in the body tells the caller only where it is the only one', () => {
  const callers = new Callers(() => ['authorization'])
  const token = (claims: object): string =>
    ['{"alg":"HS256"}', JSON.stringify(claims), 'signed']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')
  const service = token({ sub: 'svc-7' })
  const exchange = (body: object): Exchange => {
    const request = rawSample(`POST http://shop.test/token HTTP/1.1\n\n${JSON.stringify(body)}`)
    callers.learn(request)
    return request
  }
  const [ann, bob] = [{ sub: '11' }, { sub: '12' }].map((claims) =>
    exchange({ subject_token: token(claims), actor_token: service }),
  )
  expect([callers.ownerOf(ann!), callers.ownerOf(bob!)]).toEqual(['', ''])
  expect(callers.ownerOf(exchange({ t: token({ sub: '13' }) }))).not.toBe('')
})

test('an opaque token in query or body tells the caller where nothing else does', () => {
  const callers = new Callers(() => ['authorization'])
  const owners = ['t0k-of-ann', 't0k-of-bob', 't0k-of-ann'].map((token, at) => {
    const request = rawSample(
      at === 2
        ? `POST http://shop.test/orders HTTP/1.1\ncontent-type: application/json\n\n{"access_token":"${token}"}`
        : `GET http://shop.test/orders?access_token=${token} HTTP/1.1\n\n`,
    )
    callers.learn(request)
    return callers.ownerOf(request)
  })
  expect(owners[0]).not.toBe('')
  expect(owners[1]).not.toBe(owners[0])
  expect(owners[2]).toBe(owners[0])
  const revoked = rawSample('POST http://shop.test/revoke HTTP/1.1\n\n{"token":"t0k-of-ann"}')
  expect(callers.ownerOf(revoked)).toBe('')
})
