import { expect, test } from 'vitest'
import { decodedViews, placeOf } from './decoded-views.ts'

test('a phrase that was sent as it is needs no decoding', () => {
  expect(decodedViews('/a?q=union select', 'union select')).toEqual([
    { name: 'As sent', text: '/a?q=union select' },
  ])
})

test('each decoding is shown until the phrase is there', () => {
  const views = decodedViews('/a?q=%2527%2520UNION%2520SELECT', "' union select")
  expect(views.map(({ name }) => name)).toEqual(['As sent', 'Percent-decoded', 'Percent-decoded'])
  expect(views.at(-1)?.text).toBe("/a?q=' UNION SELECT")
})

test('escapes, entities and Base64 are decoded', () => {
  expect(decodedViews('{"q":"\\u003cscript\\u003e"}', '<script>').at(-1)?.text).toBe('{"q":"<script>"}')
  expect(decodedViews('a&#x3c;script&gt;', '<script>').at(-1)?.text).toBe('a<script>')
  expect(decodedViews(`v=${btoa('<script>alert(1)</script>')}`, '<script>').at(-1)?.name).toBe(
    'Base64 decoded',
  )
})

test('text that leads nowhere ends, whatever is sent', () => {
  expect(decodedViews('%ff%fe'.repeat(10), 'x').length).toBeLessThan(7)
  expect(placeOf('a (b', '(b')).toEqual([2, 4])
  expect(placeOf('abc', '')).toBeNull()
})
