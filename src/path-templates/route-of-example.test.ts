import { expect, test } from 'vitest'
import { routeOfExample } from './route-of-example.ts'

test.each([
  ['/orders/77', '/orders/{orderId}', [['orderId', 'integer', '77']]],
  [
    '/v1/users/3fa85f64-5717-4562-b3fc-2c963f66afa6/carts/9/lines',
    '/v1/users/{userId}/carts/{cartId}/lines',
    [
      ['userId', '', '3fa85f64-5717-4562-b3fc-2c963f66afa6'],
      ['cartId', 'integer', '9'],
    ],
  ],
  ['/orders/{orderId}/lines/5', '/orders/{orderId}/lines/{lineId}', [['lineId', 'integer', '5']]],
  ['/orders/{itemId}/items/5', '/orders/{itemId}/items/{itemId2}', [['itemId2', 'integer', '5']]],
  ['/rest/api/2/issue/search', '/rest/api/2/issue/search', []],
  ['/v2/blog/how-to-start', '/v2/blog/how-to-start', []],
  ['/', '/', []],
])('%s is the route %s', (path, route, parameters) => {
  const found = routeOfExample(path)
  expect(found.path).toBe(route)
  expect(found.parameters.map(({ name, type, example }) => [name, type, example])).toEqual(parameters)
})
