import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from '../kit/index.ts'
import { importText } from '../traffic/index.ts'
import { gatherDocument } from './gather-document.ts'

const { settings } = readSettings({}, {})
const folder = mkdtempSync(join(tmpdir(), 'vigil-gather-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const gather = (place: string) => gatherDocument(place, readFileSync(place), settings)

const ORDER = 'type: object\nproperties:\n  id: { type: integer }\n  next: { $ref: ./order.yaml }\n'
const ROOT = `openapi: 3.0.3
info: { title: shop, version: '1' }
servers: [{ url: https://shop.test }]
paths:
  /orders: { $ref: ./paths/orders.yaml }
`
const ORDERS =
  'get:\n  responses:\n    "200":\n      description: ok\n      content: { application/json: { schema: { $ref: ../schemas/order.yaml } } }\n'

test('an OpenAPI document over several files becomes one whose operations are all taken', async () => {
  written('api/schemas/order.yaml', ORDER)
  written('api/paths/orders.yaml', ORDERS)
  const { declared, report } = importText(await gather(written('api/openapi.yaml', ROOT)))
  expect(report).toMatchObject({ total: 1, taken: 1, warningsTotal: 0 })
  expect(declared[0]?.responses[0]?.keys).toEqual([expect.objectContaining({ key: 'id', type: 'integer' })])
})

test('a document that stands alone is returned byte for byte', async () => {
  const path = written('alone.yaml', 'openapi: 3.0.3\npaths: {}\nx: { $ref: "#/paths" }\n')
  expect(await gather(path)).toEqual(readFileSync(path))
})

test.each([
  ['/etc/hostname', 'outside its folder'],
  ['./absent.yaml', 'absent.yaml, which does not exist'],
  ['https://other.test/a.yaml', 'download that file'],
])('a reference to %s is refused with its reason', async (reference, reason) => {
  const path = written('bad/openapi.yaml', `openapi: 3.0.3\npaths:\n  /a: { $ref: '${reference}' }\n`)
  await expect(gather(path)).rejects.toMatchObject({ details: { reason: expect.stringContaining(reason) } })
})

test('a document at a URL is read with what it refers to on its host, and nothing from another one', async () => {
  const files: Record<string, string> = {
    '/api/openapi.yaml': ROOT,
    '/api/paths/orders.yaml': ORDERS,
    '/api/schemas/order.yaml': ORDER,
    '/other.yaml': "openapi: 3.0.3\npaths:\n  /a: { $ref: 'http://127.0.0.2:9/a.yaml' }\n",
  }
  const host = createServer((request, response) => {
    const file = files[request.url!]
    response.writeHead(file === undefined ? 404 : 200).end(file)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => host.once('listening', resolve))
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  try {
    const whole = await gatherDocument(`${origin}/api/openapi.yaml`, Buffer.from(ROOT), settings)
    expect(importText(whole).report).toMatchObject({ taken: 1, warningsTotal: 0 })
    const other = gatherDocument(`${origin}/other.yaml`, Buffer.from(files['/other.yaml']!), settings)
    await expect(other).rejects.toMatchObject({
      details: { reason: expect.stringContaining('another host') },
    })
  } finally {
    host.close()
  }
})

test('a .proto file is read with its imports; those that are not there leave their messages out', async () => {
  written('proto/shop/types.proto', 'syntax = "proto3"; package shop; message Order { string id = 1; }')
  const path = written(
    'proto/shop.proto',
    'syntax = "proto3"; package shop; import "shop/types.proto"; import "google/api/annotations.proto";\nservice S { rpc Get(Order) returns (Order); }',
  )
  const { declared, report } = importText(await gather(path))
  expect(report).toMatchObject({ taken: 1, warningsTotal: 0 })
  expect(declared[0]).toMatchObject({ path: '/shop.S/Get', requests: [{ keys: [{ key: 'id' }] }] })
})
