import { describe, expect, test } from 'vitest'
import type { OutsideObject } from '../untrusted-value.ts'
import { distinctValue, numberValue, stringValue, textOfPattern } from './scalar-value.ts'

describe('a value made by a schema', () => {
  test.each([
    [{}, 1],
    [{ minimum: 3, maximum: 5 }, 3],
    [{ maximum: 0 }, 0],
    [{ exclusiveMinimum: 7 }, 8],
    [{ minimum: 7, exclusiveMinimum: true }, 8],
    [{ exclusiveMaximum: 1 }, 0],
    [{ minimum: 3, multipleOf: 5 }, 5],
    [{ minimum: 3, maximum: 9, multipleOf: 5 }, 5],
    [{ exclusiveMinimum: 5, multipleOf: 5 }, 10],
    [{ minimum: 0.5, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true }, 0.75],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 0.2 }, 0.1],
  ])('%j is a number within its bounds', (schema, value) => {
    expect(numberValue(schema as OutsideObject, 1, 1)).toBe(value)
  })

  test.each([
    [{}, 'string'],
    [{ minLength: 8 }, 'stringaa'],
    [{ maxLength: 3 }, 'str'],
    [{ format: 'email' }, 'user@example.com'],
    [{ format: 'date' }, '2026-01-31'],
    [{ pattern: '^[A-Z]{2}-\\d{4}$' }, 'AA-1111'],
    [{ pattern: '^(?=x)y$', minLength: 7 }, 'stringa'],
    [{ pattern: '^[a-z]+$', minLength: 8 }, 'aaaaaaaa'],
    [{ pattern: '^[0-9]{2,6}$', minLength: 4 }, '0000'],
  ])('%j is a text of its format, pattern and length', (schema, text) => {
    expect(stringValue(schema as OutsideObject)).toBe(text)
  })

  test.each([
    '^[a-z]{3,10}$',
    '^\\+?[0-9]{7,15}$',
    '^(?:ord|inv)-[0-9a-f]{8}$',
    '^[\\w.-]+@[\\w.-]+\\.[a-z]{2,}$',
    '^#(?:[0-9a-fA-F]{3}){1,2}$',
    'a|b',
    '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
    '^[^a-zA-Z]$',
  ])('a text for %s matches it', (pattern) => {
    expect(textOfPattern(pattern)).toMatch(new RegExp(pattern))
  })

  test.each(['(?!a)b', '(a)\\1', '[^\\n]', '(((', 'a{9999}'])('%s has none', (pattern) => {
    expect(textOfPattern(pattern)).toBeNull()
  })
})

test('values that must differ do, and keep their form', () => {
  const three = (value: unknown, schema: object) =>
    [0, 1, 2].map((number) => distinctValue(value, number, schema as OutsideObject))
  expect(three('string', {})).toEqual(['string', 'string1', 'string2'])
  expect(three('stringaa', { maxLength: 8 })).toEqual(['stringaa', 'stringa1', 'stringa2'])
  expect(three(5, { multipleOf: 5 })).toEqual([5, 10, 15])
  expect(three('red', { enum: ['red', 'green', 'blue'] })).toEqual(['red', 'green', 'blue'])
  expect(three('user@example.com', {})).toEqual([
    'user@example.com',
    'user1@example.com',
    'user2@example.com',
  ])
  expect(new Set(three('00000000-0000-4000-8000-000000000000', { format: 'uuid' })).size).toBe(3)
})
