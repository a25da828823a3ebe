import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import type { AggregationRule } from '../filters/filter.ts'
import { countWindows, type WindowTouch } from './count-windows.ts'
import { tidyWindows } from './tidy-windows.ts'
import { WindowRoom } from './window-room.ts'

const NOW = 1_795_000_000
const RULE: AggregationRule = {
  name: 'rule 1',
  matchCount: 5,
  windowMinutes: 5,
  countedPart: null,
  firingPart: null,
  distinct: null,
  scope: 'actor',
}

let store: Store
let closeStore: () => Promise<void>

beforeAll(async () => {
  const opened = await openTestStore()
  store = opened.store
  closeStore = opened.close
})

afterAll(() => closeStore())

beforeEach(async () => {
  await store.pool.query('DELETE FROM threat_windows; DELETE FROM threat_window_log')
})

function touch(more: Partial<WindowTouch<number>> = {}): WindowTouch<number> {
  return {
    filterId: 'BruteForce',
    rule: RULE,
    actor: '203.0.113.9',
    endpoint: '',
    at: NOW,
    counts: true,
    mayFire: true,
    value: null,
    message: 0,
    ...more,
  }
}

function count(touches: readonly WindowTouch<number>[], room = new WindowRoom(), now = NOW) {
  return usingTransaction(store.pool, (client) => countWindows(client, touches, room, now))
}

const times = (n: number, more: Partial<WindowTouch<number>> = {}) =>
  Array.from({ length: n }, (_, message) => touch({ message, ...more }))

async function rows(): Promise<number> {
  const { rows } = await store.pool.query<{ n: number }>('SELECT count(*)::integer AS n FROM threat_windows')
  return rows[0]!.n
}

describe('counters in the store', () => {
  test('go on from what earlier transactions counted', async () => {
    expect((await count(times(3))).fired).toEqual([])
    const { fired } = await count(times(3))
    expect(fired).toHaveLength(1)
    expect(fired[0]).toMatchObject({ touch: { message: 1 }, firing: { count: 5, firstAt: NOW, lastAt: NOW } })
  })

  test('count for each actor, and for each endpoint where the rule asks', async () => {
    const touches = ['a', 'b', 'c', 'd', 'e'].map((actor) => touch({ actor }))
    expect((await count(touches)).fired).toEqual([])
    expect((await count(times(5, { actor: '', endpoint: 'GET 1 /login' }))).fired).toHaveLength(1)
    expect(await rows()).toBe(6)
  })

  test('keep every rule of a filter to itself', async () => {
    const slow = { ...RULE, name: 'slow', matchCount: 8, windowMinutes: 60 }
    const both = times(7).flatMap((one) => [one, { ...one, rule: slow }])
    const { fired } = await count(both)
    expect(fired.map(({ touch }) => touch.rule.name)).toEqual(['rule 1'])
  })

  test('give the messages of one event one refId, and the next event another', async () => {
    const first = await count(times(3))
    const second = await count(times(2))
    const refs = new Set([...first.references, ...second.references].map(({ refId }) => refId))
    expect([...refs]).toEqual([second.fired[0]!.refId])
    const later = await count(times(5, { at: NOW + 600 }), new WindowRoom(), NOW + 600)
    expect(later.fired).toHaveLength(1)
    expect(later.fired[0]!.refId).not.toBe(second.fired[0]!.refId)
  })

  test('forget nothing and fire once when transactions meet', async () => {
    const room = new WindowRoom()
    const spread = Array.from({ length: 8 }, (_, i) =>
      count(
        ['x', 'y', 'z'].flatMap((actor) =>
          times(5, { actor, rule: { ...RULE, matchCount: 40 }, message: i }),
        ),
        room,
      ),
    )
    const fired = (await Promise.all(spread)).flatMap((one) => one.fired)
    expect(fired.map(({ touch }) => touch.actor).sort()).toEqual(['x', 'y', 'z'])
    expect(fired.every(({ firing }) => firing.count === 40)).toBe(true)
  })

  test('leave nothing of a transaction that was rolled back', async () => {
    const failing = usingTransaction(store.pool, async (client) => {
      await countWindows(client, times(4), new WindowRoom(), NOW)
      throw new Error('the disk is full')
    })
    await expect(failing).rejects.toThrow('the disk is full')
    expect((await count(times(4))).fired).toEqual([])
  })

  test('are limited: without room strangers wait, those that come again take the place of idle ones', async () => {
    const room = new WindowRoom(3)
    await count(
      ['a', 'b', 'c'].map((actor) => touch({ actor })),
      room,
    )
    await count(times(3, { actor: 'c' }), room)
    await count([touch({ actor: 'd' })], room)
    expect(room.refused).toBe(1)
    await count([touch({ actor: 'd' })], room)
    await count([touch({ actor: 'd' })], room)
    expect(room.evicted).toBe(1)
    expect(await rows()).toBe(3)
    // The one that is more than half full stayed.
    expect((await count([touch({ actor: 'c' })], room)).fired).toHaveLength(1)
  })

  test('are removed with the messages kept for them when they mean nothing any more', async () => {
    const { references } = await count(times(3))
    const { refId } = references[0]!
    await store.pool.query(
      `INSERT INTO threat_messages (id, ref_id, at, message, evidence) VALUES (gen_random_uuid(), $1, $2, '{}', '{}')`,
      [refId, NOW],
    )
    expect(await tidyWindows(store, NOW + 60)).toBe(0)
    expect(await tidyWindows(store, NOW + 3600)).toBe(1)
    const { rowCount } = await store.pool.query('SELECT FROM threat_messages WHERE ref_id = $1', [refId])
    expect(rowCount).toBe(0)
  })
})

