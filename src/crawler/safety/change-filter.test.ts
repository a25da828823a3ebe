import { expect, test } from 'vitest'
import type { CapturedExchange } from '../browser/capture.ts'
import type { GuardedRequest } from '../browser/request-guard.ts'
import { ChangeFilter } from './change-filter.ts'

function ask(method: string, path: string, changes: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    url: new URL(path, 'https://app.example'),
    method,
    kind: 'Fetch',
    headers: [],
    body: null,
    isNavigation: false,
    pageUrl: 'https://app.example/',
    cause: null,
    redirectedFrom: null,
    ...changes,
  }
}

test.each([
  ['POST', '/api/admin/features/dark/environments/dev/on', null],
  ['POST', '/api/admin/api-tokens', '{"name":"vigil"}'],
  ['PATCH', '/settings', '{"mapbox_key":"x"}'],
  ['PUT', '/users/7', '{}'],
  ['DELETE', '/notes/1', null],
  ['POST', '/api/tokens/5/refresh', null],
  ['POST', '/graphql', '{"query":"mutation { addUser { id } }"}'],
  ['POST', '/graphql', '[{"query":"{ a }"},{"query":"query q { b } mutation m { c }"}]'],
  ['POST', '/graphql', '{"operationName":"AddUser","extensions":{"persistedQuery":{}}}'],
  ['POST', '/rpc', '{"jsonrpc":"2.0","method":"user.add","id":1}'],
  ['POST', '/shop.Orders/GetOrCreateOrder', ''],
  ['POST', '/search/save', '{}'],
  ['POST', '/wiki/pages', 'text=curl -d grant_type=authorization_code -d code=c /oauth/token'],
  ['POST', '/wiki/pages', 'curl -d grant_type=authorization_code&code=c'],
  ['POST', '/admin/clients', '{"name":"Vigil","grant_type":"authorization_code"}'],
  ['POST', '/admin/clients', '{"name":"Vigil","grant_type":"authorization_code","code":"c"}'],
  ['POST', '/admin/clients', '{"client_id":"vigil","grant_type":"refresh_token"}'],
  [
    'POST',
    '/graphql',
    '{"query":"mutation m($g: G) { add(g: $g) { id } }","variables":{"g":{"grant_type":"authorization_code","code":"c"}}}',
  ],
  ['GET', '/logout', null],
])('holds back %s %s %s', (method, path, body) => {
  expect(new ChangeFilter().holds(ask(method, path, { body }))).not.toBeNull()
})

test.each([
  ['POST', '/api/people/search', '{"word":"x"}'],
  ['SEARCH', '/items', '{}'],
  ['POST', '/shop.Orders/ListOrders', ''],
  ['POST', '/_msearch', ''],
  ['POST', '/graphql', '{"query":"query { mutations(text: \\"mutation {\\") { id } }"}'],
  ['POST', '/rpc', '{"jsonrpc":"2.0","method":"orders.list","id":1}'],
  ['POST', '/auth/refresh', '{"refresh_token":"r"}'],
  ['POST', '/oauth/token', 'grant_type=refresh_token&refresh_token=r'],
  ['POST', '/oauth/token', 'grant_type=authorization_code&code=c&code_verifier=v'],
  ['POST', '/oauth/token', '{"grant_type":"authorization_code","client_id":"a","code":"c"}'],
  ['POST', '/oauth/token', '{"grant_type":"refresh_token","refresh_token":"r","client_id":2,"scope":null}'],
  ['POST', '/common/oauth2/v2.0/token', 'client_id=a&code=c&grant_type=authorization_code&x-client-SKU=js'],
  ['GET', '/api/users/5/activate', null],
])('sends %s %s %s, which only reads', (method, path, body) => {
  expect(new ChangeFilter().holds(ask(method, path, { body }))).toBeNull()
})

test('judges pages asked for by GET by their address, and guesses too', () => {
  const filter = new ChangeFilter()
  expect(filter.holds(ask('GET', '/users/5/activate', { kind: 'Document' }))).toMatch(/activate/)
  expect(filter.holds(ask('GET', '/users/5/activate', { cause: 'probe' }))).toMatch(/activate/)
  expect(filter.holds(ask('GET', '/users.php?action=ban&id=5', { kind: 'Document' }))).not.toBeNull()
  for (const path of ['/users/5/edit', '/users/new', '/archive', '/blog/publish', '/users?action=edit&id=5'])
    expect(filter.holds(ask('GET', path, { kind: 'Document' })), path).toBeNull()
})

