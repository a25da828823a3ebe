import { expect, test } from 'vitest'
import { OwnAccount } from './own-account.ts'

const ORIGIN = 'http://shop.test'

function isIn(account: OwnAccount, path: string): boolean {
  return account.isIn(new URL(path, ORIGIN))
}

test('the account is known by the record that has its name, wherever that is answered', () => {
  const account = new OwnAccount('root')
  account.note(
    new URL('/api/people?page=1', ORIGIN),
    '{"results":[{"id":7,"username":"root","groups":[3]},{"id":8,"username":"ann","groups":[4]}]}',
  )
  const own = ['/api/users/7', '/api/users/7/password', '/user-admin/7', '/users/root', '/groups/3']
  expect(own.filter((path) => !isIn(account, path))).toEqual([])
  // The same numbers elsewhere, the records of others, and the folder that is called alike.
  const others = ['/api/shops/7', '/api/users/8', '/groups/4', '/api/users', '/root/users/8']
  expect(others.filter((path) => isIn(account, path))).toEqual([])
})

test('the account is known by the answer to who it is, without the name', () => {
  const account = new OwnAccount('Role administrator')
  account.note(
    new URL('/api/users/me', ORIGIN),
    '{"data":{"id":"0b5d7f3e-1c2d-4e5f-8a9b-0c1d2e3f4a5b","role":"77777777-1c2d-4e5f-8a9b-0c1d2e3f4a5b"}}',
  )
  expect(isIn(account, '/x/0B5D7F3E-1c2d-4e5f-8a9b-0c1d2e3f4a5b')).toBe(true)
  expect(isIn(account, '/roles/77777777-1c2d-4e5f-8a9b-0c1d2e3f4a5b')).toBe(true)
  expect(isIn(account, '/roles/88888888-1c2d-4e5f-8a9b-0c1d2e3f4a5b')).toBe(false)
})

test('the profile of another account tells nothing of who is signed in', () => {
  const account = new OwnAccount('Role administrator')
  account.note(new URL('/users/12/profile', ORIGIN), '{"id":12,"username":"ann"}')
  expect(isIn(account, '/users/12')).toBe(false)
})

test('a list that is deleted may hold the account', () => {
  const account = new OwnAccount('root')
  account.note(new URL('/users', ORIGIN), '[{"id":7,"username":"root"}]')
  const deletes = (path: string, body: string | null) =>
    account.isDeletedBy({ method: 'DELETE', url: new URL(path, ORIGIN), body })
  expect([
    deletes('/users', '[6,7]'),
    deletes('/users/7', null),
    deletes('/user-groups', '{"ids":["7"]}'),
    deletes('/users?id=7', null),
    deletes('/api/users/me', null),
  ]).toEqual([true, true, true, true, true])
  expect([deletes('/users', '[17]'), deletes('/shops', '[7]'), deletes('/users', null)]).toEqual([
    false,
    false,
    false,
  ])
  expect([deletes('/shops?id=7', null), deletes('/users/12/profile', null)]).toEqual([false, false])
})

test('what others have made, and what is not a record, tells nothing', () => {
  const account = new OwnAccount('root')
  account.note(new URL('/notes', ORIGIN), '[{"id":5,"createdBy":"root"}]')
  account.note(new URL('/users', ORIGIN), '[{"id":5,"username":"root"')
  expect(isIn(account, '/users/5')).toBe(false)
})
