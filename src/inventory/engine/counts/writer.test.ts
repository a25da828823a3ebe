import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../../test/store-fixture.ts'
import { nowSeconds } from '../../../kit/index.ts'
import { Writer } from './writer.ts'

type TestStore = Awaited<ReturnType<typeof openTestStore>>
let opened: TestStore
beforeAll(async () => {
  opened = await openTestStore()
})
afterAll(() => opened.close())

test('a writer says that it lives, and forgets those that stopped a day ago and left nothing', async () => {
  const { store } = opened
  const now = nowSeconds()
  const seen = async () =>
    (await store.pool.query<{ id: string; seenAt: number }>('SELECT id, seen_at AS "seenAt" FROM writers'))
      .rows
  await store.pool.query('INSERT INTO writers (id, started_at, seen_at) VALUES ($1, $2, $2), ($3, $4, $4)', [
    'gone',
    now - 200_000,
    'silent',
    now - 3_600,
  ])
  const writer = new Writer(store)
  await writer.beat(now)
  expect((await seen()).map(({ id }) => id).sort()).toEqual(['gone', 'silent'])
  await writer.begin()
  await writer.beat(now + 50)
  const after = new Map((await seen()).map(({ id, seenAt }) => [id, seenAt]))
  expect([...after.keys()].sort()).toEqual(['silent', writer.id].sort())
  expect(after.get(writer.id)).toBe(now + 50)
  await writer.end()
  expect((await seen()).map(({ id }) => id)).toEqual(['silent'])
})
