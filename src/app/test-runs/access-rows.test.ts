import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { accessRows } from './access-rows.ts'

const starting = (value: string) => ({
  operator: 'AND' as const,
  predicates: [{ type: 'STARTS_WITH' as const, value }],
})

test('a row tells what each role was seen to reach, and what its conditions say', async () => {
  const roles = [
    { name: 'ADMIN', andConditions: starting('/admin'), orConditions: null },
    { name: 'MEMBER', andConditions: null, orConditions: null },
  ]
  const [row] = await accessRows(
    [
      {
        ...{ collectionId: 1, method: 'GET', url: '/admin/users', isOpen: false, provenOpenAt: null },
        seen: [{ role: 'MEMBER', isReached: true, at: 7 }],
      },
    ],
    roles,
  )
  expect(row?.endpoint).toEqual({ collectionId: 1, method: 'GET', url: '/admin/users' })
  expect(row?.access).toEqual([
    { roleName: 'Anonymous', reached: null, expected: null, at: 0 },
    { roleName: 'ADMIN', reached: null, expected: true, at: 0 },
    { roleName: 'MEMBER', reached: true, expected: null, at: 7 },
  ])
})

test('other work has its turn while a large matrix is made', async () => {
  const endpoints = Array.from({ length: 4000 }, (_, at) => ({
    ...{ collectionId: 1, method: 'GET', url: `/items/${at}`, isOpen: true, provenOpenAt: null, seen: null },
  }))
  const made = accessRows(endpoints, [{ name: 'A', andConditions: starting('/items'), orConditions: null }])
  let isMade = false
  void made.then(() => {
    isMade = true
  })
  let turns = 0
  for (; !isMade; turns++) await nextTurn()
  expect(turns).toBeGreaterThanOrEqual(10)
  expect(await made).toHaveLength(4000)
})
