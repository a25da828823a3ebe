import { expect, test } from 'vitest'
import { decodedViews, placeOf, sentPlaceOf, sentPlacesOf } from './decoded-views.ts'

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
  // Four digits are the whole escape, also where letters follow that are digits too.
  expect(decodedViews('{"q":"\\u003cbody\\u003e"}', '<body>').at(-1)?.text).toBe('{"q":"<body>"}')
  expect(decodedViews('\\u{3c}body\\x3e', '<body>').at(-1)?.text).toBe('<body>')
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

test('the place of a phrase is that of its encoded form in what was sent', () => {
  const marked = (sent: string, phrase: string) => {
    const place = sentPlaceOf(sent, phrase)
    return place === null ? null : sent.slice(...place)
  }
  expect(marked('/a?q=union select', 'UNION SELECT')).toBe('union select')
  expect(marked('/a?q=x%27%20UNION+SELECT&n=1', "' union select")).toBe('%27%20UNION+SELECT')
  expect(marked('/a?q=%2527%2520UNION', "' union")).toBe('%2527%2520UNION')
  expect(marked('/a?q=caf%C3%A9%3Cscript%3E!', 'é<script>')).toBe('%C3%A9%3Cscript%3E')
  expect(marked('{"q":"\\u003cscript>"}', '<script>')).toBe('\\u003cscript>')
  expect(marked(`v=${btoa('<script>alert(1)</script>')};`, '<script>')).toBe(
    btoa('<script>alert(1)</script>'),
  )
  expect(marked('/a', 'b')).toBeNull()
})

test('places of several phrases are in order, and of those that overlap the first', () => {
  const sent = '{"role":"admin","q":"%3Cscript>"}'
  const found = sentPlacesOf(sent, ['<script>', '"role":"admin"', 'admin', 'absent'])
  expect(found.map((place) => sent.slice(...place))).toEqual(['"role":"admin"', '%3Cscript>'])
})
