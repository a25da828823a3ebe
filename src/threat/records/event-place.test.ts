import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import { listActors } from '../actors/list-actors.ts'
import { listApis } from './list-apis.ts'
import { listEvents } from './list-events.ts'
import { eventId, type NewEvent } from './new-event.ts'
import { storeEvents } from './store-events.ts'

const NOW = 1_769_860_800
const ALWAYS = { from: 0, to: 0x7fffffff }

let store: Store
let close: () => Promise<void>

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
  const events = [
    ['203.0.113.1', 7, '/orders?n=1'],
    ['203.0.113.1', 7, '/orders?n=2'],
    ['203.0.113.2', 8, '/orders/7'],
  ] as const
  const stored = events.map(([actor, collectionId, url]) => eventOf(actor, collectionId, url))
  await usingTransaction(store.pool, (client) => storeEvents(client, stored))
})
afterAll(() => close())

function eventOf(actor: string, collectionId: number, url: string): NewEvent {
  return {
    id: eventId(url, 'SQLInjection', ''),
    refId: eventId(url, 'SQLInjection', ''),
    filterId: 'SQLInjection',
    category: 'SQL_INJECTION',
    subCategory: 'SQL_INJECTION',
    severity: 'HIGH',
    type: 'Rule-Based',
    eventType: 'SINGLE',
    label: 'threat',
    status: 'ACTIVE',
    isSuccessfulExploit: false,
    actor,
    ip: actor,
    country: 'US',
    destCountry: '',
    collectionId,
    host: 'shop.test',
    method: 'GET',
    url,
    detectedAt: NOW,
    messages: [],
  }
}

test('an endpoint under attack leads to its events', async () => {
  const { apis } = await listApis(
    store.pool,
    { visible: null, window: ALWAYS },
    { sort: 'requestsCount', isAscending: false, skip: 0, limit: 10 },
  )
  expect(apis.map(({ path, events }) => [path, events])).toEqual([
    ['/orders', 2],
    ['/orders/7', 1],
  ])
  const page = { sort: 'detectedAt', isAscending: false, skip: 0, limit: 10 } as const
  for (const { path, method, host, events } of apis) {
    const filter = { visible: null, window: ALWAYS, paths: [path], methods: [method], hosts: [host] }
    expect([path, (await listEvents(store.pool, filter, page)).total]).toEqual([path, events])
  }
  const none = { visible: null, window: ALWAYS, paths: ['/nothing'] }
  expect((await listEvents(store.pool, none, page)).total).toBe(0)
})

test('actors are listed by status, and one whose time is over is active', async () => {
  const listed = async (status: string, visible: number[] | null, now: number) => {
    const filter = { visible, window: ALWAYS, statuses: [status] }
    const page = { sort: 'lastSeen', isAscending: true, skip: 0, limit: 10 } as const
    const { actors, total } = await listActors(store.pool, filter, page, now)
    expect(total).toBe(actors.length)
    return actors.map(({ actor }) => actor)
  }
  await store.pool.query(
    `UPDATE threat_actors SET status = 'blocked', status_until = $1 WHERE actor = '203.0.113.1'`,
    [NOW + 60],
  )
  expect(await listed('blocked', null, NOW)).toEqual(['203.0.113.1'])
  expect(await listed('active', null, NOW)).toEqual(['203.0.113.2'])
  expect(await listed('blocked', [7], NOW)).toEqual(['203.0.113.1'])
  expect(await listed('blocked', [8], NOW)).toEqual([])
  expect(await listed('active', [8], NOW)).toEqual(['203.0.113.2'])
  expect(await listed('blocked', null, NOW + 61)).toEqual([])
  expect(await listed('active', [7], NOW + 61)).toEqual(['203.0.113.1'])
})
