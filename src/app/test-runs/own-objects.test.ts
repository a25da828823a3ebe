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

test('numbers that are those of own objects by chance name none', () => {
  const seats = { place: 'BODY seats', key: 'seats', value: '2', in: 'body' as const }
  const of = sent({ 2: 'olga', 3: 'olga', 5: 'olga', 4: 'otto', 6: 'otto' })
  expect(namesOwnObject(seats, of, 'olga', () => OBJECTS)).toBe(false)
  const query = { place: 'QUERY customer', key: 'customer', value: '2', in: 'query' as const }
  expect(namesOwnObject(query, of, 'olga', () => OBJECTS)).toBe(false)
})

test('a resource may be called like a number of something', () => {
  const rating = { place: 'BODY rating', key: 'rating', value: '7', in: 'body' as const }
  const of = sent({ 7: 'olga', 8: 'otto' })
  expect(namesOwnObject(rating, of, 'olga', () => new Map([['rating', of]]))).toBe(true)
})

test('a field that is called like a resource needs one own object of each of two senders', () => {
  const carried = { place: 'BODY customer', key: 'customer', value: '2', in: 'body' as const }
  expect(namesOwnObject(carried, sent({ 2: 'olga', 4: 'otto' }), 'olga', () => OBJECTS)).toBe(true)
  expect(namesOwnObject(carried, sent({ 2: 'olga', 30: 'otto' }), 'olga', () => OBJECTS)).toBe(false)
})
