import { expect, test } from 'vitest'
import type { TestRoleView } from '../../testing/index.ts'
import { AccessMatrix } from './access-matrix.ts'

function role(name: string, contains: string | null): TestRoleView {
  const orConditions =
    contains === null ? null : { operator: 'OR', predicates: [{ type: 'CONTAINS', value: contains }] }
  return { name, credentials: [{}], andConditions: null, orConditions } as unknown as TestRoleView
}

const LIST = { collectionId: 1, method: 'GET', url: 'https://shop.test/admin/users' }
const MAKE = { ...LIST, method: 'POST' }

test('seen counts, declared counts unless refused, and the rest of a role without conditions is unknown', () => {
  const matrix = new AccessMatrix(
    [
      role('ADMIN', '/admin/'),
      role('MEMBER', null),
      role('SUPPORT', '/tickets/'),
      role('ATTACKER_TOKEN_ALL', null),
    ],
    [
      { ...LIST, role: 'MEMBER', isReached: true, at: 10 },
      { ...MAKE, role: 'ADMIN', isReached: false, at: 10 },
      { ...LIST, role: 'SUPPORT', isReached: true, at: 10 },
    ],
  )
  expect(matrix.rolesOf(LIST)).toEqual(['ADMIN', 'MEMBER'])
  expect(matrix.rolesOf(MAKE)).toEqual([])
  expect(matrix.isUnknown(MAKE, 'MEMBER')).toBe(true)
  expect(matrix.isUnknown(MAKE, 'SUPPORT'), 'declared elsewhere').toBe(false)
  expect(matrix.isUnknown(LIST, 'MEMBER')).toBe(false)
  expect(matrix.isUnknown(LIST, 'NOBODY'), 'no role at all').toBe(false)
  expect([matrix.isFresh(LIST, 'MEMBER', 11), matrix.isFresh(LIST, 'MEMBER', 100_000)]).toEqual([true, false])
})
