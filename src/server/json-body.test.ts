import { expect, test } from 'vitest'
import { Failure } from '../kit/index.ts'
import { isDeeperThan, parseJsonBody } from './json-body.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function codeOf(input: Uint8Array): string {
  try {
    parseJsonBody(input, 5)
    return 'none'
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

test('an empty body is undefined, others are their value', () => {
  expect(parseJsonBody(bytes(''), 5)).toBeUndefined()
  expect(parseJsonBody(bytes('\ufeff{"a":"ü"}'), 5)).toEqual({ a: 'ü' })
})

test('depth counts brackets outside of strings', () => {
  expect(isDeeperThan(bytes('[[[[[]]]]]'), 5)).toBe(false)
  expect(isDeeperThan(bytes('[[[[[{}]]]]]'), 5)).toBe(true)
  expect(isDeeperThan(bytes('{"a":"[[[[[[[[[[","b":["\\"[[[[[[[[","\\\\"]}'), 5)).toBe(false)
  expect(isDeeperThan(bytes('["\\\\",[[[[[[]]]]]]]'), 5)).toBe(true)
  expect(isDeeperThan(bytes('[[],[],[],[],[],[],[]]'), 2)).toBe(false)
})

test('too deep is refused before anything is built', () => {
  const deep = new Uint8Array(8 * 1024 * 1024).fill(0x5b)
  expect(codeOf(deep)).toBe('TOO_DEEP')
})

test.each([['{'], ['{"a":1}}'], ["{'a':1}"], ['"unfinished'], ['nul'], ['{"a":1} x'], ['\u0000']])(
  'broken JSON is refused: %s',
  (text) => {
    expect(codeOf(bytes(text))).toBe('INVALID_JSON_BODY')
  },
)

test('bytes that are not UTF-8 are refused', () => {
  expect(codeOf(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))).toBe('INVALID_JSON_BODY')
  expect(codeOf(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe('INVALID_JSON_BODY')
})
