import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { type Exchange, parseSampleMessage } from '../../http/index.ts'
import { type Store, usingTransaction } from '../../store/index.ts'
import type { AggregationRule } from '../filters/filter.ts'
import { EVENT_JOINS } from '../records/list-events.ts'
import { messagesOfRefs } from '../records/messages.ts'
import { listSuppressions } from '../records/suppressions.ts'
import { WindowRoom } from '../windows/window-room.ts'
import type { Finding, FoundFilter } from './finding.ts'
import { type DetectedMessage, writeFindings } from './write-findings.ts'

const AT = 1_795_000_000

let store: Store
let closeStore: () => Promise<void>

beforeAll(async () => {
  const opened = await openTestStore()
  store = opened.store
  closeStore = opened.close
})

afterAll(() => closeStore())

beforeEach(async () => {
  await store.pool.query(
    'DELETE FROM threat_events; DELETE FROM threat_messages; DELETE FROM threat_windows; DELETE FROM threat_suppressions',
  )
})

function exchange(path: string, at = AT): Exchange {
  return parseSampleMessage(
    JSON.stringify({
      method: 'GET',
      path,
      requestHeaders: { host: 'shop.example' },
      ip: '203.0.113.9',
      time: at,
      statusCode: 200,
    }),
  )
}

function filter(id: string, rules: AggregationRule[] = []): FoundFilter {
  return { id, category: 'PROBE', subCategory: 'PROBE', severity: 'HIGH', rules }
}

const often: AggregationRule = {
  name: 'often',
  matchCount: 3,
  windowMinutes: 5,
  countedPart: null,
  firingPart: null,
  distinct: null,
  scope: 'actor',
}

function found(filters: readonly FoundFilter[], more: Partial<Finding> = {}): Finding {
  const evidence = [
    { location: 'url' as const, name: 'q', view: 'raw', start: 0, end: 6, phrase: 'tom@x.example' },
  ]
  return {
    actor: { id: '203.0.113.9', ip: '203.0.113.9', country: 'US' },
    destCountry: '',
    isExploit: false,
    isIgnored: false,
    isTruncated: false,
    hits: filters.map((one) => ({
      filter: one,
      part: 'filter',
      evidence,
      values: one.rules.map(() => null),
    })),
    ...more,
  }
}

let made = 0

function detected(finding: Finding, more: Partial<DetectedMessage> = {}): DetectedMessage {
  const sent = more.exchange?.() ?? exchange(`/search?q=tom@x.example&n=${++made}`)
  return {
    finding,
    hash: `hash ${++made}`,
    at: sent.at,
    exchange: () => sent,
    method: sent.request.method,
    masked: () => sent,
    shownUrl: () => (more.masked?.() ?? sent).request.target,
    collectionId: 7,
    isRedacted: false,
    template: '/search',
    ...more,
  }
}

function write(messages: readonly DetectedMessage[]) {
  return usingTransaction(store.pool, (client) => writeFindings(client, messages, new WindowRoom(), AT))
}

async function events() {
  const { rows } = await store.pool.query<Record<string, unknown>>(
    `SELECT k.filter_id, k.event_type, k.status, k.is_exploit, k.severity, f.host, e.url, e.ref_id::text
     FROM threat_events e ${EVENT_JOINS} ORDER BY e.detected_at, k.filter_id`,
  )
  return rows
}