describe('counters of many different values', () => {
  const rule: AggregationRule = {
    ...RULE,
    matchCount: 40,
    distinct: { count: 40, source: 'url', key: '' },
  }
  const reads = (from: number, to: number, more: Partial<WindowTouch<number>> = {}) =>
    Array.from({ length: to - from }, (_, i) => touch({ rule, value: from + i, message: from + i, ...more }))

  test('have no row before they are half full, and fire exactly where they are full', async () => {
    const room = new WindowRoom()
    await count(reads(0, 19), room)
    await count(reads(0, 19), room)
    expect(await rows()).toBe(0)
    await count(reads(10, 30), room)
    expect(await rows()).toBe(1)
    expect((await count(reads(0, 39), room)).fired).toEqual([])
    const { fired } = await count(reads(39, 45), room)
    expect(fired).toMatchObject([{ touch: { message: 39 }, firing: { values: 40 } }])
    expect((await count(reads(45, 90), room)).fired).toEqual([])
  })

  test('are remembered over a restart, on which side of the half they are', async () => {
    await count(reads(0, 15))
    await count(reads(15, 25))
    expect(await rows()).toBe(1)
    expect((await count(reads(25, 39))).fired).toEqual([])
    expect((await count(reads(39, 40))).fired).toHaveLength(1)
  })

  test('go on in their row after a restart when what was staged is over', async () => {
    await count(reads(0, 20))
    await count(reads(20, 35, { at: NOW + 240 }), new WindowRoom(), NOW + 240)
    // The first twenty are over now; fifteen and twenty-five are forty.
    await count(reads(40, 64, { at: NOW + 360 }), new WindowRoom(), NOW + 360)
    expect((await count(reads(64, 65, { at: NOW + 360 }), new WindowRoom(), NOW + 360)).fired).toHaveLength(1)
  })

  test('forget values that slid out of the window', async () => {
    const room = new WindowRoom()
    await count(reads(0, 15), room)
    await count(reads(15, 30, { at: NOW + 900 }), room, NOW + 900)
    expect(await rows()).toBe(0)
    await count(reads(30, 40, { at: NOW + 900 }), room, NOW + 900)
    expect((await count(reads(40, 54, { at: NOW + 900 }), room, NOW + 900)).fired).toEqual([])
    expect((await count(reads(54, 55, { at: NOW + 900 }), room, NOW + 900)).fired).toHaveLength(1)
  })

  test('keep nothing of a transaction that was tried again', async () => {
    const room = new WindowRoom()
    const failing = usingTransaction(store.pool, async (client) => {
      await countWindows(client, reads(0, 25), room, NOW)
      throw new Error('deadlock')
    })
    await expect(failing).rejects.toThrow('deadlock')
    await count(reads(0, 25), room)
    expect((await count(reads(0, 39), room)).fired).toEqual([])
    expect((await count(reads(39, 40), room)).fired).toHaveLength(1)
  })
})
