import { expect, test } from 'vitest'
import { exchangeOf } from '../../../test/test-results.ts'
import { draftOf } from '../attempts/index.ts'
import { effectOf } from './write-effect.ts'

function effectOfDocument(query: string): string {
  const { request, ...rest } = exchangeOf('https://shop.test/graphql')
  const headers = ['content-type', 'application/json']
  const body = JSON.stringify({ query })
  return effectOf(draftOf({ ...rest, request: { ...request, method: 'POST', headers, body } }))
}

test.each([
  ['query Q { orders { id } }', 'read'],
  ['{ orders { id } }', 'read'],
  ['mutation M { pay }', 'post'],
  ['query Q { orders { id } } mutation M { pay }', 'post'],
  ['query Q{orders{id}}mutation M{pay}', 'post'],
  ['query Q{orders{id}},mutation M{pay}', 'post'],
  ['# comment\nmutation { pay }', 'post'],
])('a GraphQL document writes when any operation of it is a mutation: %s', (document, effect) => {
  expect(effectOfDocument(document)).toBe(effect)
})

function effectOfPost(path: string, body: unknown, further: readonly string[] = []): string {
  const { request, ...rest } = exchangeOf(`https://shop.test${path}`)
  const isForm = typeof body === 'string'
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = ['content-type', type, ...further]
  const message = { ...request, method: 'POST', headers, body: isForm ? body : JSON.stringify(body) }
  return effectOf(draftOf({ ...rest, request: message }))
}

test.each([
  ['/api/collections/users/auth-with-password', 'read'],
  ['/accounts/signInWithPassword', 'read'],
  ['/verifyPassword', 'read'],
  ['/collections/users/auth-refresh', 'read'],
  ['/change-password', 'post'],
  ['/auth/users', 'post'],
  ['/auth/reset-password', 'post'],
])('a request that only proves who somebody is writes nothing: POST %s', (path, effect) => {
  expect(effectOfPost(path, { identity: 'ann', password: 'secret' })).toBe(effect)
})

test.each([
  ['/oauth/token', { grant_type: 'refresh_token', refresh_token: 'r' }, 'read'],
  ['/token', { username: 'ann', password: 'secret' }, 'read'],
  ['/sessions', { email: 'ann@shop.test', password: 'secret' }, 'read'],
  ['/user/tokens', { description: 'Laptop', expiresAt: '2027-01-01' }, 'post'],
  ['/projects/7/tokens', { name: 'deploy', scopes: ['write'] }, 'post'],
  ['/training/sessions', { title: 'First aid' }, 'post'],
  ['/sessions', { user: { email: 'ann@shop.test', password: 'secret' } }, 'read'],
  ['/sessions', { email: 'ann@shop.test', password: { $ne: '' } }, 'read'],
  ['/user/tokens', { token_name: 'Laptop', tokenType: 'permanent' }, 'post'],
  ['/user/tokens', { token: { name: 'Laptop' } }, 'post'],
])('a POST of a token or session without a secret makes one that stays: %s', (path, body, effect) => {
  expect(effectOfPost(path, body)).toBe(effect)
})

test.each([
  ['/users/ann/tokens', { name: 'x' }, 'post'],
  ['/users/ann/tokens', {}, 'post'],
  ['/oauth/token', 'grant_type=client_credentials&scope=orders', 'read'],
])('a Basic header makes a sign-in only of a grant: POST %s', (path, body, effect) => {
  expect(effectOfPost(path, body, ['authorization', 'Basic YW5uOnNlY3JldA=='])).toBe(effect)
})
