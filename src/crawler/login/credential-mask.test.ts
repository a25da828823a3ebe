import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { CredentialMask } from './credential-mask.ts'
import { givenCredentials } from './given-credentials.ts'

const password = 'corréct "horse"/1+2'
const mask = new CredentialMask({ users: ['ada@portal.test'], secrets: [password] })

function exchange(
  body: string,
  headers: readonly string[] = [],
  answer = '',
  target = '/sign-in',
  bodyIsBase64 = false,
): Exchange {
  return {
    request: { method: 'POST', target, version: 'HTTP/1.1', headers, body, bodyIsBase64 },
    response: { status: 200, reason: '', headers: [], body: answer },
    at: 0,
    clientIp: '',
    serverIp: '',
    source: 'CRAWLER',
    direction: 1,
    vxlanId: 0,
  }
}

describe('a captured exchange is kept without the password', () => {
  const escaped = JSON.stringify(password)
  it.each([
    ['a form', new URLSearchParams({ user: 'ada@portal.test', password }).toString()],
    ['a script that escapes', `user=ada&password=${encodeURIComponent(password)}&x=1`],
    ['small hexadecimal digits', `p=${encodeURIComponent(password).toLowerCase()}`],
    ['JSON', `{"password":${escaped}}`],
    ['JSON in JSON', JSON.stringify({ variables: `{"password":${escaped}}` })],
    ['plain text', `${password}\n`],
    ['Base64', Buffer.from(password).toString('base64')],
    ['Base64 of name and password', Buffer.from(`ada@portal.test:${password}`).toString('base64')],
  ])('in a body of %s', (_, body) => {
    const { request } = mask.exchange(exchange(body, ['Content-Length', String(body.length)]), true)
    expect(request.body).toMatch(/\*\*\*|YWRhQHBvcnRhbC50ZXN0OioqKg==/)
    for (const part of ['horse', 'aG9yc2', Buffer.from(password).toString('base64').slice(4, 12)])
      expect(request.body).not.toContain(part)
    expect(request.headers).toEqual(['Content-Length', String(request.body.length)])
  })

  it('in headers, where the scheme and the name stay', () => {
    const basic = `Basic ${Buffer.from(`ada@portal.test:${password}`).toString('base64')}`
    const { request } = mask.exchange(exchange('', ['Authorization', basic, 'X-Pass', password]), false)
    const kept = request.headers[1]!
    expect(Buffer.from(kept.slice('Basic '.length), 'base64').toString()).toBe('ada@portal.test:***')
    expect(request.headers[3]).toBe('***')
  })

  it('in the target, in bytes and in what answers repeat', () => {
    const bytes = Buffer.from(`\xff${password}\x00`, 'utf8').toString('base64')
    const target = `/sign-in?p=${encodeURIComponent(password)}`
    const { request, response } = mask.exchange(exchange(bytes, [], password, target, true), true)
    expect(request.target).toBe('/sign-in?p=***')
    expect(Buffer.from(request.body, 'base64').toString()).not.toContain('horse')
    expect(response.body).toBe('***')
  })

  it('whole values alone where it is short, and outside of the login only under its key', () => {
    const short = new CredentialMask({ users: [], secrets: ['ab1'] })
    const login = short.exchange(exchange('user=tab1&q=ab1&{"a":"ab1"}'), true)
    expect(login.request.body).toBe('user=tab1&q=***&{"a":"***"}')
    const later = short.exchange(
      exchange('q=ab1&password=ab1', [], '{"shelf":"ab1","newPassword":"ab1"}'),
      false,
    )
    expect(later.request.body).toBe('q=ab1&password=***')
    expect(later.response.body).toBe('{"shelf":"ab1","newPassword":"***"}')
  })

  it('and unchanged where it does not stand', () => {
    const plain = exchange('user=ada@portal.test', ['Content-Length', '99'])
    expect(mask.exchange(plain, true)).toEqual(plain)
  })
})

describe('keys and headers that a crawl was given', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl'
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const session = 'j4Kd9sLq2mXz8vBn1cTf'

  it.each([
    ['x-api-key', 'target-key-0001', '***masked***'],
    ['X-Api-Key', 'k1', '***'],
    ['Authorization', 'Bearer opaque-token-of-a-role', 'Bearer ***masked***'],
    ['Authorization', `Bearer ${jwt}`, 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.bWFza2Vk'],
    ['authorization', basic('ada:correct-horse'), basic('ada:***')],
    ['x-user-id', '42', '***'],
    ['Cookie', `lang=de; sid=${session}`, 'lang=***; sid=***masked***'],
  ])('are masked in %s: %s, and stay of their kind', (name, value, masked) => {
    const given = new CredentialMask(givenCredentials({ [name]: value }, true))
    const { request } = given.exchange(exchange('', ['Accept', '42', name, value]), false)
    expect(request.headers).toEqual(['Accept', '42', name, masked])
  })

  it('wherever else they stand, while words of their headers stay', () => {
    const given = new CredentialMask(
      givenCredentials(
        { 'x-api-key': 'target-key-0001', cookie: `sid=${session}`, 'x-tenant': 'acme-corp' },
        true,
      ),
    )
    const seen = exchange(
      `{"key":"target-key-0001"}`,
      ['cookie', `a=1; sid=${session}; b=2`],
      session,
      '/acme-corp?k=target-key-0001',
    )
    const { request, response } = given.exchange(seen, false)
    expect(request.target).toBe('/acme-corp?k=***masked***')
    expect(request.headers).toEqual(['cookie', 'a=1; sid=***masked***; b=2'])
    expect([request.body, response.body]).toEqual(['{"key":"***masked***"}', '***masked***'])
    expect(given.text('GET /a?k=target-key-0001')).toBe('GET /a?k=***masked***')
  })

  it('custom headers are credentials when their names say so', () => {
    const custom = { 'x-tenant': 'acme-corp-00001', 'x-auth-mode': 'standard', 'x-auth-token': session }
    const given = new CredentialMask(givenCredentials(custom, false))
    const { request } = given.exchange(exchange(`standard ${session}`, Object.entries(custom).flat()), false)
    expect(request.body).toBe('standard ***masked***')
    expect(request.headers).toEqual([
      'x-tenant',
      'acme-corp-00001',
      'x-auth-mode',
      '***',
      'x-auth-token',
      '***masked***',
    ])
  })
})
