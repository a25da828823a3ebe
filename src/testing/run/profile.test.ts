import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { isProfile } from './profile.ts'

function answers(target: string, body: object, method = 'GET'): boolean {
  const exchange = rawSample(`${method} http://forum.test${target} HTTP/1.1\nhost: forum.test\n\n`)
  const headers = ['content-type', 'application/json']
  const response = { ...exchange.response, status: 200, headers, body: JSON.stringify(body) }
  return isProfile({ ...exchange, response }, EMPTY_LOOKUPS)
}

test('what says who a user is, asked for by name, is a profile', () => {
  expect(answers('/users/olga', { user: { username: 'olga', bio: 'I sail.' } })).toBe(true)
  expect(answers('/user?login=olga%20b', { login: 'olga b', followers: 7 })).toBe(true)
})

test('what people keep to themselves is more than a profile', () => {
  expect(answers('/users/olga', { username: 'olga', phone: '555-11' })).toBe(false)
})

test('neither an object of a user nor what is asked for otherwise is a profile', () => {
  expect(answers('/note?username=olga', { note: 'buy bread' })).toBe(false)
  expect(answers('/orders/7', { id: 7, username: 'olga' })).toBe(false)
  expect(answers('/notes?owner=olga', { note: 'my diary', username: 'olga' })).toBe(false)
  expect(answers('/users/olga/drafts/7', { text: 'so', author: { login: 'olga' } })).toBe(false)
  expect(answers('/users/olga', { username: 'olga' }, 'PUT')).toBe(false)
})
