import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import type { Exchange } from '../../http/index.ts'
import { type Store, type StoreClient, usingTransaction } from '../../store/index.ts'
import { messagesOfEvents } from './messages.ts'
import { eventId, type NewEvent } from './new-event.ts'
import { storeEvents } from './store-events.ts'
import { addSuppression, listSuppressions } from './suppressions.ts'

const DAY = 86_400
const NOON = 1_769_860_800 - (1_769_860_800 % DAY) + DAY / 2

let store: Store
let close: () => Promise<void>

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
})
afterAll(() => close())
beforeEach(async () => {
  await inTransaction((client) => client.query('DELETE FROM threat_events'))
  await store.pool.query('DELETE FROM threat_suppressions; DELETE FROM threat_messages')
})

const inTransaction = <T>(work: (client: StoreClient) => Promise<T>): Promise<T> =>
  usingTransaction(store.pool, work)
const put = (...events: NewEvent[]) => inTransaction((client) => storeEvents(client, events))

const exchange: Exchange = {
  request: {
    method: 'GET',
    target: '/search?q=1',
    version: 'HTTP/1.1',
    headers: ['host', 'shop.test'],
    body: '',
  },
  response: { status: 200, reason: 'OK', headers: [], body: '{}' },
  at: NOON,
  clientIp: '203.0.113.9',
  serverIp: '',
  source: 'MIRRORING',
  direction: 1,
  vxlanId: 0,
}

let number = 0
function event(change: Partial<NewEvent> = {}): NewEvent {
  const id = eventId(`message ${number++}`, 'SQLInjection', '')
  return {
    id,
    refId: id,
    filterId: 'SQLInjection',
    category: 'SQL_INJECTION',
    subCategory: 'SQL_INJECTION',
    severity: 'HIGH',
    type: 'Rule-Based',
    eventType: 'SINGLE',
    label: 'threat',
    status: 'ACTIVE',
    isSuccessfulExploit: false,
    actor: '203.0.113.9',
    ip: '203.0.113.9',
    country: 'US',
    destCountry: '',
    collectionId: 7,
    host: 'shop.test',
    method: 'GET',
    url: '/search?q=1',
    detectedAt: NOON,
    messages: [{ exchange, evidence: [] }],
    ...change,
  }
}

