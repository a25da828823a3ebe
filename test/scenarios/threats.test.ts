import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { announceEvents } from '../../src/app/threat/announce-events.ts'
import type { Exchange } from '../../src/http/index.ts'
import { usingTransaction } from '../../src/store/index.ts'
import { eventId, type NewEvent, storeEvents } from '../../src/threat/index.ts'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { ask, message, messageLines, refusal } from './ask.ts'

const DAY = 86_400
/** Noon of a day in the past that retention still keeps. */
const NOON = Math.floor(Date.now() / 1000 / DAY) * DAY - 10 * DAY + DAY / 2
const FILTER = `id: OwnSqlFilter
filter:
  or:
    - request_payload:
        regex: ["(?i)union\\\\s+select"]
    - url:
        regex: ["(?i)union[+ ]select"]
info:
  name: Own SQL filter
  category: {name: OWN_SQL, displayName: Own SQL}
  subCategory: OWN_SQL_UNION
  severity: HIGH
`

let server: TestServer
let admin: TestPerson
let member: TestPerson
let guest: TestPerson
let shop: number
let other: number
let chat: Receiver

beforeAll(async () => {
  chat = await startReceiver()
  server = await startTestServer({ 'allowed-alert-targets': chat.host })
  admin = await signUpPerson(server, 'admin@example.org')
  member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
  guest = await joinPerson(server, admin, 'guest@example.org', 'GUEST')
  const taken = async (apiCollectionName: string, path: string) =>
    (await ask(server, 'importTraffic', { apiCollectionName, content: messageLines([{ path }]) }))
      .apiCollectionId
  shop = await taken('shop', 'https://shop.test/rest/a')
  other = await taken('other', 'https://other.test/rest/b')
})
afterAll(async () => {
  await server.close()
  await chat.close()
})

const store = () => server.running.app.store

function exchangeTo(target: string, at: number): Exchange {
  return {
    request: { method: 'GET', target, version: 'HTTP/1.1', headers: ['Host', 'shop.test'], body: '' },
    response: { status: 200, reason: 'OK', headers: ['content-type', 'application/json'], body: '{"a":"é"}' },
    at,
    clientIp: '203.0.113.9',
    serverIp: '',
    source: 'MIRRORING',
    direction: 1,
    vxlanId: 0,
  }
}

let number = 0
function event(change: Partial<NewEvent> = {}): NewEvent {
  const id = eventId(`scenario ${number++}`, 'SQLInjection', '')
  const url = change.url ?? '/rest/products/search?q=%27--'
  const detectedAt = change.detectedAt ?? NOON
  return {
    id,
    refId: id,
    filterId: 'OwnSqlFilter',
    category: 'OWN_SQL',
    subCategory: 'OWN_SQL_UNION',
    severity: 'HIGH',
    type: 'Rule-Based',
    eventType: 'SINGLE',
    label: 'threat',
    status: 'ACTIVE',
    isSuccessfulExploit: false,
    actor: '203.0.113.9',
    ip: '203.0.113.9',
    country: 'AU',
    destCountry: '',
    collectionId: shop,
    host: 'shop.test',
    method: 'GET',
    url,
    detectedAt,
    messages: [
      {
        exchange: exchangeTo(url, detectedAt),
        evidence: [{ location: 'url', name: 'q', view: 'percent', start: 2, end: 5, phrase: "'--" }],
      },
    ],
    ...change,
  }
}

const put = (...events: NewEvent[]) => usingTransaction(store().pool, (client) => storeEvents(client, events))

/** Six events: two actors, two days, three kinds, two collections and none. */
async function putSix(): Promise<NewEvent[]> {
  const six = [
    event({ detectedAt: NOON }),
    event({
      detectedAt: NOON + 60,
      url: '/rest/login',
      method: 'POST',
      severity: 'CRITICAL',
      isSuccessfulExploit: true,
    }),
    event({
      detectedAt: NOON + DAY,
      filterId: 'Gone',
      category: 'OTHER',
      subCategory: 'XSS',
      severity: 'LOW',
    }),
    event({
      detectedAt: NOON + DAY,
      actor: '203.0.113.10',
      ip: '203.0.113.10',
      country: '',
      severity: 'LOW',
    }),
    event({
      detectedAt: NOON + DAY + 1,
      actor: '203.0.113.10',
      ip: '198.51.100.4',
      country: 'US',
      collectionId: other,
      host: 'other.test',
      url: '/b',
    }),
    event({
      detectedAt: NOON + 2 * DAY,
      actor: '203.0.113.11',
      ip: '203.0.113.11',
      collectionId: 0,
      host: '',
      url: '/free',
      severity: 'MEDIUM',
    }),
  ]
  await put(...six)
  return six
}

async function restrict(collectionIds: number[] | null): Promise<void> {
  const { users } = await ask(admin, 'getTeamData')
  const user = users.find(({ login }) => login === guest.email)!
  await ask(admin, 'updateUserCollections', { userCollectionMap: { [user.id]: collectionIds } })
}

