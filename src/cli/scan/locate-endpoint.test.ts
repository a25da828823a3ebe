import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locateEndpoint } from './locate-endpoint.ts'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-locate-'))
  file = join(folder, 'openapi.yaml')
  const lines = [
    'openapi: 3.0.3',
    'paths:',
    '  /{page}:',
    '    get: {}',
    '  /login:',
    '    $ref: paths/login.yaml',
    '  /orders/{id}:',
    '    get: {}',
    '    patch: {}',
    '  /orders/mine:',
    '    get: {}',
  ]
  writeFileSync(file, lines.join('\n'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['GET /v2/orders/INTEGER', 8],
  ['PATCH /orders/INTEGER', 9],
  ['POST /login', 5],
  ['GET /about', 4],
  ['GET /orders/mine', 11],
  ['DELETE /orders/INTEGER', 1],
])(
  '%s is described in line %i: the longest path counts, then the one with the fewest parameters, and a path that another file describes',
  (place, line) => {
    expect(locateEndpoint([{ file, format: 'OPEN_API' }], place)).toEqual({ file, line })
  },
)

test('a description at an address has no lines', () => {
  const address = 'https://shop.test/openapi.yaml'
  expect(locateEndpoint([{ file: address, format: 'OPEN_API' }], 'GET /a')).toEqual({
    file: address,
    line: 1,
  })
})