describe('findings', () => {
  test('of filters without rules are an event each', async () => {
    await write([detected(found([filter('A'), filter('B')], { isExploit: true }))])
    expect(await events()).toMatchObject([
      { filter_id: 'A', event_type: 'SINGLE', status: 'ACTIVE', is_exploit: true, host: 'shop.example' },
      { filter_id: 'B', event_type: 'SINGLE', status: 'ACTIVE', is_exploit: true, severity: 'HIGH' },
    ])
  })

  test('of an ignored message are stored as ignored', async () => {
    await write([detected(found([filter('A')], { isIgnored: true }))])
    expect(await events()).toMatchObject([{ status: 'IGNORED' }])
  })

  test('of a message that is written again change nothing', async () => {
    const message = detected(found([filter('A')]))
    await write([message])
    await write([message])
    expect(await events()).toHaveLength(1)
  })

  test('of filters with rules are one event when a rule fires, with the messages behind it', async () => {
    const counting = filter('C', [often])
    await write([detected(found([counting])), detected(found([counting]))])
    expect(await events()).toEqual([])
    await write([detected(found([counting])), detected(found([counting]))])
    const [event, ...more] = await events()
    expect(event).toMatchObject({ filter_id: 'C', event_type: 'AGGREGATED' })
    expect(more).toEqual([])
    const messages = await messagesOfRefs(store.pool, [String(event!['ref_id'])], null)
    expect(messages).toHaveLength(3)
    expect(messages.flatMap(({ facts }) => facts.firing ?? [])).toEqual([
      { rule: 'often', count: 3, values: null, firstAt: AT, lastAt: AT },
    ])
  })

  test('count at each endpoint by its template where the rule asks', async () => {
    const counting = filter('C', [{ ...often, scope: 'actor-endpoint' }])
    await write(
      [1, 2, 3].map((n) =>
        detected(found([counting]), { exchange: () => exchange(`/users/${n}`), template: null }),
      ),
    )
    expect(await events()).toEqual([])
    await write(
      [1, 2, 3].map((n) =>
        detected(found([counting]), { exchange: () => exchange(`/pets/${n}`), template: '/pets/INTEGER' }),
      ),
    )
    expect(await events()).toHaveLength(1)
  })

  test('are neither stored nor counted where a suppression says so', async () => {
    await store.pool.query(
      `INSERT INTO threat_suppressions (filter_id, origin, created_by, created_at) VALUES ('C', 'PERSON', 'ada', 0)`,
    )
    await write([1, 2, 3].map(() => detected(found([filter('C', [often])]))))
    expect(await events()).toEqual([])
    expect(await listSuppressions(store.pool, 10)).toMatchObject([{ dropped: 3 }])
  })

  test('of a message dated ahead of the clock are of its arrival, of a little ahead as dated', async () => {
    for (const ahead of [27 * 3_600, 121, 120])
      await write([detected(found([filter('A')]), { exchange: () => exchange(`/a${ahead}`, AT + ahead) })])
    const { rows } = await store.pool.query(
      'SELECT e.detected_at - $1 AS ahead, m.at - $1 AS message FROM threat_events e JOIN threat_messages m ON m.id = e.id ORDER BY 1',
      [AT],
    )
    expect(rows).toEqual([0, 0, 120].map((ahead) => ({ ahead, message: ahead })))
    const firing = filter('C', [{ ...often, matchCount: 1 }])
    await write([detected(found([firing]), { exchange: () => exchange('/c', AT + 27 * 3_600) })])
    const fired = await store.pool.query(
      "SELECT facts.evidence -> 'firing' ->> 'lastAt' AS at FROM threat_messages facts WHERE evidence ? 'firing'",
    )
    expect(Number(fired.rows[0]!['at'])).toBe(AT)
  })

  test('keep no value of a redacted collection', async () => {
    const masked = exchange('/search?q=****')
    await write([detected(found([filter('A')]), { isRedacted: true, masked: () => masked })])
    const { rows } = await store.pool.query('SELECT message, evidence::text FROM threat_messages')
    expect(JSON.stringify([rows, await events()])).not.toContain('tom@x.example')
  })

  test('keep no phrase that was masked in the message', async () => {
    const masked = exchange('/search?q=****')
    await write([detected(found([filter('A')]), { masked: () => masked })])
    const { rows } = await store.pool.query('SELECT message, evidence::text FROM threat_messages')
    expect(JSON.stringify(rows)).not.toContain('tom@x.example')
  })

  test('keep a decoded phrase where nothing was masked', async () => {
    const sent = exchange('/search?q=tom%40x.example')
    await write([
      detected(found([filter('A')]), { exchange: () => sent, masked: () => structuredClone(sent) }),
    ])
    const { rows } = await store.pool.query('SELECT evidence::text FROM threat_messages')
    expect(JSON.stringify(rows)).toContain('tom@x.example')
  })
})
