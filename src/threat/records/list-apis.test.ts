import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import { countActors, countActorsByCountry } from '../actors/count-actors.ts'
import { listActors } from '../actors/list-actors.ts'
import type { EventWindow } from './event-window.ts'
import { type ApiPage, listApis } from './list-apis.ts'
import { actorChoices, eventChoices } from './list-choices.ts'
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

/**
 * 1,700 events of 9 days at 40 endpoints by 25 actors: some meet often, some once, and some are back after days. Each
 * third endpoint is of another host and collection, one of them of two.
 */
function manyEvents(): NewEvent[] {
  let state = 17
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  return Array.from({ length: 1_700 }, (_, i) => {
    const endpoint = Math.min(next(40), next(40))
    const actor = `203.0.113.${endpoint % 3 === 0 ? next(25) : next(4)}`
    const other = endpoint % 3 === 1
    return {
      id: eventId(`ranked ${i}`, 'SQLInjection', ''),
      refId: eventId(`ranked ${i}`, 'SQLInjection', ''),
      filterId: 'SQLInjection',
      category: 'SQL_INJECTION',
      subCategory: 'SQL_INJECTION',
      severity: i % 3 === 0 ? 'HIGH' : 'LOW',
      type: 'Rule-Based',
      eventType: 'SINGLE',
      label: 'threat',
      status: 'ACTIVE',
      isSuccessfulExploit: false,
      actor,
      ip: actor,
      country: actor.endsWith('2') && i % 2 === 0 ? 'DE' : 'US',
      destCountry: '',
      collectionId: endpoint === 4 && i % 2 === 0 ? 9 : other ? 8 : 7,
      host: other ? 'news.test' : 'shop.test',
      method: 'GET',
      url: `/e${endpoint}?n=${i}`,
      detectedAt: START + next(9 * DAY),
      messages: [],
    }
  })
}

/** What a caller may see, and whether it is whole endpoints. */
const CALLERS: readonly (readonly [visible: number[] | null, isWhole: boolean])[] = [
  [null, true],
  [[7], true],
  [[8, 9], true],
  [[8], false],
  [[5], true],
]

/** The same page, counted from the events themselves. */
async function counted(
  window: EventWindow,
  page: ApiPage,
  [visible, isWhole]: (typeof CALLERS)[number],
): Promise<{ path: string; events: number; actors: number }[]> {
  const column = { discoveredAt: 'first', requestsCount: 'events', actorsCount: 'actors' }[page.sort]
  const { rows } = await store.pool.query<{ path: string; events: number; actors: number }>(
    `SELECT p.path, count(*)::integer AS events, count(DISTINCT e.actor_id)::integer AS actors,
       ${isWhole ? 'p.first_seen' : 'min(e.detected_at)'} AS first
     FROM threat_events e JOIN threat_apis p ON p.id = e.api_id JOIN threat_facets f ON f.id = e.facet_id
     WHERE e.detected_at BETWEEN $1 AND $2 AND ($5::integer[] IS NULL OR f.collection_id = ANY ($5))
     GROUP BY p.id ORDER BY ${column} ${page.isAscending ? 'ASC' : 'DESC'}, p.path, p.method, p.host
     OFFSET $3 LIMIT $4`,
    [window.from, window.to, page.skip, page.limit, visible],
  )
  return rows.map(({ path, events, actors }) => ({ path, events, actors }))
}

const WINDOWS: readonly (readonly [string, EventWindow])[] = [
  ['all times', { from: 0, to: OPEN_END }],
  ['from the morning of a day on', { from: START + 3.4 * DAY, to: OPEN_END }],
  ['from the evening of a day on', { from: START + 2.8 * DAY, to: OPEN_END }],
  ['from midnight on', { from: START + 5 * DAY, to: OPEN_END }],
  ['some days of the past', { from: START + 2.3 * DAY, to: START + 5.6 * DAY }],
  ['an hour of the past', { from: START + 4 * DAY, to: START + 4 * DAY + 3599 }],
  ['a time without events', { from: START - 9 * DAY, to: START - DAY }],
]

const PAGES: readonly ApiPage[] = (['actorsCount', 'requestsCount', 'discoveredAt'] as const).flatMap(
  (sort) =>
    [true, false].flatMap((isAscending) =>
      (
        [
          [0, 5],
          [3, 7],
          [0, 100],
          [38, 5],
        ] as const
      ).map(([skip, limit]) => ({ sort, isAscending, skip, limit })),
    ),
)

