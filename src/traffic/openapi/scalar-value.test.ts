import { describe, expect, test } from 'vitest'
import type { OutsideObject } from '../untrusted-value.ts'
import { numberValue, stringValue, textOfPattern } from './scalar-value.ts'

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
  ])('a text for %s matches it', (pattern) => {
    expect(textOfPattern(pattern)).toMatch(new RegExp(pattern))
  })

  test.each(['(?!a)b', '(a)\\1', '[^a]', '(((', 'a{9999}'])('%s has none', (pattern) => {
    expect(textOfPattern(pattern)).toBeNull()
  })
})
