import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, refusal } from '../ask.ts'
import { DAY, FILTER, NOON, type ThreatScene } from './scene.ts'

const HOUR = 3_600
const none = { critical: 0, high: 0, medium: 0, low: 0, other: 0 }

/** What pages show of threats over time and of one actor. */
export function overviewCases(scene: ThreatScene): void {
  beforeAll(async () => {
    await ask(scene.admin, 'saveFilterYamlTemplate', { content: FILTER })
    await ask(scene.admin, 'deleteAllMaliciousEvents')
    await scene.putSix()
  })
  afterAll(() => ask(scene.admin, 'deleteAllMaliciousEvents'))

  test('events are counted by minute, hour, day, week and month, with their severities', async () => {
    const timeline = (request: object) =>
      ask(scene.guest, 'fetchThreatTimeline', { startTs: NOON - HOUR, endTs: NOON + DAY, ...request })
    expect((await timeline({ bucket: 'MINUTE', endTs: NOON + HOUR })).buckets).toEqual([
      { ...none, start: NOON, high: 1 },
      { ...none, start: NOON + 60, critical: 1 },
    ])
    expect((await timeline({ bucket: 'HOUR' })).buckets).toEqual([
      { ...none, start: NOON, critical: 1, high: 1 },
      { ...none, start: NOON + DAY, high: 1, low: 2 },
    ])
    const days = [
      { ...none, start: NOON - DAY / 2, critical: 1, high: 1 },
      { ...none, start: NOON + DAY / 2, high: 1, low: 2 },
    ]
    expect(await timeline({ bucket: 'DAY' })).toEqual({ bucket: 'DAY', buckets: days })
    for (const bucket of ['WEEK', 'MONTH'] as const) {
      const { buckets } = await timeline({ bucket })
      const sum = buckets.reduce((all, { critical, high, low }) => all + critical + high + low, 0)
      expect([bucket, sum]).toEqual([bucket, 5])
      for (const { start } of buckets) {
        const date = new Date(start * 1000)
        expect(bucket === 'WEEK' ? date.getUTCDay() : date.getUTCDate()).toBe(1)
      }
    }
  })

  test('buckets fit the events unless one is asked for, and never make too many', async () => {
    const bucketOf = async (request: object) =>
      (await ask(scene.guest, 'fetchThreatTimeline', request)).bucket
    expect(await bucketOf({ startTs: NOON, endTs: NOON + HOUR })).toBe('MINUTE')
    expect(await bucketOf({ startTs: NOON - 60 * DAY, endTs: NOON + HOUR })).toBe('MINUTE')
    expect(await bucketOf({ startTs: NOON, endTs: NOON + 2 * DAY })).toBe('HOUR')
    expect(await bucketOf({})).toBe('HOUR')
    // Two days have 2,880 minutes, more bars than a chart can show.
    expect(await bucketOf({ bucket: 'MINUTE' })).toBe('HOUR')
    await scene.put(scene.event({ detectedAt: NOON - 70 * DAY, actor: '192.0.2.70', ip: '192.0.2.70' }))
    expect(await bucketOf({})).toBe('DAY')
    expect(await bucketOf({ bucket: 'MINUTE' })).toBe('DAY')
    await ask(scene.member, 'deleteMaliciousEvents', { actors: ['192.0.2.70'] })
  })

  test('filters of the timeline are those of the list, and restricted people count their collections', async () => {
    const sum = async (request: object) =>
      (await ask(scene.guest, 'fetchThreatTimeline', { bucket: 'DAY', ...request })).buckets.reduce(
        (all, { critical, high, medium, low, other }) => all + critical + high + medium + low + other,
        0,
      )
    expect(await sum({})).toBe(6)
    expect(await sum({ actors: ['203.0.113.10'] })).toBe(2)
    expect(await sum({ latestAttack: ['Gone'] })).toBe(1)
    expect(await sum({ hosts: ['other.test'] })).toBe(1)
    expect(await sum({ severity: ['LOW'] })).toBe(2)
    await scene.restrict([scene.other])
    try {
      expect(await sum({})).toBe(1)
      const { events, endpoints } = await ask(scene.guest, 'fetchThreatActorOverview', {
        actor: '203.0.113.10',
      })
      expect([events, endpoints.map(({ host }) => host)]).toEqual([1, ['other.test']])
    } finally {
      await scene.restrict(null)
    }
  })

  test('an actor has sessions, endpoints, and what came since it was blocked', async () => {
    const overview = () => ask(scene.guest, 'fetchThreatActorOverview', { actor: '203.0.113.9' })
    const before = await overview()
    expect(before).toMatchObject({ events: 3, block: null })
    expect(before.sessions).toMatchObject([
      { startedAt: NOON + DAY, endedAt: NOON + DAY, events: 1, endpoints: 1, worstSeverity: 'LOW' },
      { startedAt: NOON, endedAt: NOON + 60, events: 2, endpoints: 2, worstSeverity: 'CRITICAL' },
    ])
    expect(before.endpoints.map(({ method, path, events }) => [method, path, events])).toEqual([
      ['GET', '/rest/products/search', 2],
      ['POST', '/rest/login', 1],
    ])
    await ask(scene.member, 'modifyThreatActorStatus', { actorIp: '203.0.113.9', status: 'blocked' })
    const since = (await overview()).block!.since
    expect((await overview()).block).toMatchObject({ events: 0, lastEventAt: 0 })
    await scene.put(scene.event({ detectedAt: since + 5 }))
    expect((await overview()).block).toMatchObject({ events: 1, lastEventAt: since + 5 })
    // Whether an actor is blocked is not told to people who see none of its events.
    await scene.restrict([scene.other])
    try {
      expect(await overview()).toMatchObject({ events: 0, sessions: [], endpoints: [], block: null })
    } finally {
      await scene.restrict(null)
    }
    await ask(scene.member, 'modifyThreatActorStatus', { actorIp: '203.0.113.9', status: 'active' })
    expect((await overview()).block).toBeNull()
    expect(await ask(scene.guest, 'fetchThreatActorOverview', { actor: 'nobody' })).toMatchObject({
      events: 0,
      sessions: [],
      endpoints: [],
    })
  })

  test('that a key fetched the block list is noted, not that a page shows it', async () => {
    const reads = async () =>
      (await ask(scene.admin, 'fetchThreatActorOverview', { actor: '203.0.113.9' })).blockListReads
    const of = async (format: string) => (await reads()).find((one) => one.format === format)
    await scene.store.pool.query('DELETE FROM block_list_reads')
    const url = `${scene.server.baseUrl}/api/blocklist?format=nginx`
    const answer = await fetch(url, { headers: { 'x-api-key': 'testkeytestkeytestkeytestkeytestkeytestk' } })
    expect(answer.status).toBe(200)
    expect((await of('nginx'))!.fetchedAt).toBeGreaterThan(Date.now() / 1000 - 60)
    await scene.restrict([scene.other])
    try {
      expect(await ask(scene.guest, 'fetchThreatActorOverview', { actor: '203.0.113.9' })).toMatchObject({
        blockListReads: [],
      })
    } finally {
      await scene.restrict(null)
    }
  })

  test('a filter that is off, or a draft, inspects nothing until it is on', async () => {
    const attack = (path: string) =>
      ask(scene.server, 'ingestData', {
        batchData: [
          {
            method: 'GET',
            path,
            requestHeaders: '{"host":"shop.test"}',
            responseHeaders: '{"content-type":"application/json"}',
            statusCode: '200',
            status: 'OK',
            type: 'HTTP/1.1',
            ip: '203.0.113.77',
            time: String(Math.floor(Date.now() / 1000)),
            source: 'MIRRORING',
            akto_vxlan_id: '0',
            akto_account_id: '1000000',
          },
        ],
      })
    const found = async () =>
      (
        await ask(scene.admin, 'fetchSuspectSampleData', {
          ips: ['203.0.113.77'],
          latestAttack: ['OwnSqlFilter'],
        })
      ).total
    const state = async () =>
      (await ask(scene.guest, 'fetchFilterYamlTemplate')).templates!.find(({ id }) => id === 'OwnSqlFilter')!
        .state
    const switched = { templateIds: ['OwnSqlFilter'], state: 'OFF' } as const
    expect((await refusal(scene.member, 'setFilterState', switched))[0]).toBe(403)
    expect(await ask(scene.admin, 'setFilterState', switched)).toEqual({ templateIds: ['OwnSqlFilter'] })
    expect(await state()).toBe('OFF')
    await attack('/rest/off?q=union+select')
    await ask(scene.admin, 'saveFilterYamlTemplate', { content: FILTER })
    expect(await state()).toBe('OFF')
    await ask(scene.admin, 'saveFilterYamlTemplate', { content: FILTER, state: 'DRAFT' })
    expect(await state()).toBe('DRAFT')
    await attack('/rest/draft?q=union+select')
    await ask(scene.admin, 'setFilterState', { ...switched, state: 'ON' })
    await attack('/rest/on?q=union+select')
    await expect.poll(found).toBe(1)
    expect((await refusal(scene.admin, 'setFilterState', { ...switched, templateIds: ['None'] }))[0]).toBe(
      422,
    )
  })
}
