import { expect, test } from 'vitest'
import { exchangeOf } from '../../../test/test-results.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import { GENERATED } from '../run/generated.ts'
import { irreversible, renamingField } from './irreversible.ts'
import type { ObjectState } from './object-state.ts'

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

test.each([
  [{ email: 'o@shop.test', emailVerified: true }, { email: 'x@shop.test' }, 'emailVerified'],
  [{ email: 'o@shop.test', verified: true }, { email: 'x@shop.test' }, 'verified'],
  [{ phone: '1', phone_number_confirmed_at: '2026-01-02' }, { phone: '2' }, 'phone_number_confirmed_at'],
  [
    { email_address: 'o@shop.test', is_email_verified: 1 },
    { email_address: 'x@shop.test' },
    'is_email_verified',
  ],
])('a confirmation that a change takes away is not risked: %j with %j', (record, sent, mark) => {
  const recorded = put('/account', { ...sent, email: 'o@shop.test', phone: '1' })
  expect(irreversible({ draft: put('/account', sent), start: recorded }, shown(record))).toBe(
    `the record shows ${mark}, which the application may take back with the change`,
  )
})

test.each([
  ['nothing was confirmed', { email: 'o@shop.test', emailVerified: false }, { email: 'x@shop.test' }],
  ['no mark', { email: 'o@shop.test', name: 'Olga' }, { email: 'x@shop.test' }],
  ['another field', { email: 'o@shop.test', phone: '1', phoneVerified: true }, { email: 'x@shop.test' }],
  [
    'the same value',
    { email: 'o@shop.test', emailVerified: true, name: 'Olga' },
    { email: 'o@shop.test', name: 'Otto' },
  ],
  ['a field that nobody confirms', { name: 'Olga', verified: true }, { name: 'Otto' }],
])('a change that takes no confirmation away is made: %s', (_, record, sent) => {
  expect(
    irreversible({ draft: put('/account', sent), start: put('/account', sent) }, shown(record)),
  ).toBeNull()
})

test('a confirmation is not risked although clients send its mark back: users may not set it', () => {
  const recorded = put('/account', { email: 'o@shop.test', emailVerified: true })
  const draft = put('/account', { email: 'x@shop.test', emailVerified: true })
  expect(irreversible({ draft, start: recorded }, shown({ email: 'o@shop.test', emailVerified: true }))).toBe(
    'the record shows emailVerified, which the application may take back with the change',
  )
})

function shown(record: unknown): ObjectState {
  return { kind: 'object', text: JSON.stringify(record) }
}

test('a value that a document gave is not that of the object, which does not show it', () => {
  const draft = put('/users/9', { email: 'x@shop.test', password: 'given' })
  const before = shown({ email: 'o@shop.test' })
  const sample = exchangeOf('https://shop.test/users/9')
  expect(irreversible({ draft, start: draft, sample }, before)).toBeNull()
  const made = { ...sample, tags: { [GENERATED]: 'true' } }
  expect(irreversible({ draft, start: draft, sample: made }, before)).toBe(
    'the record does not show password, so the old value is not known',
  )
})
