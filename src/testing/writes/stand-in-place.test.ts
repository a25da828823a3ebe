import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { draftOf } from '../attempts/index.ts'
import { issuedPlace, standInPlace } from './stand-in-place.ts'

const CREATION = made('POST https://shop.test/users/', '{"id":81}')

function made(line: string, body: string): Exchange {
  const sample = rawSample(`${line} HTTP/1.1\ncontent-type: application/json\n\n{"name":"ann"}`)
  return { ...sample, response: { ...sample.response, status: 200, body } }
}

test.each(['https://shop.test/users/', 'https://shop.test/users'])(
  'a list is not an object of itself, recorded as %s',
  (url) => {
    const endpoint = { collectionId: 1, method: 'POST', url: '/users' }
    const start = draftOf(made(`POST ${url}`, '{}'))
    expect(standInPlace(start, endpoint, [CREATION])).toBeNull()
    expect(issuedPlace(start, endpoint, [CREATION], () => false)).toBeNull()
  },
)

test.each(['https://shop.test/users/7/', 'https://shop.test/users/7'])(
  'an object is made in its list, recorded as %s',
  (url) => {
    const endpoint = { collectionId: 1, method: 'PUT', url: '/users/INTEGER' }
    const start = draftOf(made(`PUT ${url}`, '{}'))
    expect(standInPlace(start, endpoint, [CREATION])?.recorded).toBe('https://shop.test/users/7')
  },
)

test.each<[string, string, string, boolean]>([
  ['/users', '/admin/promote', '7', true],
  ['/register', '/admin/delete_account', '7', false],
  ['/request_loan', '/admin/approve_loan', '7', true],
  ['/api/orders/new', '/api/orders/cancel', '7', true],
  ['/api/orders', '/api/orders/cancel', '7', true],
  ['/users/register', '/users/ban', '7', true],
  ['/users', '/users/ban', '1234567', true],
  ['/orders', '/orders/process', '7', true],
  ['/users/addresses', '/users/ban', '7', false],
  ['/shop/stores', '/shop/orders/cancel', '7', false],
  ['/users', '/users/addresses', '7', false],
  ['/users', '/articles/promote', '7', false],
  ['/users/import', '/comments/import', '7', false],
  ['/orders/add_note', '/articles/delete_note', '7', false],
  ['/roles', '/admin/promote', '3', false],
  ['/accounts', '/users/suspend', '7', false],
  ['/comments', '/users/ban', '1234567', false],
  ['/teams', '/users/suspend', 'ann', false],
  ['/comments', '/admin/promote', '7', false],
  ['/api/register', '/api/comments/approve', '7', false],
  ['/shop/reviews', '/shop/orders/cancel', '7', false],
  ['/reviews', '/cancel', '01J8ZK4T9QW3E5R7Y8U9', true],
])('what %s made is what %s/%s acts on: %s', (creation, action, id, isSame) => {
  const endpoint = { collectionId: 1, method: 'POST', url: `${action}/INTEGER` }
  const related = [made(`POST https://shop.test${creation}`, JSON.stringify({ id }))]
  const start = draftOf(made(`POST https://shop.test${action}/${id}`, '{}'))
  const place = issuedPlace(start, endpoint, related, () => false)
  expect(place !== null).toBe(isSame)
})

test.each([
  ['PUT', '/profile', '/users', 'u7f3k2m9q', { user: 'u7f3k2m9q', name: 'ann' }],
  ['POST', '/subscriptions/plan', '/plans', 'premium2024', { plan: 'premium2024', active: true }],
])('what the answer to %s %s names need not have been made by it', (method, address, list, id, answer) => {
  const endpoint = { collectionId: 1, method: 'DELETE', url: `${list}/STRING` }
  const related = [made(`${method} https://shop.test${address}`, JSON.stringify(answer))]
  const start = draftOf(made(`DELETE https://shop.test${list}/${id}`, '{}'))
  expect(issuedPlace(start, endpoint, related, () => true)).toBeNull()
})

test.each<[string, string, boolean, string]>([
  ['PUT /users/address/7', '{"street":"Main Street 1"}', false, ''],
  ['PATCH /users/note/7', '{"text":"Called twice"}', false, ''],
  ['PUT /users/ban/7', '', true, ''],
  ['POST /users/ban/7', '{"reason":"spam"}', true, ''],
  ['POST /users/note/7', '{"text":"Called twice"}', false, 'POST /users/note'],
  ['PUT /users/child/7', '', false, 'POST /users/child'],
])('%s with %s is about user 7: %s, where %s is known', (line, body, isUser, known) => {
  const [method = '', path = ''] = line.split(' ')
  const sample = rawSample(
    `${method} https://shop.test${path} HTTP/1.1\ncontent-type: application/json\n\n${body}`,
  )
  const endpoint = { collectionId: 1, method, url: path.replace('/7', '/INTEGER') }
  const related = [made('POST https://shop.test/users', '{"id":7}')]
  const place = issuedPlace(
    draftOf(sample),
    endpoint,
    related,
    (of, url) => `${of} ${url}` === known.replace(' ', ' https://shop.test'),
  )
  expect(place !== null).toBe(isUser)
})
