import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../../test/store-fixture.ts'
import { createSealer, nowSeconds } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import type { LearnedFact } from '../explore/learned.ts'
import {
  claimCrawl,
  countHelpers,
  createCrawl,
  dismissHelpers,
  joinCrawl,
  keepCrawl,
  keepWorker,
  leaveCrawl,
  noteIdle,
  reportStatus,
  requestStop,
  StoredFrontier,
  shareLearned,
  stopSharing,
} from './index.ts'

let store: Store
let close: () => Promise<void>
const sealer = createSealer('an instance key of the tests')

beforeAll(async () => {
  ;({ store, close } = await openTestStore())
})
afterAll(() => close())

/** A crawl of a module that runs and has pieces of work that wait. */
async function running(moduleName: string, waiting = 3): Promise<string> {
  const id = await createCrawl(store, sealer, {
    hostname: 'https://shop.test',
    startedBy: 'ada@example.org',
    collectionId: 7,
    moduleName,
    crawlingSeconds: 600,
    harmfulActions: 'AVOID',
    isTestedAfter: false,
    executor: null,
    outScopeUrls: null,
    urlTemplatePatterns: null,
    applicationPages: null,
    testRoleId: null,
    dashboardUrl: 'https://vigil.test',
    secrets: { username: null, password: null, apiKey: null, isApiKeyForTarget: true, customHeaders: {} },
  })
  await claimCrawl(store, { moduleName, leaseOwner: 'lead', leaseSeconds: 60, visible: null })
  await reportStatus(store, id, 'RUNNING')
  const keys = Array.from({ length: waiting }, (_, n) => `w${n}`)
  const items = keys.map((key) => ({ kind: 'load' as const, key, location: 'l', priority: 1, payload: '{}' }))
  await new StoredFrontier(store, id, 'lead').add(items)
  return id
}

function join(moduleName: string, worker: string, most = 2) {
  return joinCrawl(store, {
    moduleName,
    worker,
    leaseSeconds: 60,
    most,
    visible: null,
    leaseOwner: null,
    afterSeconds: 0,
    exceptFor: [],
  })
}

function leadBeat(id: string) {
  return keepCrawl(store, id, { leaseOwner: 'lead', leaseSeconds: 60, activeMs: 1 })
}

test('helpers join a crawl while it has work for them, up to the limit', async () => {
  const id = await running('joined')
  expect(await join('joined', 'b', 1)).toBeNull()
  expect(await join('joined', 'b')).toMatchObject({ crawl: { id }, workers: 2 })
  expect(await join('joined', 'c')).toBeNull()
  const both = await Promise.all([join('joined', 'd', 3), join('joined', 'e', 3)])
  expect(both.filter((joined) => joined !== null)).toHaveLength(1)
  expect((await leadBeat(id))?.workers).toBe(3)
  expect(await running('no-work', 1)).not.toBe(id)
  expect(await join('no-work', 'b')).toBeNull()
})

test('helpers that are not idle, and what they have in work, hold the end up', async () => {
  const id = await running('idle')
  await join('idle', 'b')
  const [lead, helper] = [new StoredFrontier(store, id, 'lead'), new StoredFrontier(store, id, 'b')]
  for (;;) {
    const item = await lead.take('load')
    if (item === null) break
    await lead.done(item.id)
  }
  const nothing = { waiting: { load: 0, explore: 0, probe: 0 }, leased: 0 }
  expect(await lead.counts()).toEqual({ ...nothing, helpers: 1 })
  expect(await helper.counts()).toEqual({ ...nothing, helpers: 0 })
  await noteIdle(store, id, 'b', true)
  expect(await lead.counts()).toEqual({ ...nothing, helpers: 0 })
  await noteIdle(store, id, 'b', false)
  const long = nowSeconds() + 61
  expect((await keepWorker(store, id, 'b', 60))?.workers).toBe(2)
  expect(await countHelpers(store, id, long)).toBe(0)
})