describe('filters', () => {
  test('a saved filter is listed, replaced by its id, and removed', async () => {
    await ask(admin, 'saveFilterYamlTemplate', { content: FILTER })
    await ask(admin, 'saveFilterYamlTemplate', { content: FILTER.replace('HIGH', 'MEDIUM') })
    const listed = async () =>
      (await ask(guest, 'fetchFilterYamlTemplate')).templates!.find(({ id }) => id === 'OwnSqlFilter')
    expect(await listed()).toMatchObject({
      author: 'admin@example.org',
      info: { name: 'Own SQL filter', severity: 'MEDIUM', category: { displayName: 'Own SQL' } },
    })
    expect(await ask(admin, 'deleteFilterYamlTemplate', { templateId: 'OwnSqlFilter' })).toEqual({
      templates: null,
      content: null,
    })
    expect(await listed()).toBeUndefined()
    expect(await refusal(admin, 'deleteFilterYamlTemplate', { templateId: 'OwnSqlFilter' })).toEqual([
      422,
      'Filter not found',
    ])
    await ask(admin, 'saveFilterYamlTemplate', { content: FILTER })
    expect(await listed()).toBeDefined()
  })

  test.each([
    ['id: [', 'Invalid YAML: '],
    ['just text', 'Invalid YAML: 1:1 '],
    [FILTER.replace('id: OwnSqlFilter', 'id: ""'), 'id field cannot be empty'],
    [FILTER.replace('id: OwnSqlFilter', 'id: "a b"'), 'id may hold '],
    ['id: A\ninfo: {category: {name: X}, severity: LOW}\n', 'filter field cannot be empty'],
    ['id: A\nfilter: {url: {regex: ["a"]}}\n', 'info is required'],
    [
      FILTER.replace('regex', 'regexp'),
      'line 5, filter.or.0.request_payload.regexp: unknown key regexp (regex?)',
    ],
    [`${FILTER.trimEnd()}\nignor: {}\n`, 'ignor: unknown key ignor (ignore?)'],
    [FILTER.replace('(?i)union[+ ]select', '(a'), 'invalid regular expression'],
    [FILTER.replace('severity: HIGH', 'severity: WORST'), 'line 12, info.severity: '],
  ])('%j is refused with its place', async (content, sentence) => {
    const [status, told] = await refusal(admin, 'saveFilterYamlTemplate', { content })
    expect(status).toBe(422)
    expect(told).toContain(sentence)
    expect(told).toMatch(/\bline \d+|^Invalid YAML: \d+:\d+/)
  })

  test('what is odd about a filter is told where it is saved and tried', async () => {
    const content = `author: me\n${FILTER}`
    const told = [{ line: 1, path: 'author', message: 'The key author is ignored.' }]
    expect((await ask(admin, 'saveFilterYamlTemplate', { content })).warnings).toEqual(told)
    expect((await ask(member, 'testFilterYamlTemplate', { content })).warnings).toEqual(told)
    expect((await ask(admin, 'saveFilterYamlTemplate', { content: FILTER })).warnings).toEqual([])
  })

  test('a filter is tried on stored messages before it is saved', async () => {
    await ask(server, 'importTraffic', {
      apiCollectionName: 'tried',
      content: messageLines([
        { path: 'https://tried.test/one', method: 'POST', requestPayload: '{"q":"1 UNION SELECT 2"}' },
        { path: 'https://tried.test/two', method: 'POST', requestPayload: '{"q":"union of states"}' },
      ]),
    })
    const tried = await ask(member, 'testFilterYamlTemplate', { content: FILTER })
    expect(tried.matched).toBe(1)
    expect(tried.microsecondsPerMessage).toBeLessThan(5_000)
    expect(tried.missed).toBe(tried.checked - 1)
    expect(tried.examples).toMatchObject([
      { method: 'POST', url: 'https://tried.test/one', location: 'request_payload' },
    ])
    expect(await ask(member, 'testFilterYamlTemplate', { content: FILTER, endTs: 1 })).toMatchObject({
      checked: 0,
    })
    expect((await refusal(guest, 'testFilterYamlTemplate', { content: FILTER }))[0]).toBe(403)
  })
})

