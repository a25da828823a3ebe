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

function effectOfPost(path: string, body: unknown): string {
  const { request, ...rest } = exchangeOf(`https://shop.test${path}`)
  const headers = ['content-type', 'application/json']
  const message = { ...request, method: 'POST', headers, body: JSON.stringify(body) }
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
])('a POST of a token or session without a secret makes one that stays: %s', (path, body, effect) => {
  expect(effectOfPost(path, body)).toBe(effect)
})
