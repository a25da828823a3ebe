import { expect, test } from 'vitest'
import { bodyAfter } from './complained-body.ts'

const textFor = (field: string): string => `a ${field}`

test.each([
  [
    'names in backticks',
    '{"name":"BadDataError","message":"Check the `details` property for a list of errors that we found.","details":[{"message":"The `features` property is required."},{"message":"The `/enabled` property must be boolean. You sent \\"vigil\\"."}]}',
    { features: 'a features', enabled: false },
  ],
  [
    'lists by field',
    '{"name":["This field is required."],"tags":["Expected a list of items."]}',
    { tags: [] },
  ],
  [
    'errors by field',
    '{"errors":{"email":["The email field is required."]}}',
    { email: 'vigil@example.com' },
  ],
  [
    'places',
    '{"detail":[{"type":"missing","loc":["body","title"],"msg":"Field required"},{"type":"int_parsing","loc":["body","size"],"msg":"Input should be a valid integer"}]}',
    { title: 'a title', size: 1 },
  ],
  [
    'sentences',
    '{"message":["title must be a string","kind must be one of: draft, done"]}',
    { title: 'a title', kind: 'draft' },
  ],
  ['quoted names', '{"error":"\\"reason\\" is required"}', { reason: 'a reason' }],
])('a body gets what an answer asks for by %s', (_, answer, fields) => {
  expect(bodyAfter({}, answer, textFor)).toEqual(fields)
})

test('a body for many records at once is an empty list', () => {
  const answer =
    '{"errors":[{"message":"Invalid payload. \\"value\\" must contain at least one of [query, keys]."}]}'
  expect(bodyAfter({}, answer, textFor)).toEqual([])
  expect(bodyAfter([], answer, textFor)).toBeNull()
})

test('a name that something else has is another one', () => {
  const answer = '{"errors":[{"message":"Collection \\"books\\" already exists."}]}'
  const next = bodyAfter({ collection: 'books', note: 'x' }, answer, textFor)
  expect(next).toEqual({ collection: expect.stringMatching(/^vigil_\w+$/), note: 'x' })
})

test('a reason that an answer gives is not a field', () => {
  const answer =
    '{"errors":[{"message":"Invalid payload. \\"title\\" is required.","extensions":{"reason":"\\"title\\" is required"}}]}'
  expect(bodyAfter({}, answer, textFor)).toEqual({ title: 'a title' })
  expect(bodyAfter({}, '{"reason":["This field is required."]}', textFor)).toEqual({ reason: 'a reason' })
})

test('a number is one that traffic has for the field', () => {
  const answer = '{"project":["A valid integer is required."],"size":["A valid integer is required."]}'
  expect(bodyAfter({}, answer, (field) => (field === 'project' ? '17' : 'vigil'))).toEqual({
    project: 17,
    size: 1,
  })
})

test('a body loses what an answer does not allow, and stays where it names nothing', () => {
  const answer =
    '{"message":"The root object does not allow additional properties. Your request included the `size` property."}'
  expect(bodyAfter({ size: 1, title: 'x' }, answer, textFor)).toEqual({ title: 'x' })
  expect(bodyAfter({}, '{"message":"Forbidden"}', textFor)).toBeNull()
  expect(bodyAfter({}, 'Bad request', textFor)).toBeNull()
  expect(bodyAfter({ title: 'a title' }, '{"error":"\\"title\\" is required"}', textFor)).toBeNull()
})

test('a body that is to be a list is an empty one', () => {
  const answer = '{"details":[{"message":"The `/body` property must be array. You sent {}.","path":"/body"}]}'
  expect(bodyAfter({ title: 'x' }, answer, textFor)).toEqual([])
  expect(bodyAfter([], answer, textFor)).toBeNull()
  const places = '{"detail":[{"type":"list_type","loc":["body"],"msg":"Input should be a valid list"}]}'
  expect(bodyAfter({}, places, textFor)).toEqual([])
})

test('what was made up for a reference is left out', () => {
  const body = { name: 'vigil_1', parent: 'vigil', type: 'vigil', owner: '7' }
  const next = bodyAfter(body, '{"errors":[{"message":"Invalid foreign key."}]}', () => 'vigil')
  expect(next).toEqual({ name: 'vigil_1', owner: '7' })
  expect(
    bodyAfter({ owner: '7' }, '{"errors":[{"message":"Invalid foreign key."}]}', () => 'vigil'),
  ).toBeNull()
})