describe('events', () => {
  beforeAll(async () => {
    await ask(admin, 'saveFilterYamlTemplate', { content: FILTER })
    await ask(admin, 'deleteAllMaliciousEvents')
    await putSix()
  })
  afterAll(() => ask(admin, 'deleteAllMaliciousEvents'))

  const urlsOf = (answer: { maliciousEvents: { url: string }[] | null }) =>
    answer.maliciousEvents!.map(({ url }) => url)

  test('are told whole, the newest first', async () => {
    const { maliciousEvents, total, types, limit } = await ask(guest, 'fetchSuspectSampleData', {
      types: ['Rule-Based'],
      urls: [],
      endTimestamp: NOON,
    })
    expect([total, types, limit]).toEqual([1, ['Rule-Based'], 50])
    expect(maliciousEvents).toMatchObject([
      {
        actor: '203.0.113.9',
        country: 'AU',
        filterId: 'OwnSqlFilter',
        eventType: 'SINGLE',
        url: '/rest/products/search?q=%27--',
        apiCollectionId: shop,
        timestamp: NOON,
        severity: 'HIGH',
        status: 'ACTIVE',
        host: 'shop.test',
        successfulExploit: false,
        label: 'threat',
      },
    ])
    const [one] = maliciousEvents!
    expect(one!.payload).toContain('method: "GET"\npath: "/rest/products/search?q=%27--"\ntype: "HTTP/1.1"\n')
    expect(one!.payload).toContain('response_payload: "{\\"a\\":\\"\\303\\251\\"}"')
    expect(one!.metadata).toContain('country_code: "AU"\nschema_errors {\n')
    expect(one!.metadata).toContain('  phrase: "\\\'--"\n')
  })

  test.each([
    [{}, 6],
    [{ startTimestamp: NOON + DAY }, 4],
    [{ startTimestamp: NOON + 60, endTimestamp: NOON + DAY }, 3],
    [{ endTimestamp: NOON - 1 }, 0],
    [{ ips: ['203.0.113.10'] }, 2],
    [{ ips: ['198.51.100.4'] }, 1],
    [{ severity: ['LOW', 'CRITICAL'] }, 3],
    [{ subCategory: ['XSS'] }, 1],
    [{ latestAttack: ['OwnSqlFilter'], method: ['POST'] }, 1],
    [{ hosts: ['other.test'] }, 1],
    [{ urls: ['/rest/login', '/b'] }, 2],
    [{ statusFilter: 'EVENTS' }, 6],
    [{ statusFilter: 'IGNORED' }, 0],
    [{ successfulExploit: true }, 1],
    [{ label: 'guardrail' }, 0],
    [{ searchText: 'gone' }, 1],
    [{ searchText: '113.10' }, 2],
    [{ searchText: 'OTHER.t' }, 1],
    [{ searchText: '%' }, 0],
    [{ latestApiOrigRegex: '(?i)POST|/rest/LOGIN' }, 1],
  ])('filtered by %j are %i', async (filter, count) => {
    const answer = await ask(guest, 'fetchSuspectSampleData', filter)
    expect([answer.total, answer.maliciousEvents!.length]).toEqual([count, count])
  })

  test('are sorted before they are paged', async () => {
    const page = async (sent: object) => urlsOf(await ask(guest, 'fetchSuspectSampleData', sent))
    const all = await page({})
    expect(all[0]).toBe('/free')
    const paged = []
    for (let skip = 0; skip < 6; skip += 2) paged.push(...(await page({ skip, limit: 2 })))
    expect(paged).toEqual(all)
    expect(await page({ sort: { detectedAt: 1 } })).toEqual(all.toReversed())
    expect((await page({ sortBySeverity: true }))[0]).toBe('/rest/login')
    expect((await page({ sort: { severity: 1 }, skip: 5, limit: 1 }))[0]).toBe('/rest/login')
    expect(await page({ skip: 100 })).toEqual([])
  })

  test('a pattern that is none is refused', async () => {
    expect(await refusal(guest, 'fetchSuspectSampleData', { latestApiOrigRegex: '(?=a)' })).toEqual([
      422,
      'Invalid regex pattern',
    ])
  })

  test('are counted by severity, category and day', async () => {
    expect((await ask(guest, 'fetchCountBySeverity')).categoryCounts).toEqual([
      { category: '', subCategory: 'CRITICAL', count: 1 },
      { category: '', subCategory: 'HIGH', count: 2 },
      { category: '', subCategory: 'MEDIUM', count: 1 },
      { category: '', subCategory: 'LOW', count: 2 },
    ])
    expect((await ask(guest, 'fetchThreatCategoryCount', { startTs: NOON + 1 })).categoryCounts).toEqual([
      { category: 'Own SQL', subCategory: 'OWN_SQL_UNION', count: 4 },
      { category: 'OTHER', subCategory: 'XSS', count: 1 },
    ])
    const { threatActivityTimelines } = await ask(guest, 'getThreatActivityTimeline', {
      startTs: NOON + 60,
      endTs: NOON + DAY,
    })
    expect(threatActivityTimelines).toEqual([
      { ts: NOON - DAY / 2, subCategoryWiseData: [{ subcategory: 'OWN_SQL_UNION', activityCount: 1 }] },
      {
        ts: NOON + DAY / 2,
        subCategoryWiseData: [
          { subcategory: 'OWN_SQL_UNION', activityCount: 1 },
          { subcategory: 'XSS', activityCount: 1 },
        ],
      },
    ])
  })

  test('actors are counted by day and by country', async () => {
    expect(await ask(guest, 'getDailyThreatActorsCount')).toEqual({
      actorsCounts: [
        { ts: NOON - DAY / 2, totalActors: 1, criticalActors: 1 },
        { ts: NOON + DAY / 2, totalActors: 2, criticalActors: 1 },
        { ts: NOON + 1.5 * DAY, totalActors: 1, criticalActors: 0 },
      ],
      total: 0,
      totalAnalysed: 6,
      totalAttacks: 1,
      totalCriticalActors: 2,
      totalActiveStatus: 6,
      totalIgnoredStatus: 0,
      totalUnderReviewStatus: 0,
      activeActorsCount: 3,
    })
    const past = await ask(guest, 'getDailyThreatActorsCount', { startTs: NOON, endTs: NOON + DAY })
    expect(past).toMatchObject({ totalAnalysed: 4, totalCriticalActors: 1, activeActorsCount: 2 })
    expect(past.actorsCounts.map(({ totalActors }) => totalActors)).toEqual([1, 2])
    const filtered = await ask(guest, 'getDailyThreatActorsCount', { latestAttack: ['Gone'] })
    expect(filtered).toMatchObject({ totalAnalysed: 1, totalCriticalActors: 0, activeActorsCount: 1 })
    const countries = (window: object) =>
      ask(guest, 'getActorsCountPerCounty', window).then((answer) => answer.actorsCountPerCountry)
    expect(await countries({})).toEqual([
      { country: 'AU', count: 2 },
      { country: 'US', count: 1 },
      { country: '', count: 1 },
    ])
    const never = { startTs: NOON + DAY, endTs: NOON }
    expect(await countries(never)).toEqual([])
    expect((await ask(guest, 'getDailyThreatActorsCount', never)).actorsCounts).toEqual([])
    expect((await ask(guest, 'fetchThreatActors', never)).total).toBe(0)
    expect((await ask(guest, 'fetchThreatApis', never)).total).toBe(0)
    expect((await ask(guest, 'fetchCountBySeverity', never)).categoryCounts).toEqual([])
    expect(await countries({ endTs: NOON + DAY })).toEqual([
      { country: 'AU', count: 1 },
      { country: '', count: 1 },
    ])
  })

  test('endpoints are told by path, method and host', async () => {
    const { apis, total } = await ask(guest, 'fetchThreatApis', { sort: { requestsCount: -1 } })
    expect(total).toBe(4)
    expect(apis![0]).toEqual({
      api: '/rest/products/search',
      method: 'GET',
      host: 'shop.test',
      requestsCount: 3,
      actorsCount: 2,
      discoveredAt: NOON,
    })
    const within = await ask(guest, 'fetchThreatApis', { startTs: NOON + DAY, endTs: NOON + DAY })
    expect(within.apis).toMatchObject([{ requestsCount: 2, actorsCount: 2, discoveredAt: NOON }])
    const byActors = await ask(guest, 'fetchThreatApis', { startTs: NOON + 1, sort: { actorsCount: 1 } })
    expect(byActors.apis!.map(({ actorsCount }) => actorsCount)).toEqual([1, 1, 1, 2])
    const byFilter = await ask(guest, 'fetchThreatApis', { latestAttack: ['Gone'] })
    expect(byFilter.apis).toMatchObject([{ requestsCount: 1, actorsCount: 1, discoveredAt: NOON + DAY }])
    expect((await ask(guest, 'fetchThreatApis', { skip: 3 })).apis).toHaveLength(1)
  })

  test('actors are told by their newest event', async () => {
    const { actors, total } = await ask(guest, 'fetchThreatActors', { sort: { discoveredAt: 1 } })
    expect(total).toBe(3)
    expect(actors![0]).toMatchObject({
      id: '203.0.113.9',
      latestAttack: 'Gone',
      country: 'AU',
      latestApiEndpoint: '/rest/products/search',
      latestApiIp: '203.0.113.9',
      latestApiMethod: 'GET',
      latestApiHost: 'shop.test',
      discoveredAt: NOON,
      lastSeen: NOON + DAY,
      status: 'active',
    })
    expect(actors![0]!.activity.map(({ subCategory, detectedAt }) => [subCategory, detectedAt])).toEqual([
      ['Gone', NOON + DAY],
      ['OwnSqlFilter', NOON + 60],
      ['OwnSqlFilter', NOON],
    ])
    const ids = async (sent: object) =>
      (await ask(guest, 'fetchThreatActors', sent)).actors!.map(({ id }) => id)
    expect(await ids({ endTs: NOON + 60 })).toEqual(['203.0.113.9'])
    expect(await ids({ startTs: NOON + 2 * DAY })).toEqual(['203.0.113.11'])
    expect(await ids({ latestAttack: ['Gone'] })).toEqual(['203.0.113.9'])
    expect(await ids({ latestAttack: ['Gone'], endTs: NOON + 60 })).toEqual([])
    expect(await ids({ country: ['US'] })).toEqual(['203.0.113.10'])
    expect(await ids({ host: ['other.test'] })).toEqual(['203.0.113.10'])
    expect(await ids({ actorId: ['203.0.113.11'] })).toEqual(['203.0.113.11'])
    expect(await ids({ sort: { lastSeen: -1 }, limit: 1, skip: 1 })).toEqual(['203.0.113.10'])
    const { actorActivities } = await ask(guest, 'fetchThreatsForActor', { actor: '203.0.113.10', limit: 1 })
    expect(actorActivities).toMatchObject([{ host: 'other.test', metadata: 'country_code: "US"\n' }])
  })

  test('choices are distinct and ascending', async () => {
    expect(await ask(guest, 'fetchFiltersThreatTable')).toMatchObject({
      ips: ['203.0.113.10', '203.0.113.11', '203.0.113.9'],
      subCategory: ['OwnSqlFilter'],
      urls: ['/b', '/free', '/rest/login', '/rest/products/search?q=%27--'],
      hosts: ['other.test', 'shop.test'],
    })
    expect(await ask(guest, 'fetchFiltersThreatTable', { startTimestamp: NOON + 2 * DAY })).toMatchObject({
      ips: ['203.0.113.11'],
      urls: ['/free'],
      hosts: [],
    })
    expect(await ask(guest, 'fetchFiltersForThreatActors')).toMatchObject({
      country: ['AU', 'US'],
      latestAttack: ['OwnSqlFilter'],
      actorId: ['203.0.113.10', '203.0.113.11', '203.0.113.9'],
      host: ['other.test', 'shop.test'],
    })
  })

  test('whole messages stand behind an event', async () => {
    const leading = [0, 1, 2].map((i) => ({ exchange: exchangeTo(`/try?n=${i}`, NOON + i), evidence: [] }))
    const fired = event({
      eventType: 'AGGREGATED',
      url: '/try?n=2',
      detectedAt: NOON + 2,
      messages: leading.toReversed(),
    })
    await put(fired)
    const behind = async (sent: object) =>
      (await ask(guest, 'fetchAggregateMaliciousRequests', sent)).maliciousPayloadsResponses!.map(
        ({ orig, ts }) => [(JSON.parse(orig) as { path: string }).path, ts],
      )
    expect(await behind({ refId: fired.refId, eventType: 'AGGREGATED' })).toEqual([
      ['/try?n=2', NOON + 2],
      ['/try?n=1', NOON + 1],
      ['/try?n=0', NOON],
    ])
    expect(
      await behind({ actor: fired.actor, filterId: fired.filterId, eventType: 'AGGREGATED' }),
    ).toHaveLength(5)
    expect(await behind({ refId: 'b302ed4c-94d1-4c1e-8c6b-0c9a6f1d2e33' })).toEqual([])
    expect(await behind({ refId: 'none' })).toEqual([])
    expect(await refusal(guest, 'fetchAggregateMaliciousRequests', { actor: 'a' })).toEqual([
      422,
      'refId is required',
    ])
    await ask(member, 'deleteMaliciousEvents', { eventId: fired.id })
  })

  test('who may see some collections sees events of these, and those of none', async () => {
    await restrict([other])
    const { total, maliciousEvents } = await ask(guest, 'fetchSuspectSampleData')
    expect([total, urlsOf({ maliciousEvents })]).toEqual([2, ['/free', '/b']])
    expect((await ask(guest, 'fetchCountBySeverity')).categoryCounts).toHaveLength(2)
    expect((await ask(guest, 'fetchThreatApis')).apis!.map(({ api }) => api).toSorted()).toEqual([
      '/b',
      '/free',
    ])
    const { actors } = await ask(guest, 'fetchThreatActors', { sort: { discoveredAt: 1 } })
    expect(actors!.map(({ id, discoveredAt, activity }) => [id, discoveredAt, activity.length])).toEqual([
      ['203.0.113.10', NOON + DAY + 1, 1],
      ['203.0.113.11', NOON + 2 * DAY, 1],
    ])
    expect((await ask(guest, 'fetchThreatActors', { endTs: NOON + DAY })).total).toBe(0)
    expect((await ask(guest, 'getDailyThreatActorsCount')).actorsCounts).toHaveLength(2)
    expect((await ask(guest, 'getActorsCountPerCounty')).actorsCountPerCountry).toHaveLength(2)
    expect(await ask(guest, 'fetchFiltersThreatTable')).toMatchObject({
      hosts: ['other.test'],
      urls: ['/b', '/free'],
    })
    expect(await ask(guest, 'fetchFiltersForThreatActors')).toMatchObject({
      actorId: ['203.0.113.10', '203.0.113.11'],
    })
    expect((await ask(guest, 'fetchThreatsForActor', { actor: '203.0.113.9' })).actorActivities).toEqual([])
    const hidden = (await ask(admin, 'fetchSuspectSampleData', { urls: ['/rest/login'] }))
      .maliciousEvents![0]!
    const asked = { refId: hidden.refId, eventType: 'SINGLE' }
    expect((await ask(guest, 'fetchAggregateMaliciousRequests', asked)).maliciousPayloadsResponses).toEqual(
      [],
    )
    expect((await refusal(guest, 'fetchSuspectSampleData', { apiCollectionIds: [shop] }))[0]).toBe(403)
    await restrict(null)
  })
})

