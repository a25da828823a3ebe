import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { startedRun } from '../../../test/test-results.ts'
import type { Store } from '../../store/index.ts'
import {
  claimShard,
  finishShard,
  giveBackShard,
  giveBackShards,
  keepShards,
  nextStage,
  storeShards,
} from './shards.ts'

const NOW = 1_795_000_000
const SILENT = 10

let opened: Awaited<ReturnType<typeof openTestStore>>
let store: Store
let summaryId = ''

const claim = (worker: string, at = NOW, but: string[] = []) =>
  claimShard(store, { worker, but, silentSeconds: SILENT }, at)
const numberOf = async (shard: ReturnType<typeof claim>) => (await shard)?.number ?? null

beforeAll(async () => {
  opened = await openTestStore()
  store = opened.store
  ;({ summaryId } = await startedRun(store))
  const pairs = [{ collectionId: 1, method: 'GET', url: '/a', testIds: ['X'] }]
  expect(
    await storeShards(
      store,
      summaryId,
      [0, 0, 1].map((stage) => ({ stage, pairs })),
    ),
  ).toBe(true)
  expect(await storeShards(store, summaryId, [])).toBe(false)
})
afterAll(() => opened.close())

test('each shard goes to one process, and those of a later stage to nobody yet', async () => {
  expect(await claim('a')).toMatchObject({ summaryId, number: 0, pairs: [{ url: '/a', testIds: ['X'] }] })
  expect(await numberOf(claim('b', NOW, [summaryId]))).toBe(null)
  expect(await numberOf(claim('b'))).toBe(1)
  expect(await claim('c')).toBe(null)
})

test('a shard whose process is silent goes to another, and the first one hears of it', async () => {
  await keepShards(store, summaryId, 'b', [1], SILENT, NOW + 8)
  expect(await numberOf(claim('c', NOW + SILENT))).toBe(null)
  expect(await numberOf(claim('c', NOW + SILENT + 1))).toBe(0)
  const heard = await keepShards(store, summaryId, 'a', [0], SILENT, NOW + SILENT + 1)
  expect(heard).toMatchObject({ isRunning: true, processes: 2 })
  expect([...heard.kept]).toEqual([])
})

test('what is given back is taken at once, but not from a process that took it over', async () => {
  await giveBackShard(store, { summaryId, number: 0 }, 'a')
  expect(await claim('d', NOW + 12)).toBe(null)
  await giveBackShards(store, 'c')
  expect(await numberOf(claim('d', NOW + 12))).toBe(0)
})

test('the next stage begins when the one before is done', async () => {
  await finishShard(store, { summaryId, number: 0 }, NOW + 13)
  await nextStage(store, summaryId)
  expect(await claim('a', NOW + 13)).toBe(null)
  await finishShard(store, { summaryId, number: 1 }, NOW + 13)
  await nextStage(store, summaryId)
  expect(await numberOf(claim('a', NOW + 13))).toBe(2)
})
