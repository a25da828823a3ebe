import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { insomniaImporter } from './insomnia.ts'

const shop = readFileSync('test/fixtures/imports/shop-insomnia-4.json', 'utf8')
const exported = (...resources: object[]): string => JSON.stringify({ _type: 'export', resources })

test('declares every HTTP request with variables of environment and folders, and skips other kinds with a reason', () => {
  const file = JSON.parse(shop) as { resources: object[] }
  const stream = { _id: 'greq_1', parentId: 'wrk_1', _type: 'grpc_request', name: 'Stream' }
  const { declared, report } = insomniaImporter.read(exported(...file.resources, stream))
  expect(declared.map(({ method, origin, path }) => `${method} ${origin}${path}`)).toEqual([
    'GET https://shop.test/v1/orders/77',
    'POST https://shop.test/v1/orders',
    'POST https://shop.test/form',
  ])
  expect(report).toMatchObject({ title: 'Shop', total: 4, taken: 3, skippedTotal: 1 })
  expect(declared[0]).toMatchObject({ where: '/resources/3', tags: ['Orders'], summary: 'Read' })
  expect(JSON.stringify(declared[0])).toContain('expand')
  expect(JSON.stringify(declared[0])).not.toContain('"off"')
})

test('a request inherits the authentication of its folder unless it has its own', () => {
  const { declared } = insomniaImporter.read(shop)
  expect(declared.map(({ security }) => JSON.stringify(security).includes('bearer'))).toEqual([
    true,
    false,
    false,
  ])
})

test('an unknown variable is reported, and a folder that is its own parent ends in a reason', () => {
  const unknown = insomniaImporter.read(
    exported({ _id: 'r', _type: 'request', name: 'R', url: 'https://shop.test/{{ _.absent }}' }),
  )
  expect(unknown.declared[0]?.problems.join()).toContain('absent')
  const circle = insomniaImporter.read(
    exported(
      { _id: 'f', parentId: 'f', _type: 'request_group' },
      { _id: 'r', parentId: 'f', _type: 'request', url: 'https://shop.test/' },
    ),
  )
  expect(circle.report).toMatchObject({ taken: 0, skippedTotal: 1 })
})

test.each(['{"_type":"export"}', '{"_type":"export","resources":{}}', '[]', '{'])('refuses %s', (text) => {
  expect(() => insomniaImporter.read(text)).toThrow(expect.objectContaining({ code: 'INVALID_IMPORT' }))
})