describe('changes', () => {
  test('an ignored event drops its like until it is looked at again', async () => {
    const first = event({ url: '/noise' })
    await put(first)
    const changed = await ask(member, 'updateMaliciousEventStatus', { urls: ['/noise'], status: 'IGNORED' })
    expect(changed).toEqual({ updateSuccess: true, updateMessage: '1 event updated', updatedCount: 1 })
    expect((await put(event({ url: '/noise' }), event({ url: '/noise', filterId: 'Gone' }))).suppressed).toBe(
      1,
    )
    const { suppressions } = await ask(member, 'fetchThreatSuppressions')
    expect(suppressions).toMatchObject([{ url: '/noise', origin: 'EVENT', dropped: 1 }])
    expect((await ask(guest, 'getDailyThreatActorsCount')).totalIgnoredStatus).toBe(1)
    await ask(member, 'updateMaliciousEventStatus', { eventId: first.id, status: 'ACTIVE' })
    expect((await ask(member, 'fetchThreatSuppressions')).suppressions).toEqual([])
    expect((await put(event({ url: '/noise' }))).stored).toHaveLength(1)
    expect(await ask(member, 'deleteMaliciousEvents', { urls: ['/noise'] })).toMatchObject({
      deletedCount: 3,
    })
    expect((await ask(guest, 'fetchSuspectSampleData')).total).toBe(0)
    expect(await refusal(member, 'deleteMaliciousEvents', { urls: [] })).toEqual([
      422,
      'No events are selected',
    ])
    expect((await refusal(guest, 'deleteMaliciousEvents', { urls: ['/a'] }))[0]).toBe(403)
  })

  test('a suppression by hand needs a scope', async () => {
    expect(await refusal(admin, 'addThreatSuppression', { reason: 'none' })).toEqual([
      422,
      'A suppression needs a scope',
    ])
    const { suppression } = await ask(admin, 'addThreatSuppression', { host: 'Shop.test', reason: 'ours' })
    expect((await put(event())).suppressed).toBe(1)
    await ask(admin, 'removeThreatSuppression', { id: suppression.id })
    expect((await put(event())).suppressed).toBe(0)
    await ask(admin, 'deleteAllMaliciousEvents')
  })

  test('old events go, with what is left of them', async () => {
    const now = Math.floor(Date.now() / 1000)
    await put(
      event({ detectedAt: now - 61 * DAY, actor: '192.0.2.61', url: '/old' }),
      event({ detectedAt: now - 59 * DAY }),
    )
    await server.running.app.threats.purge()
    expect((await ask(guest, 'fetchSuspectSampleData')).maliciousEvents).toMatchObject([{ url: event().url }])
    expect((await ask(guest, 'fetchFiltersForThreatActors')).actorId).toEqual(['203.0.113.9'])
    await ask(admin, 'modifyThreatConfiguration', {
      threatConfiguration: { actor: null, archivalEnabled: null, archivalDays: 30 },
    })
    await server.running.app.threats.purge()
    expect((await ask(guest, 'fetchSuspectSampleData')).total).toBe(0)
    const { rows } = await store().pool.query(
      'SELECT FROM threat_messages UNION ALL SELECT FROM threat_facets',
    )
    expect(rows).toHaveLength(0)
  })

  test('the configuration keeps what is not sent', async () => {
    const actorId = [{ type: 'header', key: 'X-Client-Id', kind: 'hostname', pattern: '^api\\.' }]
    const set = (threatConfiguration: object) =>
      ask(admin, 'modifyThreatConfiguration', { threatConfiguration })
    await set({ actor: { actorId }, archivalEnabled: null, archivalDays: 60 })
    await set({ actor: null, archivalEnabled: false })
    expect(
      await refusal(admin, 'modifyThreatConfiguration', { threatConfiguration: { archivalDays: 5 } }),
    ).toEqual([422, 'Invalid value for threatConfiguration.archivalDays'])
    expect((await ask(guest, 'fetchThreatConfiguration')).threatConfiguration).toEqual({
      actor: { actorId: [{ ...actorId[0], key: 'x-client-id' }] },
      archivalEnabled: false,
      archivalDays: 60,
    })
    const bad = {
      actor: { actorId: [{ ...actorId[0], pattern: '(' }] },
      archivalEnabled: null,
      archivalDays: null,
    }
    expect((await refusal(admin, 'modifyThreatConfiguration', { threatConfiguration: bad }))[0]).toBe(422)
    await set({ actor: { actorId: [] }, archivalEnabled: true, archivalDays: 60 })
  })
})

