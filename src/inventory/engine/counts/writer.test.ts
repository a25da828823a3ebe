import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

test('a writer that ends during its heartbeat stays removed', async () => {
  const { store } = opened
  const asked: string[] = []
  const held = Promise.withResolvers<void>()
  const query = async (text: string, values: unknown[]) => {
    asked.push(text)
    if (text.includes('ON CONFLICT')) await held.promise
    return store.pool.query(text, values)
  }
  const pool = { query, connect: () => store.pool.connect() } as unknown as typeof store.pool
  const writer = new Writer({ ...store, pool })
  await writer.begin()
  const beating = writer.beat()
  await vi.waitFor(() => expect(asked.at(-1)).toContain('ON CONFLICT'))
  const ending = writer.end()
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked.filter((text) => text.includes('WHERE id = $1'))).toEqual([])
  held.resolve()
  await Promise.all([beating, ending])
  const { rows } = await store.pool.query('SELECT id FROM writers WHERE id = $1', [writer.id])
  expect(rows).toEqual([])
})
