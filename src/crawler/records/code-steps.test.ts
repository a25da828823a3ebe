import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import type { Store } from '../../store/index.ts'
import { takeCodeStep } from './index.ts'

let store: Store
let close: () => Promise<void>

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
})
afterAll(() => close())

test('nobody gets a time step of a secret that somebody had', async () => {
  const [one, other] = ['aa'.repeat(32), 'bb'.repeat(32)]
  expect(await takeCodeStep(store, one, 100)).toBe(100)
  const atOnce = await Promise.all([1, 2, 3].map(() => takeCodeStep(store, one, 100)))
  expect(atOnce.toSorted()).toEqual([101, 102, 103])
  expect(await takeCodeStep(store, one, 102)).toBe(104)
  expect(await takeCodeStep(store, one, 200)).toBe(200)
  expect(await takeCodeStep(store, other, 100)).toBe(100)
})

test('a clock that was set back locks nobody out', async () => {
  const digest = 'cc'.repeat(32)
  expect(await takeCodeStep(store, digest, 5000)).toBe(5000)
  expect(await takeCodeStep(store, digest, 1000)).toBe(1000)
  expect(await takeCodeStep(store, digest, 1000)).toBe(1001)
})

test('steps are forgotten after a day', async () => {
  const digest = 'dd'.repeat(32)
  await takeCodeStep(store, digest, 7, 1_000_000)
  await takeCodeStep(store, 'ee'.repeat(32), 7, 1_000_000 + 90_000)
  expect(await takeCodeStep(store, digest, 7, 1_000_000 + 90_000)).toBe(7)
})