describe('the block list', () => {
  const list = (query = '', headers: Record<string, string> = {}) =>
    fetch(`${server.baseUrl}/api/blocklist${query}`, {
      headers: { 'x-api-key': 'testkeytestkeytestkeytestkeytestkeytestk', ...headers },
    })

  test('holds who is blocked, with an entity tag, in the form that a gateway takes', async () => {
    expect(
      await ask(member, 'modifyThreatActorStatus', { actorIp: '203.0.113.9', status: 'Blocked' }),
    ).toMatchObject({
      actorIp: '203.0.113.9',
      status: 'Blocked',
    })
    await ask(member, 'bulkModifyThreatActorStatus', {
      actorIps: ['2001:db8::9', '10.0.0.1', 'authorization:00ff…_ada'],
      status: 'blocked',
      reason: 'Scanner',
    })
    const first = await list()
    expect(await first.text()).toBe('2001:db8::9\n203.0.113.9\n')
    const tag = first.headers.get('etag')!
    expect((await list('', { 'if-none-match': tag })).status).toBe(304)
    expect((await list('', { 'if-none-match': `W/"x", ${tag}` })).status).toBe(304)
    expect(await (await list('?format=nginx')).text()).toContain('deny 203.0.113.9;\n')
    expect(await (await list('?format=envoy')).text()).toContain(
      'address_prefix: "2001:db8::9", prefix_len: 128',
    )
    expect(await (await list('?format=kong')).text()).toContain('- "203.0.113.9/32"')
    expect(await (await list('?format=json')).json()).toMatchObject({
      addresses: ['2001:db8::9', '203.0.113.9'],
      leftOut: ['10.0.0.1'],
    })
    expect((await list('?format=xml')).status).toBe(422)
    expect((await fetch(`${server.baseUrl}/api/blocklist`)).status).toBe(403)
    const file = join(server.settings.dataDir, 'blocklist', 'blocklist.txt')
    expect(await readFile(file, 'utf8')).toBe('2001:db8::9\n203.0.113.9\n')
    await ask(member, 'modifyThreatActorStatus', { actorIp: '203.0.113.9', status: 'active' })
    expect((await list('', { 'if-none-match': tag })).status).toBe(200)
    expect(await readFile(file, 'utf8')).toBe('2001:db8::9\n')
  })

  test('a status ends when its time is over, and every change is noted', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) - 1
    await ask(member, 'modifyThreatActorStatus', {
      actorIp: '192.0.2.1',
      status: 'blocked',
      expiresAt,
      reason: 'r',
    })
    expect(await (await list()).text()).not.toContain('192.0.2.1')
    const { statusChanges } = await ask(guest, 'fetchThreatActorHistory', { actor: '192.0.2.1' })
    expect(statusChanges.at(-1)).toMatchObject({
      fromStatus: 'active',
      toStatus: 'blocked',
      changedBy: 'member@example.org',
      reason: 'r',
    })
  })

  test.each(['', '   ', 'a'.repeat(33), 'blocked;', 'a\nb'])('%j is no status', async (status) => {
    expect(await refusal(member, 'modifyThreatActorStatus', { actorIp: '192.0.2.2', status })).toEqual([
      422,
      'Invalid status',
    ])
  })

  test('the answer names blocked actors that gateways let through, with the reason', async () => {
    const reasons = {
      '0.0.0.0/0': 'RANGE',
      '8.8.8.8/8': 'RANGE',
      '127.0.0.1': 'TRUSTED_PROXY',
      '10.0.0.5': 'TRUSTED_PROXY',
      '7.7.7.7; allow all': 'NO_ADDRESS',
    }
    for (const [actorIp, reason] of Object.entries(reasons)) {
      const { notEnforced } = await ask(member, 'modifyThreatActorStatus', { actorIp, status: 'blocked' })
      expect(notEnforced).toEqual([{ actor: actorIp, reason, explanation: expect.stringMatching(/\.$/) }])
    }
    const actorIps = [...Object.keys(reasons), '7.7.7.7']
    const bulk = (status: string, expiresAt = 0) =>
      ask(member, 'bulkModifyThreatActorStatus', { actorIps, status, expiresAt })
    const all = await bulk('Blocked')
    expect(all.notEnforced?.map(({ actor }) => actor)).toEqual(Object.keys(reasons))
    expect(await (await list()).text()).toContain('7.7.7.7\n')
    expect((await bulk('blocked', 1)).notEnforced?.at(-1)).toMatchObject({
      actor: '7.7.7.7',
      reason: 'TIME_IS_OVER',
    })
    expect((await bulk('active')).notEnforced).toEqual([])
  })

  test('an actor is echoed as it is kept, and one that would be cut is refused', async () => {
    const set = { status: 'active' }
    expect(await ask(member, 'modifyThreatActorStatus', { ...set, actorIp: ' 192.0.2.3 ' })).toMatchObject({
      actorIp: '192.0.2.3',
    })
    for (const actorIp of ['a'.repeat(201), 'é'.repeat(101)]) {
      const refused = await refusal(member, 'modifyThreatActorStatus', { ...set, actorIp })
      expect(refused[0]).toBe(422)
      expect((await refusal(member, 'bulkModifyThreatActorStatus', { ...set, actorIps: [actorIp] }))[0]).toBe(
        422,
      )
    }
    expect(
      (await ask(member, 'modifyThreatActorStatus', { ...set, actorIp: 'a'.repeat(200) })).actorIp,
    ).toHaveLength(200)
  })

  test('an actor has to be named, and guests change none', async () => {
    expect(await refusal(member, 'modifyThreatActorStatus', { actorIp: ' ', status: 'blocked' })).toEqual([
      422,
      'actorIp is required',
    ])
    expect(
      (await refusal(guest, 'modifyThreatActorStatus', { actorIp: '192.0.2.2', status: 'blocked' }))[0],
    ).toBe(403)
  })
})

