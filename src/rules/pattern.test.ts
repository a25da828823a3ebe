import { expect, test } from 'vitest'
import { compilePattern } from './pattern.ts'

function compiled(source: string) {
  const pattern = compilePattern(source)
  if (typeof pattern === 'string') throw new Error(pattern)
  return pattern
}

test.each([
  ['plain', 'so plain', true],
  ['^(?i)admin', 'ADMIN', true],
  ['a.c', 'abc', true],
  ['(?<![\\w-])49(?![\\w-])', 'is 49.', true],
  ['(?<![\\w-])49(?![\\w-])', 'is 1-49', false],
])('%s in %s: %s', (source, text, holds) => {
  expect(compiled(source).test(text)).toBe(holds)
})

test('finds the first group, or the whole match', () => {
  expect(compiled('id=(\\d+)').findAll('id=1 id=22', 9)).toEqual(['1', '22'])
  expect(compiled('(?<=id=)\\d+').findAll('id=1 id=22', 1)).toEqual(['1'])
  expect(compiled('(?<=i)d=(\\d+)').findAll('id=1 id=22', 9)).toEqual(['1', '22'])
})

test('replaces every match, with groups', () => {
  expect(compiled('/v(\\d)/').replaceAll('/v1/a/v2/', '/w$1/')).toBe('/w1/a/w2/')
  expect(compiled('v(\\d)(?=/)').replaceAll('/v1/a/v2/v3', 'w$1')).toBe('/w1/a/w2/v3')
})

test('says why a pattern cannot be used', () => {
  expect(compilePattern('[a')).toContain('cannot be used')
  expect(compilePattern('(?=a)\\1(b)')).toContain('cannot be used')
  expect(compilePattern('a'.repeat(9_000))).toContain('longer than')
})

test('a pattern of too many states is refused before it is compiled', () => {
  expect(compilePattern('x{1000}'.repeat(100))).toMatch(/about 100000 states, and at most 10000/)
})
