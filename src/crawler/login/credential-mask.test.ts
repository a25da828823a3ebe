import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { CredentialMask } from './credential-mask.ts'

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
