import { expect, test } from 'vitest'
import { TargetScope } from '../../http/sender/index.ts'
import { OwnAccount } from '../safety/own-account.ts'
import type { CapturedExchange } from './capture.ts'
import { CrawlGuard, LOGIN_CAUSE } from './crawl-guard.ts'
import type { GuardedRequest } from './request-guard.ts'

function guardOf(holdsChanges = true, headers: Record<string, string> = { 'x-api-key': 'K' }): CrawlGuard {
  return new CrawlGuard({
    scope: {
      hasHost: ({ host }) => host === 'shop.example',
      judge: ({ host, pathname }) =>
        host !== 'shop.example'
          ? { accepted: false, reason: 'other host' }
          : pathname.startsWith('/admin')
            ? { accepted: false, reason: 'out of scope: /admin' }
            : { accepted: true, reason: '' },
    },
    targets: new TargetScope(['shop.example', 'cdn.example'], ['127.0.0.1:9090']),
    changes: holdsChanges
      ? { holds: ({ method }) => (method === 'GET' ? null : `${method} may change something`), heard() {} }
      : null,
    headers,
    requestsPerMinute: 0,
  })
}

function ask(url: string, changes: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    url: new URL(url),
    method: 'GET',
    kind: 'Fetch',
    headers: [],
    body: null,
    isNavigation: false,
    pageUrl: 'https://shop.example/',
    cause: null,
    redirectedFrom: null,
    ...changes,
  }
}

test('lets the application speak, with the key on its own requests and no others', () => {
  const guard = guardOf()
  expect(guard.decide(ask('https://shop.example/api'))).toEqual({
    kind: 'allow',
    headers: { 'x-api-key': 'K' },
  })
  expect(guard.decide(ask('https://cdn.example/app.js', { kind: 'Script' }))).toEqual({ kind: 'allow' })
})

test('the account of the crawl is not deleted, even where anything may be changed', () => {
  const account = new OwnAccount('root')
  const scope = { hasHost: () => true, judge: () => ({ accepted: true, reason: '' }) }
  const targets = new TargetScope(['shop.example'])
  const guard = new CrawlGuard({ scope, targets, changes: null, account, requestsPerMinute: 0 })
  const url = 'https://shop.example/users/1'
  const decide = (changes: Partial<GuardedRequest>) =>
    guard.decide(ask(url, { method: 'DELETE', ...changes })).kind
  expect(decide({})).toBe('allow')
  const response = {
    status: 200,
    headers: [],
    body: '[{"id":1,"username":"root"},{"id":2,"username":"ann"}]',
  }
  const heard = { url: 'https://shop.example/users', cause: null, exchange: { response } }
  guard.heard(heard as unknown as CapturedExchange)
  expect(decide({})).toBe('hold')
  expect(decide({ method: 'PATCH' })).toBe('allow')
  expect(decide({ url: new URL('https://shop.example/users/2') })).toBe('allow')
  const list = new URL('https://shop.example/users')
  expect(decide({ url: list, body: '[2,1]' })).toBe('hold')
  expect(decide({ url: list, body: '{"ids":["2","12"]}' })).toBe('allow')
})

test('adds no header that a browser cannot be made to send, of the crawl or of its login', () => {
  const guard = guardOf(true, { Host: 'else.example', 'x-api-key': 'K', 'Transfer-Encoding': 'chunked' })
  const headersOf = () => {
    const decision = guard.decide(ask('https://shop.example/api'))
    return decision.kind === 'allow' ? decision.headers : null
  }
  expect(headersOf()).toEqual({ 'x-api-key': 'K' })
  guard.addHeaders({ connection: 'close', 'X Name': '1', 'X-Line': 'a\nb', authorization: 'Bearer t' })
  expect(headersOf()).toEqual({ 'x-api-key': 'K', authorization: 'Bearer t' })
})

test.each([
  ['what is left out', ask('https://shop.example/admin/users'), 'out of scope: /admin'],
  [
    'a page of another host',
    ask('https://cdn.example/', { isNavigation: true, kind: 'Document' }),
    'other host',
  ],
  ['a write to another host', ask('https://cdn.example/collect', { method: 'POST' }), 'other host'],
  ['a host that nobody named', ask('https://evil.example/'), 'it is not a host of the endpoints under test'],
  ['a listener of our own', ask('http://127.0.0.1:9090/'), 'it is not a host of the endpoints under test'],
])('blocks %s', (_what, request, reason) => {
  expect(guardOf().decide(request)).toEqual({ kind: 'block', reason })
})

test.each([
  ['a call', ask('https://shop.example/api/orders/1', { method: 'DELETE' })],
  ['a form', ask('https://shop.example/orders', { method: 'POST', kind: 'Document', isNavigation: true })],
])('holds back what may change something, but for logins: %s', (_what, request) => {
  expect(guardOf().decide(request)).toEqual({
    kind: 'hold',
    reason: `${request.method} may change something`,
  })
  expect(guardOf(false).decide(request).kind).toBe('allow')
  expect(guardOf().decide({ ...request, cause: LOGIN_CAUSE }).kind).toBe('allow')
})

test('asks for scripts and pictures whatever they are called', () => {
  expect(guardOf().decide(ask('https://shop.example/img/delete.svg', { kind: 'Image' })).kind).toBe('allow')
})

test('puts empty pictures in the place of files that are nothing else, but for logins', () => {
  const guard = guardOf()
  const kindOf = (url: string, changes: Partial<GuardedRequest> = {}) =>
    guard.decide(ask(url, { kind: 'Image', ...changes })).kind
  expect(kindOf('https://shop.example/img/apple.JPG')).toBe('replace')
  expect(kindOf('https://cdn.example/logo.png')).toBe('replace')
  expect(kindOf('https://shop.example/admin/plan.png')).toBe('block')
  expect(kindOf('https://shop.example/captcha')).toBe('allow')
  expect(kindOf('https://shop.example/pixel.gif?seen=7')).toBe('allow')
  expect(kindOf('https://shop.example/api/photo.png', { kind: 'Fetch' })).toBe('allow')
  expect(kindOf('https://shop.example/logo.png', { cause: LOGIN_CAUSE })).toBe('allow')
})
