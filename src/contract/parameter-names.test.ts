import { expect, test } from 'vitest'
import { parameterDisplayName, parameterName, parameterPath } from './parameter-names.ts'

test.each([
  ['addresses', 'addressId'],
  ['status', 'statusId'],
  ['users', 'userId'],
  ['boxes', 'boxId'],
  ['line-items', 'lineItemId'],
  [undefined, 'id'],
])('a parameter after %s is named %s', (parent, expected) => {
  expect(parameterName(parent)).toBe(expected)
})

test('parameters of a path are named as the path shows them', () => {
  const url = 'https://shop.test/rest/basket/INTEGER/items/STRING'
  const names = ['2', '4', '7'].map((segment) => parameterDisplayName('PATH', segment, url))
  expect(names).toEqual(['{basketId}', '{itemId}', 'segment 8'])
  const matrix = ['1#x', '2#color'].map((param) => parameterDisplayName('PATH', param, url))
  expect(matrix).toEqual(['basket;x', '{basketId};color'])
  expect(parameterDisplayName('PATH', '1#key', '/odata/Orders()/Items')).toBe('Orders(key)')
  expect(parameterDisplayName('PATH', '1#key', '/odata/Orders():cancel')).toBe('Orders(key):cancel')
  expect(parameterDisplayName('PATH', '1', '/jobs/INTEGER:cancel')).toBe('{jobId}')
  expect(parameterDisplayName('PATH', '1', '/jobs/INTEGER.json')).toBe('{jobId}')
})

test('nested names are written as paths', () => {
  expect(parameterPath('user#roles#$#name')).toBe('user.roles[].name')
  expect(parameterDisplayName('REQUEST_BODY', '$#id', '/a')).toBe('[].id')
})
