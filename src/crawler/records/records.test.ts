import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { createSealer, nowMs, nowSeconds, setClock } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { WorkItem } from '../explore/frontier.ts'
import {
  claimCrawl,
  closeCrawls,
  createCrawl,
  findCrawl,
  freeWork,
  holdsCrawl,
  keepCrawl,
  keepCrawlerModule,
  listSteps,
  listUrls,
  type NewCrawl,
  navigationGraph,
  openSecrets,
  pageUrls,
  reportStatus,
  requestStop,
  StoredFrontier,
  saveLog,
  saveSteps,
  saveUrls,
  workCounts,
} from './index.ts'

const asIs = (text: string): string => text

let store: Store
let close: () => Promise<void>
const sealer = createSealer('an instance key of the tests')

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
})
afterAll(() => close())

const asked: NewCrawl = {
  hostname: 'https://shop.test',
  startedBy: 'ada@example.org',
  collectionId: 7,
  moduleName: null,
  crawlingSeconds: 600,
  harmfulActions: 'AVOID',
  isTestedAfter: false,
  executor: null,
  outScopeUrls: null,
  urlTemplatePatterns: null,
  applicationPages: null,
  testRoleId: null,
  dashboardUrl: 'https://vigil.test',
  secrets: {
    username: 'ann',
    password: 'masked-secret',
    apiKey: null,
    isApiKeyForTarget: true,
    customHeaders: {},
  },
}

function made(change: Partial<NewCrawl> = {}): Promise<string> {
  return createCrawl(store, sealer, { ...asked, ...change })
}

function claimFor(moduleName: string | null, leaseOwner: string, visible: number[] | null = null) {
  return claimCrawl(store, { moduleName, leaseOwner, leaseSeconds: 20, visible })
}

function work(key: string, change: Partial<WorkItem> = {}): WorkItem {
  return { kind: 'load', key, location: 'l', priority: 1, payload: '{}', ...change }
}

/** Runs work with the clock put forward. */
async function later<T>(seconds: number, act: () => Promise<T>): Promise<T> {
  const at = nowMs() + seconds * 1000
  const back = setClock(() => at)
  try {
    return await act()
  } finally {
    back()
  }
}

