import { expect, test } from 'vitest'
import { exchangeOf } from '../../../test/test-results.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { renamingField } from './irreversible.ts'

function put(path: string, body: unknown): RequestDraft {
  const { request, ...rest } = exchangeOf(`https://shop.test${path}`)
  const headers = ['content-type', 'application/json']
  return draftOf({ ...rest, request: { ...request, method: 'PUT', headers, body: JSON.stringify(body) } })
}

test.each([
  ['/roles/buyer', { name: 'buyer', text: 'a' }, { name: "buyer'--", text: 'a' }, 'name'],
  ['/roles/big%20buyer', { name: 'big buyer' }, { name: { $ne: '' } }, 'name'],
  ['/roles/buyer', { name: 'buyer', text: 'a' }, { name: 'buyer', text: 'b' }, null],
  ['/roles/7', { name: 'buyer' }, { name: 'other' }, null],
  ['/roles/7', { id: 7, name: 'buyer' }, { id: 8, name: 'buyer' }, null],
  ['/roles/buyer', { name: 'buyer' }, { text: 'b' }, null],
])('a change that moves an object to another address: PUT %s %j as %j', (path, recorded, sent, field) => {
  expect(renamingField(put(path, sent), put(path, recorded))).toBe(field)
})
