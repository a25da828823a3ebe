import { expect, test } from 'vitest'
import { emptyPlan, obstacles, startRequest } from './run-plan.ts'

test('aims at one collection, several, or chosen endpoints', () => {
  expect(startRequest({ ...emptyPlan, collectionIds: [7] })).toMatchObject({
    type: 'COLLECTION_WISE',
    apiCollectionId: 7,
  })
  expect(startRequest({ ...emptyPlan, collectionIds: [7, 8] })).toMatchObject({
    type: 'MULTI_COLLECTION',
    apiCollectionIds: [7, 8],
  })
  const endpoint = { apiCollectionId: 7, method: 'GET', url: '/a' } as const
  expect(startRequest({ ...emptyPlan, collectionIds: [7], endpoints: [endpoint] })).toMatchObject({
    type: 'CUSTOM',
    apiInfoKeyList: [endpoint],
  })
})

test('is restored as chosen', () => {
  expect(
    startRequest({ ...emptyPlan, rhythm: 'weekly', starts: '2027-01-15T09:00', timeZone: 'Europe/Berlin' }),
  ).toMatchObject({
    recurringWeekly: true,
    recurringDaily: false,
    continuousTesting: false,
    startTimestamp: 1_800_000_000,
    scheduleTimeZone: 'Europe/Berlin',
  })
})

test('names what is missing', () => {
  expect(obstacles(emptyPlan)).toHaveLength(2)
  const full = { ...emptyPlan, collectionIds: [7], testIds: new Set(['A']) }
  expect(obstacles(full)).toEqual([])
  expect(obstacles({ ...full, overrideUrl: 'shop.test' })).toHaveLength(1)
})
