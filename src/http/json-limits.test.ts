import { expect, test } from 'vitest'
import { Failure } from '../kit/index.ts'
import { parseJson } from './json-limits.ts'
import { JsonScanner } from './json-scanner.ts'

function failure(text: string, limits = {}): Failure {
  try {
    parseJson(text, limits)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('parsed')
}

test.each([
  '{}',
  '[]',
  ' [1, -2.5e+3, "a\\"b\\\\", true, false, null, {"a":{"b":[[]]}}] ',
  '"x"',
  '0',
  '\ufeff{"a":1}',
])('parses %j like JSON.parse', (text) => {
  expect(parseJson(text).value).toEqual(JSON.parse(text.replace('\ufeff', '')))
})

test.each([
  ['', 1, 1, 'the text ends here'],
  ['{"a":1', 1, 7, 'the text ends here'],
  ['{"a":\n tru', 2, 2, 'expected true'],
  ['{"a":"x', 1, 6, 'a string is never closed'],
  ['{"a":1,}', 1, 8, 'expected a quoted key'],
  ['{"a" 1}', 1, 6, 'expected ":"'],
  ['[1 2]', 1, 4, 'expected "," or "]"'],
  ['[1}', 1, 3, 'expected "," or "]"'],
  ["{'a':1}", 1, 2, 'expected a quoted key'],
  ['{"a":1} x', 1, 9, 'nothing may follow the value'],
  ['{"a":\n 01}', 2, 2, 'a number is malformed'],
  ['{"a":1,\n"b":"x\ty"}', 2, 5, 'a string holds a control character or a broken escape'],
  ['<html>', 1, 1, 'expected a value'],
])('tells the place of the fault in %j', (text, line, column, reason) => {
  expect(failure(text)).toMatchObject({ code: 'JSON_INVALID', details: { line, column, reason } })
})

test('refuses nesting of 100,000 without overflowing', () => {
  for (const text of [
    '['.repeat(100_000),
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    '{"a":'.repeat(100_000),
  ]) {
    expect(failure(text)).toMatchObject({
      code: 'JSON_OVER_LIMIT',
      details: { reason: 'nested deeper than 512' },
    })
  }
  expect(parseJson('[[]]', { maxDepth: 2 }).value).toEqual([[]])
})

test('refuses too many values and too long a text', () => {
  expect(failure('[1,2,3]', { maxValues: 3 })).toMatchObject({ details: { reason: 'over 3 values' } })
  expect(failure('[1,2,3]', { maxChars: 3 })).toMatchObject({
    code: 'JSON_TOO_LARGE',
    details: { size: 7, limit: 3 },
  })
})

test('reports duplicate keys; the last wins', () => {
  const { value, warnings } = parseJson('{"a":1,\n"b":{"a":2},\n"a":3}')
  expect(value).toEqual({ a: 3, b: { a: 2 } })
  expect(warnings).toEqual(['the key "a" at line 3 repeats an earlier one; the last wins'])
})

test('leaves out prototype keys however they are written', () => {
  const { value, warnings } = parseJson(
    '{"__proto__":{"polluted":1},"a":[{"\\u005f_proto__":{"polluted":1},"b":2}]}',
  )
  expect(Object.assign({}, value)).toEqual({ a: [{ b: 2 }] })
  expect(warnings).toEqual(['2 "__proto__" keys are left out'])
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('continues after a broken value', () => {
  const text = '[{"a":[1,}, "]" }, {"b":2}]'
  const scanner = new JsonScanner(text, { maxDepth: 9, maxValues: 99 }, 1)
  expect(scanner.skipValue()).toBe(false)
  expect(scanner.skipBroken(1)).toBe(true)
  expect(text.slice(1, scanner.pos)).toBe('{"a":[1,}, "]" }')
})
