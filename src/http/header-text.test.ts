import { expect, test } from 'vitest'
import { readHeaders, writeHeaderText } from './header-text.ts'

test('reads an object as JSON text', () => {
  expect(readHeaders('{"host":"shop.test","x-a":"1"}')).toEqual(['host', 'shop.test', 'x-a', '1'])
  expect(readHeaders(' { "host" : "shop.test" ,\n "x-a":"1" } ')).toEqual(['host', 'shop.test', 'x-a', '1'])
  expect(readHeaders('{}')).toEqual([])
  expect(readHeaders('{ }')).toEqual([])
  expect(readHeaders('')).toEqual([])
  expect(readHeaders('null')).toEqual([])
})

test('reads escaped quotes and backslashes', () => {
  const headers = ['etag', 'W/"1"', 'x-path', 'C:\\dir\\', 'x-last', 'é\u{1f600}']
  expect(readHeaders(writeHeaderText(headers))).toEqual(headers)
  expect(readHeaders('{"a":"\\u0041\\\\","b":"\\"","c":"plain"}')).toEqual([
    'a',
    'A\\',
    'b',
    '"',
    'c',
    'plain',
  ])
})

test('keeps repeated headers in every form', () => {
  const expected = ['set-cookie', 'a=1', 'set-cookie', 'b=2']
  expect(readHeaders('{"set-cookie":"a=1","set-cookie":"b=2"}')).toEqual(expected)
  expect(readHeaders('{"set-cookie":["a=1","b=2"]}')).toEqual(expected)
  expect(readHeaders([['set-cookie', 'a=1'], ['set-cookie', 'b=2']])).toEqual(expected) // biome-ignore format: one line reads better
  expect(readHeaders('[["set-cookie","a=1"],["set-cookie","b=2"]]')).toEqual(expected)
  expect(readHeaders([{ name: 'set-cookie', value: 'a=1' }, { key: 'set-cookie', value: 'b=2' }])).toEqual(expected) // biome-ignore format: one line reads better
})

test('takes numbers, booleans and null as values', () => {
  expect(readHeaders({ age: 5, 'x-ok': true, empty: null })).toEqual([
    'age',
    '5',
    'x-ok',
    'true',
    'empty',
    '',
  ])
  expect(readHeaders('{"age":5}')).toEqual(['age', '5'])
})

test('keeps a __proto__ header as an ordinary name', () => {
  expect(readHeaders('{"__proto__":"x","a":"1"}')).toEqual(['__proto__', 'x', 'a', '1'])
  expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
})

test('replaces control characters that could split a written message', () => {
  expect(readHeaders({ a: 'x\r\nevil: 1' })).toEqual(['a', 'x  evil: 1'])
  expect(readHeaders('{"a":"x\\r\\ny\\u0000"}')).toEqual(['a', 'x  y '])
})

test.each([
  '{"a":"1"',
  '{"a":"1",}',
  '{"a"}',
  '{"a":"1"} x',
  '{"a":{"b":1}}',
  '"text"',
  '{"a":"\\x"}',
  '[1]',
])('refuses %s', (text) => {
  expect(readHeaders(text)).toBeUndefined()
})
