import { expect, test } from 'vitest'
import type { DeclaredOperation } from '../../traffic/index.ts'
import { operationsOfVersions } from './versioned-operations.ts'

/** Paths that become of one with a documented parameter. */
function pathsOf(path: string, values: { choices?: readonly string[]; example?: string }): string[] {
  const name = /\{(.+)\}/.exec(path)![1]!
  const operation = { path, parameters: [{ in: 'path', name, ...values }] } as unknown as DeclaredOperation
  return operationsOfVersions(operation).map((one) => one.path)
}

test.each([
  ['/api/{version}/orders', { example: '2' }, ['/api/2/orders']],
  ['/api/{v}/orders', { choices: ['1', '2'] }, ['/api/1/orders', '/api/2/orders']],
  ['/api/{apiVersion}/orders', { example: '2.0' }, ['/api/2.0/orders']],
  ['/api/{api-version}/orders', { example: 'v2' }, ['/api/v2/orders']],
  ['/api/v{major}/orders', { choices: ['1', '2'] }, ['/api/v1/orders', '/api/v2/orders']],
  ['/api/{edition}/orders', { choices: ['v1', 'v2'] }, ['/api/v1/orders', '/api/v2/orders']],
])('%s with %j stands for %j', (path, values, paths) => {
  expect(pathsOf(path, values)).toEqual(paths)
})

test.each([
  ['/api/{customerId}/orders', { example: '7' }],
  ['/api/{customerId}/orders', { choices: ['7', '8'] }],
  ['/api/{server}/status', { example: '7' }],
  ['/api/{edition}/orders', { example: 'v1' }],
])('%s with %j is one address with a parameter', (path, values) => {
  expect(pathsOf(path, values)).toEqual([path])
})