describe('a crawl', () => {
  test('goes to one process, and to another when its lease has lapsed', async () => {
    const id = await made({ moduleName: 'claims' })
    expect((await claimFor('claims', 'a'))?.id).toBe(id)
    expect(await claimFor('claims', 'b')).toBeNull()
    await later(15, () => keepCrawl(store, id, { leaseOwner: 'a', leaseSeconds: 20, activeMs: 900 }))
    expect(await later(30, () => claimFor('claims', 'b'))).toBeNull()
    const again = await later(40, () => claimFor('claims', 'b'))
    expect([again?.id, again?.activeMs]).toEqual([id, 900])
    const signs = await keepCrawl(store, id, { leaseOwner: 'a', leaseSeconds: 20, activeMs: null })
    expect(signs).toBeNull()
  })

  test('is given out before those that were asked for later, in the same second too', async () => {
    const now = nowSeconds()
    const ids: string[] = []
    for (let i = 0; i < 8; i++)
      ids.push(await createCrawl(store, sealer, { ...asked, moduleName: 'queue' }, now))
    const taken: (string | undefined)[] = []
    for (let i = 0; i < 8; i++) taken.push((await claimFor('queue', 'a'))?.id)
    expect(taken).toEqual(ids)
  })

  test('is leased no longer than its last heartbeat asked for', async () => {
    const id = await made({ moduleName: 'short' })
    expect((await claimFor('short', 'a'))?.id).toBe(id)
    await keepCrawl(store, id, { leaseOwner: null, leaseSeconds: 5, activeMs: 900 })
    expect(await later(4, () => claimFor('short', 'b'))).toBeNull()
    expect((await later(6, () => claimFor('short', 'b')))?.id).toBe(id)
  })

  test('of a collection that the module may not see is not given out', async () => {
    await made({ moduleName: 'restricted' })
    expect(await claimFor('restricted', 'a', [8])).toBeNull()
    expect(await claimFor('restricted', 'a', [7, 8])).not.toBeNull()
  })

  test('keeps its secrets sealed until its end', async () => {
    const id = await made({ moduleName: 'secrets' })
    const run = await findCrawl(store, id)
    expect(run!.sealedSecrets).not.toContain('masked-secret')
    expect(openSecrets(sealer, run!).password).toBe('masked-secret')
    await reportStatus(store, id, 'STOPPED')
    expect((await findCrawl(store, id))!.sealedSecrets).toBeNull()
  })

  test('that nobody took stops at once; one that runs is asked; one that ended stays', async () => {
    const waiting = await made({ moduleName: 'stops' })
    expect(await requestStop(store, waiting)).toBe('STOPPED')
    const running = await made({ moduleName: 'stops' })
    await claimFor('stops', 'a')
    await reportStatus(store, running, 'RUNNING')
    expect(await requestStop(store, running)).toBe('STOP_REQUESTED')
    await reportStatus(store, running, 'RUNNING')
    const signs = await keepCrawl(store, running, { leaseOwner: null, leaseSeconds: 20, activeMs: null })
    expect(signs).toMatchObject({ status: 'RUNNING', isStopRequested: true })
    await reportStatus(store, running, 'STOPPED')
    expect(await requestStop(store, running)).toBe('STOPPED')
    expect(await requestStop(store, 'no such crawl')).toBeUndefined()
  })

  test('makes tests due at its first completion only', async () => {
    const id = await made({ isTestedAfter: true, moduleName: 'tests' })
    await reportStatus(store, id, 'FAILED', { errorMessage: 'x' })
    const due = async () =>
      (await store.pool.query('SELECT tests_due_at FROM crawls WHERE id = $1', [id])).rows[0].tests_due_at
    expect(await due()).toBe(0)
    await reportStatus(store, id, 'COMPLETED')
    expect(await due()).toBeGreaterThan(0)
    await store.pool.query(`UPDATE crawls SET tests_due_at = 0, tests_run_id = 'r' WHERE id = $1`, [id])
    await reportStatus(store, id, 'COMPLETED')
    expect(await due()).toBe(0)
  })

  test('is closed when nobody picks it up, its module falls silent, or its time is long over', async () => {
    const unclaimed = await made({ moduleName: 'nobody' })
    const silent = await made({ moduleName: 'silent', crawlingSeconds: 100_000 })
    await claimFor('silent', 'a')
    await reportStatus(store, silent, 'RUNNING')
    const late = await made({ moduleName: 'late' })
    await reportStatus(store, late, 'RUNNING')
    await later(1300, async () => {
      await keepCrawl(store, late, { leaseOwner: null, leaseSeconds: 20, activeMs: null })
      await closeCrawls(store)
    })
    expect(await findCrawl(store, unclaimed)).toMatchObject({
      status: 'FAILED',
      errorMessage: 'No crawler module picked up the job',
    })
    expect(await findCrawl(store, silent)).toMatchObject({
      status: 'FAILED',
      errorMessage: 'Crawler module stopped responding',
    })
    expect(await findCrawl(store, late)).toMatchObject({ status: 'COMPLETED', errorMessage: null })
  })

  test('of a module stays with the process that took it, not with the next one of that name', async () => {
    const id = await made({ moduleName: 'renewed', crawlingSeconds: 100_000 })
    const beat = (process: string) =>
      keepCrawlerModule(store, { id: process, kind: 'DAST', name: 'renewed', version: null, startedAt: 1 })
    await beat('first')
    await claimCrawl(store, {
      moduleName: 'renewed',
      leaseOwner: 'renewed',
      leaseSeconds: 300,
      visible: null,
    })
    await later(290, () => beat('first'))
    expect(await later(400, () => holdsCrawl(store, 'renewed'))).toBe(true)
    await later(580, () => beat('second'))
    expect(await later(600, () => claimFor('renewed', 'renewed'))).toMatchObject({ id })
  })
})