/** Every figure that triggers keep, beside the same from the events themselves. */
const FIGURES = [
  [
    'SELECT day, facet_id, events FROM threat_daily_counts WHERE events <> 0 ORDER BY 1, 2',
    'SELECT detected_at / 86400 AS day, facet_id, count(*)::int AS events FROM threat_events GROUP BY 1, 2 ORDER BY 1, 2',
  ],
  [
    'SELECT day, kind_id, events FROM threat_daily_kinds WHERE events <> 0 ORDER BY 1, 2',
    `SELECT detected_at / 86400 AS day, kind_id, count(*)::int AS events
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id GROUP BY 1, 2 ORDER BY 1, 2`,
  ],
  [
    'SELECT hour, kind_id, events FROM threat_hourly_kinds WHERE events <> 0 ORDER BY 1, 2',
    `SELECT detected_at / 3600 AS hour, kind_id, count(*)::int AS events
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id GROUP BY 1, 2 ORDER BY 1, 2`,
  ],
  [
    'SELECT id, events, last_seen, last_severe_at FROM threat_actors WHERE events > 0 ORDER BY 1',
    `SELECT actor_id AS id, count(*)::int AS events, max(detected_at) AS last_seen,
       max(CASE WHEN severity_rank >= 3 THEN detected_at ELSE 0 END) AS last_severe_at
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id GROUP BY 1 ORDER BY 1`,
  ],
  [
    'SELECT actor_id, collection_id, filter_id, last_seen, events FROM threat_actor_traces ORDER BY 1, 2, 3',
    `SELECT actor_id, collection_id, filter_id, max(detected_at) AS last_seen, count(*)::int AS events
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  ],
  [
    'SELECT actor_id, country, last_seen, events FROM threat_actor_countries ORDER BY 1, 2',
    `SELECT actor_id, country, max(detected_at) AS last_seen, count(*)::int AS events
     FROM threat_events GROUP BY 1, 2 ORDER BY 1, 2`,
  ],
  [
    'SELECT day, actor_id, country, events, severe_events FROM threat_actor_days ORDER BY 1, 2, 3',
    `SELECT detected_at / 86400 AS day, actor_id, country, count(*)::int AS events,
       count(*) FILTER (WHERE severity_rank >= 3)::int AS severe_events
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  ],
  [
    'SELECT day, actors, severe_actors FROM threat_day_totals WHERE actors > 0 ORDER BY 1',
    `SELECT detected_at / 86400 AS day, count(DISTINCT actor_id)::int AS actors,
       (count(DISTINCT actor_id) FILTER (WHERE severity_rank >= 3))::int AS severe_actors
     FROM threat_events e JOIN threat_facets f ON f.id = e.facet_id JOIN threat_kinds k ON k.id = f.kind_id GROUP BY 1 ORDER BY 1`,
  ],
  [
    'SELECT id, events, actors, last_seen FROM threat_apis WHERE events > 0 ORDER BY 1',
    `SELECT api_id AS id, count(*)::int AS events, count(DISTINCT actor_id)::int AS actors,
       max(detected_at) AS last_seen FROM threat_events GROUP BY 1 ORDER BY 1`,
  ],
  [
    'SELECT day, api_id, events, last_actors FROM threat_api_days ORDER BY 1, 2',
    `SELECT detected_at / 86400 AS day, api_id, count(*)::int AS events,
       (count(*) FILTER (WHERE is_last))::int AS last_actors
     FROM (SELECT *, row_number() OVER (PARTITION BY api_id, actor_id ORDER BY detected_at DESC, id) = 1 AS is_last
       FROM threat_events) e GROUP BY 1, 2 ORDER BY 1, 2`,
  ],
] as const

async function expectTrueFigures(): Promise<void> {
  for (const [kept, counted] of FIGURES) {
    const { rows } = await store.pool.query(kept)
    const { rows: truth } = await store.pool.query(counted)
    expect(rows, kept).toEqual(truth)
  }
}

/** Events of several actors, days, filters and endpoints; the same every time. */
function crowd(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, i) =>
    event({
      actor: `203.0.113.${i % 5}`,
      country: ['US', 'DE', ''][i % 3]!,
      filterId: `Filter${i % 4}`,
      severity: (['HIGH', 'LOW', 'CRITICAL'] as const)[(i * 7) % 3]!,
      url: `/items/${i % 3}?n=${i}`,
      detectedAt: NOON + ((i * 7) % 11) * 9_000,
      collectionId: i % 2,
      status: i % 6 === 0 ? 'IGNORED' : 'ACTIVE',
    }),
  )
}

test('figures are those of the events, however they were added', async () => {
  const events = crowd(60)
  expect(await put(...events.slice(0, 25))).toMatchObject({ repeated: 0, suppressed: 0 })
  await put(...events.slice(25, 26))
  await put(...events.slice(26))
  await expectTrueFigures()
})

test('an event that is there already changes nothing', async () => {
  const events = crowd(10)
  await put(...events)
  const again = await put(...events, events[0]!, event())
  expect(again.stored).toHaveLength(1)
  expect(again.repeated).toBe(11)
  await expectTrueFigures()
})