test('a message that a filter matches becomes an event', async () => {
  await ask(admin, 'saveFilterYamlTemplate', { content: FILTER })
  const at = Math.floor(Date.now() / 1000)
  const batchData = [
    message({
      path: '/live?q=1+union+select+2',
      time: at,
      ip: '10.0.0.9',
      requestHeaders: { host: 'live.test', 'x-forwarded-for': '6.6.6.6, 8.8.8.8' },
    }),
    message({ path: '/live?q=harmless', time: at, ip: '8.8.8.8', requestHeaders: { host: 'live.test' } }),
  ]
  await ask(server, 'ingestData', { batchData })
  await ask(server, 'ingestData', { batchData })
  const { maliciousEvents } = await ask(guest, 'fetchSuspectSampleData', { latestAttack: ['OwnSqlFilter'] })
  expect(maliciousEvents).toMatchObject([
    {
      actor: '8.8.8.8',
      ip: '8.8.8.8',
      country: 'US',
      host: 'live.test',
      url: '/live?q=1+union+select+2',
      severity: 'HIGH',
    },
  ])
})

test('channels hear of new events in one message, and of who is blocked at once', async () => {
  await ask(admin, 'addCustomWebhook', {
    webhookType: 'DEFAULT',
    url: `${chat.url}/threats`,
    selectedWebhookOptions: ['NEW_THREATS', 'ACTOR_STATUS'],
    leastSeverity: 'MEDIUM',
  })
  const found = [
    event({ actor: '192.0.2.7', severity: 'MEDIUM', url: '/medium' }),
    event({ actor: '192.0.2.7', severity: 'CRITICAL', url: '/critical' }),
    event({ severity: 'LOW' }),
    event({ status: 'IGNORED' }),
  ]
  for (const one of found)
    await usingTransaction(store().pool, async (client) => {
      const { stored } = await storeEvents(client, [one])
      await announceEvents(client, stored, NOON)
    })
  await ask(member, 'modifyThreatActorStatus', { actorIp: '192.0.2.7', status: 'blocked', reason: 'Scanner' })
  await expect.poll(() => chat.heard.length, { timeout: 10_000 }).toBe(2)
  const bodies = chat.heard.map(
    ({ body }) => JSON.parse(body) as { event: string; title: string; data: object },
  )
  const [threats, status] = bodies.toSorted((a, b) => b.event.localeCompare(a.event))
  expect(threats).toMatchObject({
    title: '2 new malicious events',
    data: {
      counts: { CRITICAL: 1, HIGH: 0, MEDIUM: 1, LOW: 0 },
      threats: [{ url: '/critical', actor: '192.0.2.7' }, { url: '/medium' }],
    },
  })
  expect(status).toMatchObject({
    title: 'Threat actor 192.0.2.7: blocked',
    data: { actors: ['192.0.2.7'], status: 'blocked', setBy: 'member@example.org', reason: 'Scanner' },
  })
})

