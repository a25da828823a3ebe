import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, refusal } from '../ask.ts'
import { DAY, exchangeTo, FILTER, NOON, type ThreatScene } from './scene.ts'

/** What is told of stored events, by whom and when. */
export function eventCases(scene: ThreatScene): void {
  beforeAll(async () => {
    await ask(scene.admin, 'saveFilterYamlTemplate', { content: FILTER })
    await ask(scene.admin, 'deleteAllMaliciousEvents')
    await scene.putSix()
  })
  afterAll(() => ask(scene.admin, 'deleteAllMaliciousEvents'))

  const urlsOf = (answer: { maliciousEvents: { url: string }[] | null }) =>
    answer.maliciousEvents!.map(({ url }) => url)

  test('are told whole, the newest first', async () => {
    const { maliciousEvents, total, types, limit } = await ask(scene.guest, 'fetchSuspectSampleData', {
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
        apiCollectionId: scene.shop,
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
    const answer = await ask(scene.guest, 'fetchSuspectSampleData', filter)
    expect([answer.total, answer.maliciousEvents!.length]).toEqual([count, count])
  })

  test('are sorted before they are paged', async () => {
    const page = async (sent: object) => urlsOf(await ask(scene.guest, 'fetchSuspectSampleData', sent))
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
    expect(await refusal(scene.guest, 'fetchSuspectSampleData', { latestApiOrigRegex: '(a' })).toEqual([
      422,
      'Invalid regex pattern',
    ])
  })

  test('are counted by severity, category and day', async () => {
    expect((await ask(scene.guest, 'fetchCountBySeverity')).categoryCounts).toEqual([
      { category: '', subCategory: 'CRITICAL', count: 1 },
      { category: '', subCategory: 'HIGH', count: 2 },
      { category: '', subCategory: 'MEDIUM', count: 1 },
      { category: '', subCategory: 'LOW', count: 2 },
    ])
    expect(
      (await ask(scene.guest, 'fetchThreatCategoryCount', { startTs: NOON + 1 })).categoryCounts,
    ).toEqual([
      { category: 'Own SQL', subCategory: 'OWN_SQL_UNION', count: 4 },
      { category: 'OTHER', subCategory: 'XSS', count: 1 },
    ])
    const { threatActivityTimelines } = await ask(scene.guest, 'getThreatActivityTimeline', {
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
    expect(await ask(scene.guest, 'getDailyThreatActorsCount')).toEqual({
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
    const past = await ask(scene.guest, 'getDailyThreatActorsCount', { startTs: NOON, endTs: NOON + DAY })
    expect(past).toMatchObject({ totalAnalysed: 4, totalCriticalActors: 1, activeActorsCount: 2 })
    expect(past.actorsCounts.map(({ totalActors }) => totalActors)).toEqual([1, 2])
    const filtered = await ask(scene.guest, 'getDailyThreatActorsCount', { latestAttack: ['Gone'] })
    expect(filtered).toMatchObject({ totalAnalysed: 1, totalCriticalActors: 0, activeActorsCount: 1 })
    const countries = (window: object) =>
      ask(scene.guest, 'getActorsCountPerCounty', window).then((answer) => answer.actorsCountPerCountry)
    expect(await countries({})).toEqual([
      { country: 'AU', count: 2 },
      { country: 'US', count: 1 },
      { country: '', count: 1 },
    ])
    const never = { startTs: NOON + DAY, endTs: NOON }
    expect(await countries(never)).toEqual([])
    expect((await ask(scene.guest, 'getDailyThreatActorsCount', never)).actorsCounts).toEqual([])
    expect((await ask(scene.guest, 'fetchThreatActors', never)).total).toBe(0)
    expect((await ask(scene.guest, 'fetchThreatApis', never)).total).toBe(0)
    expect((await ask(scene.guest, 'fetchCountBySeverity', never)).categoryCounts).toEqual([])
    expect(await countries({ endTs: NOON + DAY })).toEqual([
      { country: 'AU', count: 1 },
      { country: '', count: 1 },
    ])
  })

  test('endpoints are told by path, method and host', async () => {
    const { apis, total } = await ask(scene.guest, 'fetchThreatApis', { sort: { requestsCount: -1 } })
    expect(total).toBe(4)
    expect(apis![0]).toEqual({
      api: '/rest/products/search',
      method: 'GET',
      host: 'shop.test',
      requestsCount: 3,
      actorsCount: 2,
      discoveredAt: NOON,
    })
    const within = await ask(scene.guest, 'fetchThreatApis', { startTs: NOON + DAY, endTs: NOON + DAY })
    expect(within.apis).toMatchObject([{ requestsCount: 2, actorsCount: 2, discoveredAt: NOON }])
    const byActors = await ask(scene.guest, 'fetchThreatApis', {
      startTs: NOON + 1,
      sort: { actorsCount: 1 },
    })
    expect(byActors.apis!.map(({ actorsCount }) => actorsCount)).toEqual([1, 1, 1, 2])
    const byFilter = await ask(scene.guest, 'fetchThreatApis', { latestAttack: ['Gone'] })
    expect(byFilter.apis).toMatchObject([{ requestsCount: 1, actorsCount: 1, discoveredAt: NOON + DAY }])
    expect((await ask(scene.guest, 'fetchThreatApis', { skip: 3 })).apis).toHaveLength(1)
  })

  test('actors are told by their newest event', async () => {
    const { actors, total } = await ask(scene.guest, 'fetchThreatActors', { sort: { discoveredAt: 1 } })
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
      (await ask(scene.guest, 'fetchThreatActors', sent)).actors!.map(({ id }) => id)
    expect(await ids({ endTs: NOON + 60 })).toEqual(['203.0.113.9'])
    expect(await ids({ startTs: NOON + 2 * DAY })).toEqual(['203.0.113.11'])
    expect(await ids({ latestAttack: ['Gone'] })).toEqual(['203.0.113.9'])
    expect(await ids({ latestAttack: ['Gone'], endTs: NOON + 60 })).toEqual([])
    expect(await ids({ country: ['US'] })).toEqual(['203.0.113.10'])
    expect(await ids({ host: ['other.test'] })).toEqual(['203.0.113.10'])
    expect(await ids({ actorId: ['203.0.113.11'] })).toEqual(['203.0.113.11'])
    expect(await ids({ sort: { lastSeen: -1 }, limit: 1, skip: 1 })).toEqual(['203.0.113.10'])
    const { actorActivities } = await ask(scene.guest, 'fetchThreatsForActor', {
      actor: '203.0.113.10',
      limit: 1,
    })
    expect(actorActivities).toMatchObject([{ host: 'other.test', metadata: 'country_code: "US"\n' }])
  })

  test('choices are distinct and ascending', async () => {
    expect(await ask(scene.guest, 'fetchFiltersThreatTable')).toMatchObject({
      ips: ['203.0.113.10', '203.0.113.11', '203.0.113.9'],
      subCategory: ['OwnSqlFilter'],
      urls: ['/b', '/free', '/rest/login', '/rest/products/search?q=%27--'],
      hosts: ['other.test', 'shop.test'],
    })
    expect(
      await ask(scene.guest, 'fetchFiltersThreatTable', { startTimestamp: NOON + 2 * DAY }),
    ).toMatchObject({
      ips: ['203.0.113.11'],
      urls: ['/free'],
      hosts: [],
    })
    expect(await ask(scene.guest, 'fetchFiltersForThreatActors')).toMatchObject({
      country: ['AU', 'US'],
      latestAttack: ['OwnSqlFilter'],
      actorId: ['203.0.113.10', '203.0.113.11', '203.0.113.9'],
      host: ['other.test', 'shop.test'],
    })
  })

  test('whole messages stand behind an event', async () => {
    const leading = [0, 1, 2].map((i) => ({ exchange: exchangeTo(`/try?n=${i}`, NOON + i), evidence: [] }))
    const fired = scene.event({
      eventType: 'AGGREGATED',
      url: '/try?n=2',
      detectedAt: NOON + 2,
      messages: leading.toReversed(),
    })
    await scene.put(fired)
    const behind = async (sent: object) =>
      (await ask(scene.guest, 'fetchAggregateMaliciousRequests', sent)).maliciousPayloadsResponses!.map(
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
    expect(await refusal(scene.guest, 'fetchAggregateMaliciousRequests', { actor: 'a' })).toEqual([
      422,
      'refId is required',
    ])
    await ask(scene.member, 'deleteMaliciousEvents', { eventId: fired.id })
  })

  test('who may see some collections sees events of these only', async () => {
    await scene.restrict([scene.other])
    const { total, maliciousEvents } = await ask(scene.guest, 'fetchSuspectSampleData')
    expect([total, urlsOf({ maliciousEvents })]).toEqual([1, ['/b']])
    expect((await ask(scene.guest, 'fetchCountBySeverity')).categoryCounts).toHaveLength(1)
    expect((await ask(scene.guest, 'fetchThreatApis')).apis!.map(({ api }) => api)).toEqual(['/b'])
    const { actors } = await ask(scene.guest, 'fetchThreatActors', { sort: { discoveredAt: 1 } })
    expect(actors!.map(({ id, discoveredAt, activity }) => [id, discoveredAt, activity.length])).toEqual([
      ['203.0.113.10', NOON + DAY + 1, 1],
    ])
    expect((await ask(scene.guest, 'fetchThreatActors', { endTs: NOON + DAY })).total).toBe(0)
    expect((await ask(scene.guest, 'getDailyThreatActorsCount')).actorsCounts).toHaveLength(1)
    expect((await ask(scene.guest, 'getActorsCountPerCounty')).actorsCountPerCountry).toHaveLength(1)
    expect(await ask(scene.guest, 'fetchFiltersThreatTable')).toMatchObject({
      hosts: ['other.test'],
      urls: ['/b'],
    })
    expect(await ask(scene.guest, 'fetchFiltersForThreatActors')).toMatchObject({
      actorId: ['203.0.113.10'],
    })
    expect(
      (await ask(scene.guest, 'fetchThreatsForActor', { actor: '203.0.113.9' })).actorActivities,
    ).toEqual([])
    const hidden = (await ask(scene.admin, 'fetchSuspectSampleData', { urls: ['/rest/login'] }))
      .maliciousEvents![0]!
    const asked = { refId: hidden.refId, eventType: 'SINGLE' }
    expect(
      (await ask(scene.guest, 'fetchAggregateMaliciousRequests', asked)).maliciousPayloadsResponses,
    ).toEqual([])
    expect(
      (await refusal(scene.guest, 'fetchSuspectSampleData', { apiCollectionIds: [scene.shop] }))[0],
    ).toBe(403)
    await scene.restrict(null)
  })
}
