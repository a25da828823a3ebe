import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { startedRun } from '../../../test/test-results.ts'
import type { Store } from '../../store/index.ts'
import { giveBackRequests, shareRequests } from './run-workers.ts'

const NOW = 1_795_000_000
const SILENT = 10

let opened: Awaited<ReturnType<typeof openTestStore>>
let store: Store

const share = async (
  summaryId: string,
  worker: string,
  { held = 0, isOpen = true, limit = 8, at = NOW } = {},
): Promise<number> =>
  shareRequests(store, { summaryId, worker, isOpen, held }, { limit, silentSeconds: SILENT }, at)

beforeAll(async () => {
  opened = await openTestStore()
  store = opened.store
})
afterAll(() => opened.close())

test('a process that is still opening takes one request of those that work, and its share when it works', async () => {
  const { summaryId } = await startedRun(store)
  expect(await share(summaryId, 'a')).toBe(8)
  expect(await share(summaryId, 'b', { isOpen: false })).toBe(0)
  expect(await share(summaryId, 'a', { held: 8 })).toBe(7)
  expect(await share(summaryId, 'b', { isOpen: false })).toBe(0)
  expect(await share(summaryId, 'a', { held: 7 })).toBe(7)
  expect(await share(summaryId, 'b', { isOpen: false })).toBe(1)
  expect(await share(summaryId, 'b', { held: 1 })).toBe(1)
  expect(await share(summaryId, 'a', { held: 7 })).toBe(4)
  // Two of its requests are still under way.
  expect(await share(summaryId, 'a', { held: 6 })).toBe(4)
  expect(await share(summaryId, 'b', { held: 1 })).toBe(2)
  expect(await share(summaryId, 'a', { held: 4 })).toBe(4)
  expect(await share(summaryId, 'b', { held: 2 })).toBe(4)
})

test('of more processes than requests only as many may send', async () => {
  const { summaryId } = await startedRun(store)
  expect(await share(summaryId, 'a', { limit: 1 })).toBe(1)
  expect(await share(summaryId, 'b', { limit: 1 })).toBe(0)
  expect(await share(summaryId, 'a', { limit: 1, held: 1 })).toBe(1)
  await giveBackRequests(store, 'a', summaryId)
  expect(await share(summaryId, 'b', { limit: 1 })).toBe(1)
})

test('the share of a process without a heartbeat goes to the others', async () => {
  const { summaryId } = await startedRun(store)
  expect(await share(summaryId, 'a')).toBe(8)
  expect(await share(summaryId, 'b', { at: NOW + SILENT })).toBe(0)
  expect(await share(summaryId, 'b', { at: NOW + SILENT + 1 })).toBe(8)
})
