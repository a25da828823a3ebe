import { expect, test } from 'vitest'
import type { Carriers } from './carriers.ts'
import { namesOwnObject } from './own-objects.ts'

function sent(values: Readonly<Record<string, string>>): Carriers {
  return new Map(Object.entries(values).map(([value, callers]) => [value, new Set(callers.split(' '))]))
}

const CUSTOMERS = sent({ 2: 'olga', 3: 'olga', 5: 'olga', 4: 'otto', 6: 'otto', 9: 'olga otto' })
const OBJECTS = new Map([
  ['customer', CUSTOMERS],
  ['company', sent({ 1: 'olga', 2: 'otto' })],
])

test.each<[string, Carriers, boolean]>([
  ['all values are customers of who sent them', sent({ 2: 'olga', 3: 'olga', 5: 'olga', 4: 'otto' }), true],
  ['too few values', sent({ 2: 'olga', 3: 'olga', 4: 'otto' }), false],
  ['only one sender', sent({ 2: 'olga', 3: 'olga', 5: 'olga', 9: 'olga' }), false],
  ['one of them is no customer', sent({ 2: 'olga', 3: 'olga', 30: 'olga', 4: 'otto' }), false],
  ["one of them is another sender's", sent({ 2: 'olga', 3: 'olga', 5: 'otto', 4: 'otto' }), false],
  ['both send one of them', sent({ 2: 'olga', 3: 'olga', 5: 'olga otto', 4: 'otto' }), false],
  ['both ask for one of them', sent({ 2: 'olga', 3: 'olga', 9: 'olga', 4: 'otto' }), false],
])('a field that is not called like a resource names own objects where %s: %s', (_, of, names) => {
  const carried = { place: 'BODY from', key: 'from', value: '2', in: 'body' as const }
  expect(namesOwnObject(carried, of, 'olga', () => OBJECTS)).toBe(names)
  const amount = { ...carried, place: 'BODY quantity', key: 'quantity' }
  expect(namesOwnObject(amount, of, 'olga', () => OBJECTS)).toBe(false)
  expect(namesOwnObject({ ...carried, in: 'query' }, of, 'olga', () => OBJECTS)).toBe(false)
})

test('a field that is called like a resource needs one own object of each of two senders', () => {
  const carried = { place: 'BODY customer', key: 'customer', value: '2', in: 'body' as const }
  expect(namesOwnObject(carried, sent({ 2: 'olga', 4: 'otto' }), 'olga', () => OBJECTS)).toBe(true)
  expect(namesOwnObject(carried, sent({ 2: 'olga', 30: 'otto' }), 'olga', () => OBJECTS)).toBe(false)
})
