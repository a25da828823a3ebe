import { expect, test } from 'vitest'
import { compilePattern } from './pattern.ts'

test.each([
  ['\\u0041\\x42', 'AB', true],
  ['a++b', 'aab', true],
  ['(?>a|ab)c', 'abc', true],
  ['a\\h+b', 'a \t\u00a0b', true],
  ['a[\\h]b', 'a\tb', true],
  ['a\\Rb', 'a\r\nb', true],
  ['end\\Z', 'the end\n', true],
  ['\\Q1+1\\E=2', '1+1=2', true],
  ['\\Q1+1\\E\\h=2', '11=2', false],
  ['[a[bc]]d\\h', 'cd ', true],
  ['\\p{Alpha}\\h\\p{IsDigit}', 'x 5', true],
  ['[\\p{Upper}_]\\h', 'X ', true],
  ['\\e\\[\\d', '\u001b[3', true],
  ['\\h\\07', ' \u0007', true],
])('%s in %j: %s', (source, text, holds) => {
  const pattern = compilePattern(source)
  if (typeof pattern === 'string') throw new Error(pattern)
  expect(pattern.test(text)).toBe(holds)
})

test('a pattern whose meaning changes a little says so', () => {
  const pattern = compilePattern('x*+y')
  expect(typeof pattern === 'string' ? [] : pattern.notes).toHaveLength(1)
})

test.each(['(a)\\1\\h', '[a&&b]\\h', '[a[^b]]\\h'])('%s has no counterpart', (source) => {
  expect(compilePattern(source)).toContain('cannot be used')
})