test('another detector may send what it found, again and again', async () => {
  const now = Math.floor(Date.now() / 1000)
  const sent = {
    actor: '198.51.100.77',
    filter_id: 'Outside',
    detectedAt: String(now),
    latestApiEndpoint: '/outside?x=1',
    latest_api_method: 'PUT',
    latestApiPayload: 'method: "PUT" path: "/outside?x=1" request_payload: "\\303\\251" status_code: 201',
    metadata: { countryCode: 'DE' },
    severity: 'LOW',
    unknown: [1],
  }
  const post = (maliciousEvent: object) =>
    server.post('/api/threat_detection/record_malicious_event', { maliciousEvent, sampleRequests: [] })
  const first = await post(sent)
  expect([first.status, await first.text()]).toEqual([202, ''])
  expect((await post(sent)).status).toBe(202)
  const { maliciousEvents } = await ask(guest, 'fetchSuspectSampleData', { latestAttack: ['Outside'] })
  expect(maliciousEvents).toMatchObject([
    { method: 'PUT', country: 'DE', ip: '198.51.100.77', type: 'Rule-Based' },
  ])
  expect(maliciousEvents![0]!.payload).toContain('request_payload: "\\303\\251"\nstatus_code: 201\n')
  const refused = async (change: object) => {
    const answer = await post({ ...sent, ...change })
    return [answer.status, ((await answer.json()) as { actionErrors: string[] }).actionErrors[0]]
  }
  expect(await refused({ actor: '' })).toEqual([422, 'maliciousEvent.actor is required'])
  expect(await refused({ status: 'TRAINING' })).toEqual([422, 'Invalid value for maliciousEvent.status'])
  expect(await refused({ latestApiPayload: 'method: "' })).toEqual([
    422,
    expect.stringContaining('no message'),
  ])
  expect(await refused({ detectedAt: now - 90 * DAY })).toEqual([422, expect.stringContaining('older than')])
})
