import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digestAuthorization, digestChallenge } from './digest.ts'

const MUFASA = { user: 'Mufasa', password: 'Circle of Life' }
const request = { method: 'GET', target: '/dir/index.html', body: null }
const nonce = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v'
const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
const challenge = (algorithm: string): string =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`

test('answers the challenges of RFC 7616 section 3.9.1 as printed there', () => {
  const answerTo = (algorithm: string): string =>
    digestAuthorization(
      MUFASA,
      digestChallenge(['WWW-Authenticate', challenge(algorithm)])!,
      request,
      1,
      cnonce,
    )
  expect(answerTo('MD5')).toContain('response="8ca523f5e9506fed4657c9700eebdbec"')
  expect(answerTo('SHA-256')).toContain(
    'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
  )
  expect(answerTo('SHA-256')).toContain('uri="/dir/index.html"')
  expect(answerTo('SHA-256')).toContain('qop=auth, nc=00000001')
})

test('of several challenges the strongest that can be met is taken, whatever stands between them', () => {
  const found = digestChallenge([
    'www-authenticate',
    `Basic realm="a, b", ${challenge('MD5')}, ${challenge('SHA-256')}`,
    'www-authenticate',
    challenge('WHIRLPOOL'),
  ])
  expect(found).toMatchObject({ algorithm: 'SHA-256', qop: 'auth', nonce })
})

test('an answer without a challenge that can be met gives none', () => {
  expect(digestChallenge(['www-authenticate', 'Bearer realm="x"'])).toBeNull()
  expect(digestChallenge(['www-authenticate', 'Digest realm="x"'])).toBeNull()
  expect(digestChallenge([])).toBeNull()
})

test('the form without qop, sessions and hashed names follow the text of the standard', () => {
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
  const old = digestChallenge(['www-authenticate', 'Digest realm="r", nonce="n"'])!
  const expected = md5(`${md5('Mufasa:r:Circle of Life')}:n:${md5('GET:/dir/index.html')}`)
  expect(digestAuthorization(MUFASA, old, request, 1)).toContain(`response="${expected}"`)
  const hashed = digestChallenge(['www-authenticate', 'Digest realm="r", nonce="n", userhash=true'])!
  expect(digestAuthorization(MUFASA, hashed, request, 1)).toContain(`username="${md5('Mufasa:r')}"`)
})
