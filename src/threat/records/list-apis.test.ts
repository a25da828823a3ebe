import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import type { EventWindow } from './event-window.ts'
import { type ApiPage, listApis } from './list-apis.ts'
import { eventId, type NewEvent } from './new-event.ts'
import { storeEvents } from './store-events.ts'

const DAY = 86_400
const START = 1_769_860_800 - (1_769_860_800 % DAY)
const OPEN_END = 0x7fffffff

let store: Store
let close: () => Promise<void>

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
  await usingTransaction(store.pool, (client) => storeEvents(client, manyEvents()))
})
afterAll(() => close())

/** 900 events of 9 days at 40 endpoints by 25 actors: some meet often, some once, and some are back after days. */
function manyEvents(): NewEvent[] {
  let state = 17
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  return Array.from({ length: 900 }, (_, i) => {
    const endpoint = Math.min(next(40), next(40))
    const actor = `203.0.113.${endpoint % 3 === 0 ? next(25) : next(4)}`
    return {
      id: eventId(`ranked ${i}`, 'SQLInjection', ''),
      refId: eventId(`ranked ${i}`, 'SQLInjection', ''),
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
      collectionId: 7,
      host: 'shop.test',
      method: 'GET',
      url: `/e${endpoint}`,
      detectedAt: START + next(9 * DAY),
      messages: [],
    }
  })
}

/** The same page, counted from the events themselves. */
async function counted(
  window: EventWindow,
  page: ApiPage,
): Promise<{ path: string; events: number; actors: number }[]> {
  const column = { discoveredAt: 'first', requestsCount: 'events', actorsCount: 'actors' }[page.sort]
  const { rows } = await store.pool.query<{ path: string; events: number; actors: number }>(
    `SELECT p.path, count(*)::integer AS events, count(DISTINCT e.actor_id)::integer AS actors, p.first_seen AS first
     FROM threat_events e JOIN threat_apis p ON p.id = e.api_id WHERE e.detected_at BETWEEN $1 AND $2
     GROUP BY p.id ORDER BY ${column} ${page.isAscending ? 'ASC' : 'DESC'}, p.path, p.method, p.host
     OFFSET $3 LIMIT $4`,
    [window.from, window.to, page.skip, page.limit],
  )
  return rows.map(({ path, events, actors }) => ({ path, events, actors }))
}

const WINDOWS: readonly (readonly [string, EventWindow])[] = [
  ['all times', { from: 0, to: OPEN_END }],
  ['from the middle of a day on', { from: START + 3.4 * DAY, to: OPEN_END }],
  ['some days of the past', { from: START + 2.3 * DAY, to: START + 5.6 * DAY }],
  ['an hour of the past', { from: START + 4 * DAY, to: START + 4 * DAY + 3599 }],
  ['a time without events', { from: START - 9 * DAY, to: START - DAY }],
]

for (const [name, window] of WINDOWS) {
  test(`lists of endpoints under attack are those of the events, in every order: ${name}`, async () => {
    for (const sort of ['actorsCount', 'requestsCount', 'discoveredAt'] as const) {
      for (const isAscending of [true, false]) {
        for (const [skip, limit] of [
          [0, 5],
          [3, 7],
          [0, 100],
          [38, 5],
        ] as const) {
          const page = { sort, isAscending, skip, limit }
          const { apis, total } = await listApis(store.pool, { visible: null, window }, page)
          const found = apis.map(({ path, events, actors }) => ({ path, events, actors }))
          expect(found, JSON.stringify(page)).toEqual(await counted(window, page))
          const all = await counted(window, { ...page, skip: 0, limit: 1000 })
          expect(total).toBe(all.length)
        }
      }
    }
  })
}