for (const [name, window] of WINDOWS) {
  test(`lists of endpoints under attack are those of the events, in every order, for every caller: ${name}`, async () => {
    for (const caller of CALLERS) {
      for (const page of PAGES) {
        const { apis, total } = await listApis(store.pool, { visible: caller[0], window }, page)
        const found = apis.map(({ path, events, actors }) => ({ path, events, actors }))
        const what = `${JSON.stringify(page)} ${JSON.stringify(caller)}`
        expect(found, what).toEqual(await counted(window, page, caller))
        const all = await counted(window, { ...page, skip: 0, limit: 1000 }, caller)
        expect(total, what).toBe(all.length)
      }
    }
  })
}

const EVENTS = `SELECT e.*, a.actor, f.host, k.severity_rank >= 3 AS is_severe, detected_at / 86400 AS day
  FROM threat_events e JOIN threat_actors a ON a.id = e.actor_id JOIN threat_facets f ON f.id = e.facet_id
  JOIN threat_kinds k ON k.id = f.kind_id
  WHERE e.detected_at BETWEEN $1 AND $2 AND ($3::integer[] IS NULL OR f.collection_id = ANY ($3))`

for (const [name, window] of WINDOWS) {
  test(`charts of actors and what can be chosen are those of the events that a caller may see: ${name}`, async () => {
    for (const [visible] of CALLERS) {
      const from = async <T>(columns: string): Promise<T[]> => {
        const values = [window.from, window.to, visible]
        return (await store.pool.query(`SELECT ${columns.replace('events', `(${EVENTS}) x`)}`, values))
          .rows as T[]
      }
      const list = async (column: string): Promise<string[]> =>
        (await from<{ v: string }>(`DISTINCT ${column} AS v FROM events ORDER BY 1 LIMIT 1000`)).map(
          ({ v }) => v,
        )
      const filter = { visible, window }
      expect(await countActorsByCountry(store.pool, filter)).toEqual(
        await from('country, count(DISTINCT actor) AS count FROM events GROUP BY 1 ORDER BY 2 DESC, 1'),
      )
      const distinct = `(count(DISTINCT actor))::integer AS actors,
        (count(DISTINCT actor) FILTER (WHERE is_severe))::integer AS severe FROM events`
      const [all] = await from<{ actors: number; severe: number }>(distinct)
      expect(await countActors(store.pool, filter)).toEqual({
        days: await from(`day, ${distinct} GROUP BY 1 ORDER BY 1`),
        totals: { active: all!.actors, severe: all!.severe },
      })
      const page = { sort: 'lastSeen', isAscending: true, skip: 0, limit: 100 } as const
      const listed = await listActors(store.pool, filter, page)
      expect(new Set(listed.actors.map(({ actor }) => actor))).toEqual(new Set(await list('actor')))
      expect(listed.total).toBe(all!.actors)
      const { urls, hosts } = await eventChoices(store.pool, visible, window)
      expect(urls).toEqual(await list('url'))
      expect(hosts).toEqual(await list('host'))
    }
  })
}

test('countries to choose from are those of the events that a caller may see', async () => {
  for (const [visible] of CALLERS.slice(1)) {
    const { rows } = await store.pool.query<{ country: string }>(
      `SELECT DISTINCT country FROM (${EVENTS}) x ORDER BY 1`,
      [0, OPEN_END, visible],
    )
    const { countries } = await actorChoices(store.pool, visible)
    expect(countries).toEqual(rows.map(({ country }) => country))
  }
})

test.each([61, 62, 200, 400])('actors are counted by day over %d days and more', async (span) => {
  const visible = [1_000 + span]
  const days = [0, 30, 31, 60, 61, 62, 92, 93, 123, 124, span, span].filter((day) => day <= span)
  const [first] = manyEvents()
  const events = days.map((day, i): NewEvent => {
    const id = eventId(`spread ${span} ${i}`, 'SQLInjection', '')
    return {
      ...{ ...first!, id, refId: id, collectionId: visible[0]!, detectedAt: START + day * DAY + i },
      ...{ actor: `198.51.100.${i % 3}`, severity: i % 4 === 1 ? 'CRITICAL' : 'LOW' },
    }
  })
  await usingTransaction(store.pool, (client) => storeEvents(client, events))
  const found = await countActors(store.pool, { visible, window: { from: 0, to: OPEN_END } })
  const distinct = (list: readonly NewEvent[]): number => new Set(list.map(({ actor }) => actor)).size
  const isSevere = ({ severity }: NewEvent): boolean => severity === 'CRITICAL'
  expect(found).toEqual({
    days: [...new Set(days)].map((day) => {
      const ofDay = events.filter((_, i) => days[i] === day)
      return { day: START / DAY + day, actors: distinct(ofDay), severe: distinct(ofDay.filter(isSevere)) }
    }),
    totals: { active: distinct(events), severe: distinct(events.filter(isSevere)) },
  })
})
