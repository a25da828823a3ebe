import { expect, test } from 'vitest'
import { pathTree } from './path-nodes.ts'

test('segments that do not branch are one node, and each node counts what is below it', () => {
  expect(
    pathTree([
      'https://shop.test/api/v1/users/INTEGER',
      'https://shop.test/api/v1/users',
      '/api/v1/orders?x=1',
      '/api/v1/orders',
      'https://shop.test/',
      'https://shop.test',
    ]),
  ).toEqual([
    { name: '/', prefix: '/', endpoints: 2, children: [] },
    {
      name: 'api/v1',
      prefix: '/api/v1',
      endpoints: 4,
      children: [
        { name: 'orders', prefix: '/api/v1/orders', endpoints: 2, children: [] },
        {
          name: 'users',
          prefix: '/api/v1/users',
          endpoints: 2,
          children: [{ name: '{userId}', prefix: '/api/v1/users/INTEGER', endpoints: 1, children: [] }],
        },
      ],
    },
  ])
  expect(pathTree([])).toEqual([])
})