test('counts words around the control for pages, and learns them from what was held back', () => {
  const filter = new ChangeFilter()
  const page = (cause: string, path: string) => ask('GET', path, { kind: 'Document', cause })
  filter.intend('click /a', 'remove')
  expect(filter.holds(page('click /a', '/step?x=5'))).not.toBeNull()
  filter.intend('click /b', 'grant access')
  expect(filter.holds(page('click /b', '/step?y=5'))).toBeNull()
  expect(filter.holds(ask('POST', '/access', { cause: 'click /b' }))).not.toBeNull()
  expect(filter.holds(page('click /b', '/step?y=5'))).not.toBeNull()
  filter.hear('click /c', 'Really delete it?')
  expect(filter.holds(page('click /c', '/step?z=5'))).not.toBeNull()
})

test('tells what it held back, by kind', () => {
  const filter = new ChangeFilter()
  filter.holds(ask('PUT', '/users/7'))
  filter.holds(ask('PUT', '/users/8'))
  expect(filter.held).toEqual([
    { kind: 'PUT app.example/users/{int}', reason: 'PUT may change something', times: 2 },
  ])
})

test('lets a private draft through that can be deleted again, once, and nothing that reaches others', () => {
  const filter = new ChangeFilter()
  const draft = ask('POST', '/api/notes', { body: '{"title":"Vigil test"}' })
  expect(filter.holds(draft)).not.toBeNull()
  filter.holds(ask('DELETE', '/api/notes/1'))
  expect(filter.drafts.takeLesson()).toBe('https://app.example/api/notes')
  expect(filter.holds(draft)).toBeNull()
  expect(filter.holds(draft)).not.toBeNull()
  for (const [path, body] of [
    ['/api/posts', '{"title":"Vigil","status":"published"}'],
    ['/api/notes/5/comments', '{"text":"Vigil"}'],
    ['/api/me/tokens', '{"name":"Vigil","private":true}'],
    ['/api/items', '{"title":"Vigil"}'],
    ['/api/drafts', '{"title":"no mark"}'],
  ] as const) {
    filter.holds(ask('DELETE', `${path}/1`))
    expect(filter.holds(ask('POST', path, { body })), path).not.toBeNull()
  }
})

/** What was answered to a POST. */
function answered(path: string, body: string, answer: string): CapturedExchange {
  const exchange = {
    request: { method: 'POST', headers: [], body },
    response: { status: 201, headers: [], body: answer },
  }
  const url = `https://app.example${path}`
  return { url, outcome: 'answered', cause: null, exchange } as unknown as CapturedExchange
}

test('takes the answer to a draft for its record, and that to a token request for none', () => {
  const filter = new ChangeFilter()
  filter.heard(
    answered('/oauth/token', 'grant_type=authorization_code&code=c', '{"id":"7","access_token":"t"}'),
  )
  filter.heard(answered('/auth/refresh', '{"refresh_token":"r"}', '{"uid":"7","access_token":"t"}'))
  expect(filter.drafts.made).toEqual([])
  expect(filter.holds(ask('POST', '/oauth/token/7/revoke', { body: '{}' }))).not.toBeNull()
  filter.heard(answered('/api/notes', '{"title":"Vigil test"}', '{"id":"7"}'))
  expect(filter.drafts.made).toEqual([{ url: 'https://app.example/api/notes/7', headers: {} }])
})

test.each([
  ['{"type":"connection_init"}'],
  ['{"id":"1","type":"subscribe","payload":{"query":"subscription { orders { id } }"}}'],
  ['{"id":"1","type":"subscribe","payload":{"query":"query { orders { id } }"}}'],
  ['{"type":"auth","token":"t"}'],
  ['{"event":"pusher:subscribe","data":{"channel":"news"}}'],
  ['["1","1","room:lobby","phx_join",{}]'],
  ['2'],
  ['40'],
  ['42["orders:list",{}]'],
  ['{"jsonrpc":"2.0","id":1,"method":"orders.list"}'],
  ['SUBSCRIBE\nid:0\ndestination:/news\n\n\u0000'],
])('lets the message %s of a web socket go', (body) => {
  expect(new ChangeFilter().holds(ask('SEND', '/live', { kind: 'WebSocket', body }))).toBeNull()
})

test.each([
  ['{"type":"rename","name":"vigil"}'],
  ['{"id":"1","type":"subscribe","payload":{"query":"mutation { rename { id } }"}}'],
  ['{"event":"client-message","data":"hi"}'],
  ['["1","1","room:lobby","new_msg",{"body":"hi"}]'],
  ['42["message","hi"]'],
  ['{"name":"vigil"}'],
  ['SEND\ndestination:/orders\n\nhi\u0000'],
  ['hi'],
  [''],
])('holds the message %s of a web socket back', (body) => {
  expect(new ChangeFilter().holds(ask('SEND', '/live', { kind: 'WebSocket', body }))).toMatch(/web socket/)
})
