import { expect, test } from 'vitest'
import { isOtherObject, meaningPercentage, saysNo } from './meaning.ts'

const json = (value: unknown): string => JSON.stringify(value)
const reads = (now: unknown, before: unknown): number => meaningPercentage(json(now), json(before), false)
const writes = (now: unknown, before: unknown): number => meaningPercentage(json(now), json(before), true)

const USERS = [
  { id: 1, name: 'Ann', mail: 'ann@shop.test', seenAt: '2026-01-01T10:00:00Z' },
  { id: 2, name: 'Bob', mail: 'bob@shop.test', seenAt: '2026-01-01T11:00:00Z' },
]

test('a list that has grown, with other times and request ids, says the same', () => {
  const more = [
    ...USERS.map((user) => ({ ...user, seenAt: '2026-01-02T09:00:00Z' })),
    { ...USERS[0]!, id: 3, name: 'Eve', mail: 'eve@shop.test' },
  ]
  expect(reads({ users: more, requestId: 'b3' }, { users: USERS, requestId: 'a1' })).toBe(100)
})

test('the data of another person does not', () => {
  expect(reads({ userId: 9, name: 'Guest', total: 4 }, { userId: 7, name: 'Ann', total: 30 })).toBe(0)
})

test('what was filled and is empty now does not', () => {
  expect(reads({ userId: 0, total: 0, items: [] }, { userId: 7, total: 30, items: [{ id: 1 }] })).toBe(0)
  expect(reads({ users: [] }, { users: USERS })).toBe(0)
})

test('one edited field of many does not hide that the rest is the same', () => {
  expect(reads({ ...USERS[0], name: 'Anna' }, USERS[0])).toBeGreaterThanOrEqual(60)
})

test('a part of the fields is not the whole', () => {
  expect(reads({ id: 1 }, USERS[0])).toBeLessThan(50)
})

test('what a write makes anew may differ: identifiers, numbers, times', () => {
  const before = { id: 12, status: 'created', token: `${'a'.repeat(30)}1`, createdAt: '2026-01-01' }
  expect(writes({ ...before, id: 13, token: `${'b'.repeat(30)}2`, createdAt: '2026-01-02' }, before)).toBe(
    100,
  )
  expect(writes({ id: 'O-7', order: 9 }, { id: 'O-6', order: 8 })).toBe(100)
})

test('an answer that says no has nothing in common with one that does not', () => {
  expect(writes({ status: 'error', message: 'please log in' }, { status: 'success', message: 'done' })).toBe(
    0,
  )
  expect(writes({ success: false, id: 0 }, { success: true, id: 7 })).toBe(0)
  expect(reads({ data: null, errors: [{ message: 'Unauthorized' }] }, { data: { me: { id: 7 } } })).toBe(0)
})

test('pages are compared by their words, and a sign-in page is another page', () => {
  const page = '<h1>Accounts</h1><p>Ann 30.00</p>'
  expect(meaningPercentage(`${page}<!-- 5f0c2a9b8d7e6f50 -->`, page, false)).toBeGreaterThan(90)
  expect(meaningPercentage(`${page}<input type="password">`, page, false)).toBe(0)
  expect(meaningPercentage('{"a":1}', page, false)).toBe(0)
})

test.each([
  ['Successfully registered. Log in to continue.', false],
  ['Login successful', false],
  ['Please log in', true],
  ['The login was not successful: invalid password', true],
  ['Unsuccessful login', true],
])('a message of success may name the next step: %s', (message, isNo) => {
  expect(saysNo(json({ status: 'ok', message }))).toBe(isNo)
})

test('an answer to a write that repeats its own request says the same, whatever was sent', () => {
  const made = (name: string) => json({ name, mail: `${name}@shop.test`, isAdmin: false })
  const sent = {
    now: new Set(['bob7', 'bob7@shop.test']),
    before: new Set(['bob', 'bob@shop.test']),
  }
  expect(meaningPercentage(made('bob7'), made('bob'), true)).toBe(0)
  expect(meaningPercentage(made('bob7'), made('bob'), true, sent)).toBe(100)
  expect(meaningPercentage(made('eve'), made('bob'), true, sent)).toBe(0)
})

test('a write on an object that was made for it has the values of that object', () => {
  const before = json({ username: 'olga', email: 'olga@shop.test', user_id: 'a7' })
  const sent = { now: new Set<string>(), before: new Set<string>(), isOtherObject: true }
  const made = json({ username: 'leaver', email: 'new@shop.test', user_id: 'b8' })
  expect(meaningPercentage(made, before, true)).toBeLessThan(60)
  expect(meaningPercentage(made, before, true, sent)).toBe(100)
  expect(meaningPercentage(json({ error: 'forbidden' }), before, true, sent)).toBe(0)
  expect(meaningPercentage(json({ username: '', email: '', user_id: '' }), before, true, sent)).toBe(0)
})

test('another object differs where the path template has a parameter only', () => {
  const template = '/users/STRING/cards'
  const is = (now: string): boolean => isOtherObject(now, 'http://shop.test/users/7/cards', template)
  expect(is('http://shop.test/users/8/cards')).toBe(true)
  expect(is('http://shop.test/users/7/cards')).toBe(false)
  expect(is('http://shop.test/users/8/bills')).toBe(false)
  expect(is('http://shop.test/users/8/cards/9')).toBe(false)
})
