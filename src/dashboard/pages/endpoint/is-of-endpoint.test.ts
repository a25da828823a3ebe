import { expect, test } from 'vitest'
import { isOfEndpoint } from './is-of-endpoint.ts'

test.each([
  ['/orders/17', true],
  ['/orders/17?q=%27--', true],
  ['http://other.test/orders/abc#x', true],
  ['/orders', false],
  ['/orders/17/items', false],
  ['/users/17', false],
])('%s is of an endpoint with a parameter: %s', (observed, isIt) => {
  expect(isOfEndpoint(observed, 'http://shop.test/orders/INTEGER')).toBe(isIt)
})