test('what a helper had is free when it leaves, and its place too', async () => {
  const id = await running('leaves', 2)
  await join('leaves', 'b')
  const helper = new StoredFrontier(store, id, 'b')
  expect([await helper.take('load'), await helper.take('load')]).not.toContain(null)
  expect(await new StoredFrontier(store, id, 'lead').take('load')).toBeNull()
  await leaveCrawl(store, id, 'b')
  expect(await new StoredFrontier(store, id, 'lead').take('load')).not.toBeNull()
  expect(await keepWorker(store, id, 'b', 60)).toBeNull()
})

test('a stop, the end of the lease owner and a login that only one may have reach helpers', async () => {
  const stopped = await running('stopped')
  await join('stopped', 'b')
  expect((await keepWorker(store, stopped, 'b', 60))?.isStopRequested).toBe(false)
  await requestStop(store, stopped)
  expect((await keepWorker(store, stopped, 'b', 60))?.isStopRequested).toBe(true)
  await reportStatus(store, stopped, 'STOPPED')
  expect(await keepWorker(store, stopped, 'b', 60)).toBeNull()

  const ending = await running('ending')
  await join('ending', 'b')
  expect(await dismissHelpers(store, ending)).toBe(1)
  expect((await keepWorker(store, ending, 'b', 60))?.isStopRequested).toBe(true)
  await leaveCrawl(store, ending, 'b')
  expect([await dismissHelpers(store, ending), await join('ending', 'c')]).toEqual([0, null])

  const alone = await running('alone')
  await join('alone', 'b')
  await stopSharing(store, alone)
  expect((await keepWorker(store, alone, 'b', 60))?.isStopRequested).toBe(true)
  expect([(await leadBeat(alone))?.isStopRequested, await join('alone', 'c', 5)]).toEqual([false, null])
})

test('what two processes learned is added up, and each hears what is new', async () => {
  const id = await running('learned')
  const fact = (kind: LearnedFact['kind'], key: string, value = 1, note = ''): LearnedFact => ({
    kind,
    key,
    value,
    note,
  })
  const first = await shareLearned(store, id, 0, [
    fact('kind', 'GET /a'),
    fact('signature', 's', 2),
    fact('left', '/p', 1, '["x",0,false]'),
  ])
  const [again, other] = await Promise.all([
    shareLearned(store, id, first.revision, [fact('kind', 'GET /a'), fact('signature', 's', 1)]),
    shareLearned(store, id, 0, [fact('left', '/p', 1, '["x",3,true]'), fact('kind', 'GET /b')]),
  ])
  expect(again.facts).toContainEqual(fact('signature', 's', 3))
  expect(again.facts).not.toContainEqual(fact('kind', 'GET /a'))
  expect(other.facts).toContainEqual(fact('left', '/p', 2, '["x",3,true]'))
  const last = Math.max(again.revision, other.revision)
  const back = await shareLearned(store, id, last, [fact('signature', 's', -2)])
  expect(back.facts).toEqual([fact('signature', 's', 1)])
  expect((await shareLearned(store, id, back.revision, [])).facts).toEqual([])
  await reportStatus(store, id, 'COMPLETED')
  expect((await shareLearned(store, id, 0, [fact('kind', 'late')])).facts).toEqual([])
})

test('what is learned keeps its bounds, the newest first', async () => {
  const id = await running('bounded')
  for (let turn = 0; turn < 16; turn++) {
    const facts = Array.from({ length: 50 }, (_, n): LearnedFact => {
      return { kind: 'kind', key: `${turn} ${n} ${'x'.repeat(2_000)}`, value: 1, note: '' }
    })
    await shareLearned(store, id, 0, facts)
  }
  const { facts } = await shareLearned(store, id, 0, [])
  expect(facts.length).toBeLessThan(550)
  expect(facts.length).toBeGreaterThan(400)
  expect(facts.at(-1)?.key).toMatch(/^15 /)
})