describe('the work of a crawl', () => {
  let id: string
  let first: StoredFrontier
  let second: StoredFrontier
  beforeAll(async () => {
    id = await made({ moduleName: 'work' })
    first = new StoredFrontier(store, id, 'one')
    second = new StoredFrontier(store, id, 'two')
  })

  test('is added once, and taken by priority in order of arrival', async () => {
    const added = await first.add([work('a'), work('b', { priority: 5 }), work('c'), work('a')])
    expect([added, await second.add([work('c'), work('d')])]).toEqual([3, 1])
    const taken = [await first.take('load'), await second.take('load'), await first.take('load')]
    expect(taken.map((item) => item?.key)).toEqual(['b', 'a', 'c'])
    expect(await first.take('probe')).toBeNull()
    expect(await first.counts()).toEqual({
      waiting: { load: 1, explore: 0, probe: 0 },
      leased: 3,
      helpers: 0,
    })
    for (const item of taken) await first.done(item!.id)
    expect(await first.add([work('b')])).toBe(0)
  })

  test('of a dead lease owner is free after a minute, or at once when it is known to be dead', async () => {
    const item = await first.take('load')
    expect([item?.key, item?.attempts]).toEqual(['d', 0])
    expect(await later(50, () => second.take('load'))).toBeNull()
    await later(50, () => first.renew(item!.id))
    expect(await later(100, () => second.take('load'))).toBeNull()
    const again = await later(120, () => second.take('load'))
    expect([again?.key, again?.attempts]).toEqual(['d', 1])
    await freeWork(store, id, 'two')
    expect((await first.take('load'))?.attempts).toBe(2)
  })

  test('given back keeps its remaining work; the second failure ends it with its reason', async () => {
    await first.add([work('e', { kind: 'explore' })])
    const taken = await first.take('explore')
    await first.putBack(taken!.id, { priority: 9, payload: '{"left":2}' })
    const again = await second.take('explore')
    expect(again).toMatchObject({ priority: 9, payload: '{"left":2}' })
    expect(await second.fail(again!.id, 'page crashed')).toBe(true)
    expect(await second.fail((await second.take('explore'))!.id, 'page crashed')).toBe(false)
    expect(await second.take('explore')).toBeNull()
    expect((await workCounts(store.pool, id)).dead).toBe(1)
  })

  test('over which lease owners keep dying is given up', async () => {
    await first.add([work('killer', { kind: 'probe' })])
    let taken = 0
    while (taken < 20 && (await first.take('probe')) !== null) {
      taken++
      await freeWork(store, id, 'one')
    }
    expect(taken).toBe(6)
  })

  test('is counted and removed at the end, except what was given up', async () => {
    await reportStatus(store, id, 'COMPLETED')
    const { workCounts: kept } = (await findCrawl(store, id))!
    expect(kept).toEqual({ waiting: { load: 1, explore: 0, probe: 0 }, done: 3, dead: 2 })
  })
})

describe('what a crawl found', () => {
  let id: string
  const found = {
    isAccepted: true,
    reason: '',
    origin: 'link',
    foundAt: 5,
    sourceXpath: null,
    buttonText: null,
  }
  beforeAll(async () => {
    id = await made({ moduleName: 'found' })
  })

  test('is one URL for every source, as told last', async () => {
    const url = 'https://shop.test/a'
    const urls = [
      { ...found, url, sourceUrl: '/' },
      { ...found, url, sourceUrl: '/', isAccepted: false, reason: 'other host' },
      { ...found, url, sourceUrl: '/b', buttonText: `x\0${'y'.repeat(600)}` },
    ]
    await saveUrls(store, id, urls, asIs)
    const kept = await listUrls(store, id)
    expect(kept.map(({ sourceUrl, isAccepted }) => [sourceUrl, isAccepted])).toEqual(
      expect.arrayContaining([
        ['/', false],
        ['/b', true],
      ]),
    )
    expect(kept.find(({ sourceUrl }) => sourceUrl === '/b')?.buttonText).toHaveLength(500)
    const page = await pageUrls(store, id, {
      accepted: false,
      reason: null,
      search: 'SHOP',
      skip: 0,
      limit: 10,
    })
    expect([page.total, page.reasons]).toEqual([1, [{ reason: 'other host', count: 1 }]])
    expect(await findCrawl(store, id)).toMatchObject({ acceptedUrls: 1, rejectedUrls: 1 })
  })

  test('is a graph of steps with their elements and calls', async () => {
    const step = {
      from: 'home',
      to: 'list',
      fromUrl: 'https://shop.test/',
      toUrl: 'https://shop.test/#/list',
      action: 'click',
      xpath: '//a[1]',
      text: 'Show "all"]; click p0',
      calls: ['GET https://shop.test/api/items'],
    }
    const start = { ...step, from: '', to: 'home', toUrl: 'https://shop.test/', action: 'load', calls: [] }
    await saveSteps(store, id, [start, step, { ...step, calls: [] }], asIs)
    await saveSteps(store, id, [step], asIs)
    expect(await listSteps(store, id, 'https://shop.test/api/items', 10)).toEqual([step])
    const text = navigationGraph(await listSteps(store, id, null, 10))
    expect(text).toContain('p1["/#35;/list"]')
    expect(text.split('\n').filter((line) => line.includes('-->'))).toHaveLength(1)
    expect(text).not.toContain('"]; click')
    expect(navigationGraph([{ ...step, text: '' }])).toContain('click //a#91;1#93;')
  })

  test('has a log', async () => {
    await saveLog(store, id, [{ at: nowSeconds(), level: 'info', line: 'begun' }], asIs)
    await saveLog(store, 'no such crawl', [{ at: 1, level: 'info', line: 'nobody' }], asIs)
    const { rows } = await store.pool.query('SELECT line FROM crawl_logs')
    expect(rows).toEqual([{ line: 'begun' }])
  })
})
