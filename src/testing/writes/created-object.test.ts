import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { createdUrls } from './created-object.ts'

const SHOP = 'http://shop.test'

/** Where what a POST made may be, as its answer tells. */
function madeBy(path: string, sent: unknown, answer: unknown, status = 201): string[] {
  const exchange = rawSample(
    `POST ${SHOP}${path} HTTP/1.1\ncontent-type: application/json\n\n${JSON.stringify(sent)}`,
  )
  const response = { ...exchange.response, status, body: JSON.stringify(answer) }
  return createdUrls({ ...exchange, response }).map((url) => url.slice(SHOP.length))
}

test('an answer that wraps what was made in the singular of its list names it', () => {
  const comment = { id: 7, body: 'fine', author: { id: 3 } }
  expect(madeBy('/articles/a/comments', { comment: { body: 'fine' } }, { comment })).toEqual([
    '/articles/a/comments/7',
  ])
  expect(madeBy('/categories', {}, { category: { id: 7 } })).toEqual(['/categories/7'])
})

test('an object of another name in an answer is not what was made', () => {
  expect(madeBy('/comments', {}, { author: { id: 3 } })).toEqual([])
  expect(madeBy('/orders', {}, { customer: { id: 3 }, accepted: true })).toEqual([])
})

test('what was made is found by its slug, where that is made of a text that was sent', () => {
  const sent = { article: { title: 'Old  diary, part 2', body: 'text' } }
  expect(madeBy('/articles', sent, { article: { slug: 'old-diary-part-2' } })).toEqual([
    '/articles/old-diary-part-2',
  ])
  expect(madeBy('/articles', sent, { article: { slug: 'welcome' } })).toEqual([])
  // Beside a number it is tried first: where numbers are the addresses, no path has such a text.
  const [slug, id] = ['old-diary-part-2', 7]
  expect(madeBy('/articles', sent, { article: { id, slug } })).toEqual([`/articles/${slug}`, '/articles/7'])
  expect(madeBy('/articles', sent, { article: { id: 'a7f3', slug } })).toEqual(['/articles/a7f3'])
})

test('an answer that says nothing but a value named like its list names what was made', () => {
  expect(madeBy('/room_keys/version', { algorithm: 'a' }, { version: '2' })).toEqual(['/room_keys/version/2'])
  expect(madeBy('/tokens', {}, { token: 'spring-26' })).toEqual(['/tokens/spring-26'])
  expect(madeBy('/room_keys/version', {}, { version: '2', status: 'ok' })).toEqual([])
  expect(madeBy('/orders', {}, { version: '2' })).toEqual([])
})

test('a word named like its list says what became of the request, and names nothing', () => {
  expect(madeBy('/messages', {}, { message: 'sent' })).toEqual([])
  expect(madeBy('/statuses', {}, { status: 'ok' })).toEqual([])
  expect(madeBy('/backups', {}, { backup: 'daily' })).toEqual([])
})
