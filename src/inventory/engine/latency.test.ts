import { beforeEach, expect, test } from 'vitest'
import { AT, sample, testEngines } from '../../../test/engine-fixture.ts'
import { nowSeconds } from '../../kit/index.ts'
import { createManualCollection } from '../collections/index.ts'
import type { InventoryEngine } from './engine.ts'

const engines = testEngines()
const ROOMS = 'amber birch cedar daisy elmwood fernhill grove hazel iris jasmine'.split(' ')
let engine: InventoryEngine
let collectionId: number

beforeEach(async () => {
  engine = await engines.open()
  collectionId = (await createManualCollection(engines.store.pool, 'rooms', AT)).id
})

let at = AT

async function send(calls: readonly { path: string; durationMs?: unknown; at?: number }[]): Promise<void> {
  const batchData = calls.map(({ durationMs, ...call }) => ({ ...sample({ at: at++, ...call }), durationMs }))
  const bytes = new TextEncoder().encode(JSON.stringify({ batchData }))
  const outcome = await engine.ingest(bytes, { collectionId }, 'OTHER')
  expect(outcome.accepted).toBe(calls.length)
  await engine.flush()
}

/** Latencies by path, of endpoints that are shown: [median, 95th percentile]. */
async function latencies(): Promise<Record<string, [number, number]>> {
  const { rows } = await engines.store.pool.query<{ url: string; p50: number; p95: number }>(
    `SELECT url, latency_p50 AS p50, latency_p95 AS p95 FROM endpoints
     WHERE collection_id = $1 AND is_listed ORDER BY url`,
    [collectionId],
  )
  return Object.fromEntries(
    rows.map(({ url, p50, p95 }) => [url.replace(/^https?:\/\/[^/]*/, ''), [p50, p95]]),
  )
}

/** Durations that fall into the bucket of 90.5 to 128 ms, and of 1024 to 1448 ms. */
const [QUICK, SLOW] = [100, 1_200]

test('calls with a duration, as a number or text, make the latency of their endpoint; others count without one', async () => {
  const durations = [...Array.from({ length: 18 }, () => QUICK), String(SLOW), '1199.5']
  await send([
    ...durations.map((durationMs) => ({ path: '/orders', durationMs })),
    ...['soon', -1, '', null, undefined, 1e12].map((durationMs) => ({ path: '/orders', durationMs })),
    { path: '/silent' },
  ])
  const { '/orders': orders, '/silent': silent } = await latencies()
  expect(orders![0]).toBeGreaterThanOrEqual(90)
  expect(orders![0]).toBeLessThanOrEqual(128)
  expect(orders![1]).toBeGreaterThanOrEqual(1_024)
  expect(orders![1]).toBeLessThanOrEqual(1_449)
  expect(silent).toEqual([-1, -1])
  const { rows } = await engines.store.pool.query<{ calls: number; rows: number }>(
    'SELECT sum(count)::bigint AS calls, count(*) AS rows FROM endpoint_durations',
  )
  expect(rows).toEqual([{ calls: 20, rows: 2 }])
})

test('the latency is that of the day up to the latest call, in whatever order calls arrive', async () => {
  const [old, young] = [AT, AT + 30 * 3_600]
  await send(Array.from({ length: 5 }, (_, i) => ({ path: '/orders', durationMs: QUICK, at: young + i })))
  await send(Array.from({ length: 50 }, (_, i) => ({ path: '/orders', durationMs: SLOW, at: old + i })))
  expect((await latencies())['/orders']![1]).toBeLessThanOrEqual(128)
})

test('calls of a sender whose clock is years ahead do not hide those of today', async () => {
  const now = nowSeconds()
  await send([{ path: '/orders', durationMs: SLOW, at: now + 5 * 365 * 86_400 }])
  await send(Array.from({ length: 20 }, (_, i) => ({ path: '/orders', durationMs: QUICK, at: now - i })))
  expect((await latencies())['/orders']![1]).toBeLessThanOrEqual(128)
})

test('a template has the durations of its members, and what leaves it keeps its own', async () => {
  await send([{ path: '/rooms/lobby', durationMs: SLOW }])
  await send(ROOMS.map((room) => ({ path: `/rooms/${room}`, durationMs: QUICK })))
  const merged = await latencies()
  expect(Object.keys(merged)).toEqual(['/rooms/STRING'])
  expect(merged['/rooms/STRING']![1]).toBeGreaterThan(1_000)
  const { rows } = await engines.store.pool.query<{ url: string }>(
    "SELECT url FROM endpoints WHERE url LIKE '%/rooms/lobby'",
  )
  await engine.decide({ kind: 'PIN', collectionId, url: rows[0]!.url, decidedBy: 'ann@mail.example' })
  const pinned = await latencies()
  expect(Object.keys(pinned)).toEqual(['/rooms/STRING', '/rooms/lobby'])
  expect(pinned['/rooms/lobby']![0]).toBeGreaterThan(1_000)
  expect(pinned['/rooms/STRING']![1]).toBeLessThanOrEqual(128)
})

test('durations that another engine left behind are added', async () => {
  const batchData = [{ ...sample({ path: '/orders', at: at++ }), durationMs: 100 }]
  await engine.ingest(new TextEncoder().encode(JSON.stringify({ batchData })), { collectionId }, 'OTHER')
  const { rows } = await engines.store.pool.query<{ payload: string }>(
    "SELECT payload FROM pending_tallies WHERE tier = 'DETAILS'",
  )
  expect(JSON.parse(rows[0]!.payload).durations).toEqual([
    [expect.any(Number), Math.floor((at - 1) / 3600), 14, 1],
  ])
  await engines.store.pool.query(
    `INSERT INTO pending_tallies (writer, tier, written_at, payload)
     SELECT 'dead', tier, written_at, payload FROM pending_tallies`,
  )
  await engine.flush()
  await engines.open()
  const calls = async () =>
    (
      await engines.store.pool.query<{ calls: number }>(
        'SELECT sum(count)::bigint AS calls FROM endpoint_durations',
      )
    ).rows[0]!.calls
  await expect.poll(calls, { timeout: 60_000 }).toBe(2)
  expect((await latencies())['/orders']![0]).toBeGreaterThan(90)
})