test('figures stay true when events are removed and when their status changes', async () => {
  await put(...crowd(80))
  await store.pool.query('DELETE FROM threat_events WHERE detected_at > $1', [NOON + 60_000])
  await expectTrueFigures()
  await store.pool.query('DELETE FROM threat_events WHERE detected_at < $1', [NOON + 30_000])
  await expectTrueFigures()
  await store.pool.query(
    `INSERT INTO threat_kinds (filter_id, category, sub_category, severity, severity_rank, type, event_type, label,
       status, is_exploit)
     SELECT filter_id, category, sub_category, severity, severity_rank, type, event_type, label, 'UNDER_REVIEW',
       is_exploit FROM threat_kinds WHERE status = 'IGNORED' ON CONFLICT DO NOTHING`,
  )
  await store.pool.query(
    `INSERT INTO threat_facets (kind_id, collection_id, host, method)
     SELECT DISTINCT t.id, f.collection_id, f.host, f.method FROM threat_facets f JOIN threat_kinds k ON k.id = f.kind_id
     JOIN threat_kinds t ON t.filter_id = k.filter_id AND t.severity = k.severity AND t.status <> k.status
     ON CONFLICT DO NOTHING`,
  )
  await store.pool.query(
    `UPDATE threat_events e SET facet_id = n.id
     FROM threat_facets f JOIN threat_kinds k ON k.id = f.kind_id
     JOIN threat_kinds t ON t.filter_id = k.filter_id AND t.severity = k.severity AND t.status = 'UNDER_REVIEW'
     JOIN threat_facets n ON n.kind_id = t.id AND n.collection_id = f.collection_id AND n.host = f.host
       AND n.method = f.method
     WHERE f.id = e.facet_id AND k.status = 'IGNORED'`,
  )
  await expectTrueFigures()
})

test('an actor shows its newest event, also after that one is gone', async () => {
  const older = event({ filterId: 'Older', detectedAt: NOON, country: 'DE' })
  const newer = event({ filterId: 'Newer', detectedAt: NOON + 5, country: 'FR' })
  const latest = async () =>
    (
      await store.pool.query(
        `SELECT k.filter_id, latest_country, first_seen FROM threat_actors a JOIN threat_facets f ON f.id = latest_facet_id
         JOIN threat_kinds k ON k.id = f.kind_id
         WHERE a.events > 0`,
      )
    ).rows
  await put(newer)
  await put(older)
  expect(await latest()).toEqual([{ filter_id: 'Newer', latest_country: 'FR', first_seen: NOON }])
  await store.pool.query('DELETE FROM threat_events WHERE id = $1', [newer.id])
  expect(await latest()).toEqual([{ filter_id: 'Older', latest_country: 'DE', first_seen: NOON }])
})

test('a suppression drops what it is for, counts it, and ends', async () => {
  const made = await addSuppression(
    store.pool,
    { filterId: 'SQLInjection', url: null, host: null, actor: '203.0.113.9', collectionId: null },
    { login: 'ada@example.org', reason: 'our scanner', expiresAt: NOON + 100 },
    NOON,
  )
  const drop = (now: number, ...events: NewEvent[]) =>
    inTransaction((client) => storeEvents(client, events, now))
  expect(
    await drop(NOON, event(), event({ actor: '203.0.113.10' }), event({ filterId: 'XSS' })),
  ).toMatchObject({
    suppressed: 1,
  })
  expect(await listSuppressions(store.pool, 10)).toMatchObject([
    { id: made!.id, dropped: 1, lastDroppedAt: NOON },
  ])
  expect(await drop(NOON + 100, event())).toMatchObject({ suppressed: 0 })
})

test('messages of an event are kept once, with what matched', async () => {
  const one = event({
    messages: [
      {
        exchange,
        evidence: [{ location: 'url', name: 'q', view: 'raw', start: 0, end: 1, phrase: "a\0b' \u00fc" }],
      },
    ],
  })
  await put(one)
  await put(one)
  const kept = (await messagesOfEvents(store.pool, [one.id])).get(one.id)!
  expect(JSON.parse(kept.message)).toMatchObject({ path: '/search?q=1', statusCode: '200' })
  expect(kept.facts.evidence[0]!.phrase).toBe("a\ufffdb' \u00fc")
})
