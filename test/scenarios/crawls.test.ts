import { describe, expect, test } from 'vitest'
import { type CrawlCoverage, type CrawlerJob, crawlIdHeader } from '../../src/contract/index.ts'
import { joinPerson, type TestPerson, type TestServer, testKey } from '../harness.ts'
import { adminOf, sharing } from '../shared-server.ts'
import { until } from '../until.ts'
import { ask, endpointsOf, message, refusal } from './ask.ts'

const TARGET = 'https://crawled.test'

let server: TestServer
let admin: TestPerson

sharing.beforeAll(async ({ shared }) => {
  server = shared
  admin = await adminOf(server)
})

async function begin(body: Record<string, unknown> = {}, person: TestPerson | null = null): Promise<string> {
  const order = { hostname: TARGET, crawlingTime: 600, ...body }
  const answer = await (person === null
    ? server.post('/api/initiateCrawler', order)
    : person.call('initiateCrawler', order))
  expect([answer.status, await answer.text()]).toEqual([200, ''])
  return answer.headers.get(crawlIdHeader)!
}

async function heartbeat(name: string, id = `process of ${name}`): Promise<boolean | undefined> {
  const moduleInfo = { id, moduleType: 'DAST', name, currentVersion: '1', startedTs: 1_769_850_000 }
  const answer = await ask(server, 'updateModuleInfoForHeartbeat', { moduleInfo })
  return answer.moduleInfo.reboot
}

async function runOf(crawlId: string) {
  return (await ask(server, 'fetchCrawlerRun', { crawlId })).crawlerRun
}

async function pickUp(moduleName: string): Promise<CrawlerJob | undefined> {
  const [job] = await ask(server, 'fetchPendingDastJobs', { moduleName })
  return job
}

describe('starting a crawl', () => {
  test('keeps applications on different ports of one host apart', async () => {
    await begin({ hostname: 'https://twins.crawled.test:8001/' })
    await begin({ hostname: 'https://twins.crawled.test:8002/' })
    await begin({ hostname: 'https://twins.crawled.test:443/' })
    const { apiCollections } = await ask(server, 'getAllCollections')
    const names = apiCollections!.map(({ name }) => name).filter((name) => name?.startsWith('twins.'))
    expect(names).toEqual(['twins.crawled.test:8001', 'twins.crawled.test:8002', 'twins.crawled.test'])
  })

  test('makes a run that waits, in a collection named after the host and labelled', async () => {
    const crawlId = await begin({ hostname: 'https://shop.crawled.test:8443/app', outscopeUrls: ' ' })
    expect(await runOf(crawlId)).toMatchObject({
      status: 'PENDING',
      moduleName: 'Built-in crawler',
      hostname: 'https://shop.crawled.test:8443/app',
      outScopeUrls: null,
      endTimestamp: 0,
    })
    const { apiCollections } = await ask(server, 'getAllCollections')
    const made = apiCollections!.find(({ name }) => name === 'shop.crawled.test:8443')!
    expect(JSON.stringify(made.tagsList)).toMatch(/DAST.*dast|dast.*DAST/)
    const again = await begin({ hostname: 'http://shop.crawled.test:8443' })
    expect((await runOf(again)).collectionId).toBe(made.id)
    const named = await begin({ hostname: 'http://shop.crawled.test:8443', collectionName: 'elsewhere' })
    expect((await runOf(named)).collectionId).not.toBe(made.id)
  })

  test('visits pages of recorded journeys on its host first, after the start pages that were given', async () => {
    const recording = JSON.stringify({
      title: 'Order',
      steps: [
        { type: 'navigate', url: `${TARGET}/orders?open=1,2` },
        { type: 'navigate', url: 'https://sso.test/login' },
      ],
    })
    const crawlId = await begin({ applicationPages: '/home', journeys: [recording, "cy.visit('/cart')"] })
    expect((await runOf(crawlId)).applicationPages).toBe('/home,/orders?open=1%2C2,/cart')
  })

  test('says of documented operations which were met since it began, and at its end what it left out', {
    tags: ['marathon'],
  }, async () => {
    const crawlId = await begin({ collectionName: 'coverage' })
    const { collectionId } = await runOf(crawlId)
    const progressOf = async () => (await ask(server, 'fetchCrawlerRun', { crawlId })).progress
    expect(await progressOf()).toMatchObject({ coverage: null, summary: null })
    const description = {
      openapi: '3.0.3',
      info: { title: 'T', version: '1' },
      paths: { '/api/met': { get: { responses: {} } }, '/api/missed': { post: { responses: {} } } },
    }
    const time = Math.floor(Date.now() / 1000)
    const exchanges = [
      message({ path: `${TARGET}/docs/openapi.json`, responsePayload: JSON.stringify(description), time }),
      message({ path: `${TARGET}/api/met`, time }),
    ]
    await ask(server, 'uploadCrawlerDataBatch', {
      apiCollectionId: String(collectionId),
      crawlerDataList: exchanges.map((exchange) => JSON.stringify(exchange)),
    })
    const isRight = (found: CrawlCoverage | null): boolean => found?.documented === 2 && found.reached === 1
    const coverage = await until('the document', async () => (await progressOf()).coverage, { isRight })
    expect(coverage?.missing).toEqual([`POST ${TARGET}/api/missed`])
    const summary = {
      seen: 3,
      held: 1,
      named: 2,
      unreached: [],
      leftOut: [{ reason: 'failed twice', count: 1, examples: ['x'] }],
      waiting: { load: 1 },
      advice: ['Allow more time.'],
    }
    await ask(server, 'updateCrawlerStatus', { crawlId, status: 'COMPLETED', end: 'budget', summary })
    expect(await progressOf()).toMatchObject({ end: 'budget', summary })
  })

  test.each([
    [{ journeys: ['{}'] }, 'Invalid scope: journeys: number 1 names no page'],
    [{ crawlingTime: 599 }, 'Invalid crawling time'],
    [{ crawlingTime: 345_601 }, 'Invalid crawling time'],
    [{ hostname: 'shop.test' }, 'Invalid hostname'],
    [{ hostname: 'ftp://shop.test' }, 'Invalid hostname'],
    [{ hostname: 'https://ann:secret@shop.test' }, 'Invalid hostname'],
    [{ customHeaders: { 'x-a': 'b\r\nc' } }, 'Invalid scope: customHeaders: x-a has a value'],
    [{ applicationPages: 'a'.repeat(100_001) }, 'Invalid scope: applicationPages: longer'],
    [
      { selectedModuleName: 'nobody' },
      'Selected DAST module is not available. Please select another module.',
    ],
    [{ outscopeUrls: 're:(' }, 'Invalid scope:'],
    [{ customHeaders: { 'a b': 'c' } }, 'Invalid scope: customHeaders: a b is not a header name'],
    [{ customHeaders: { 'Content-Length': '5' } }, 'Content-Length is written by the browser'],
    [{ customHeaders: { hOst: 'elsewhere.test' } }, 'hOst is written by the browser'],
    [{ hostname: 'http://169.254.169.254/' }, '169.254.169.254 may not be crawled: '],
    [{ collectionName: 'a/b' }, 'collection name'],
    [{ testRoleHexId: 'ffffffffffffffffffffffff' }, 'role'],
    [{ testRoleHexId: 'no role' }, 'role'],
  ])('refuses %# before any effect', async (change, sentence) => {
    const before = (await ask(server, 'fetchAllDastScans', { includeAllStatuses: true })).crawlerRuns.length
    const order = { hostname: 'https://refused.test', crawlingTime: 600, ...change }
    const [status, told] = await refusal(server, 'initiateCrawler', order)
    expect([status, told.toLowerCase()]).toEqual([422, expect.stringContaining(sentence.toLowerCase())])
    const after = await ask(server, 'fetchAllDastScans', { includeAllStatuses: true })
    expect(after.crawlerRuns).toHaveLength(before)
    const { apiCollections } = await ask(server, 'getAllCollectionsBasic')
    expect(apiCollections!.map(({ name }) => name)).not.toContain('refused.test')
  })

  test('shows no secret to anybody, and keeps none in clear', async () => {
    const crawlId = await begin({
      username: 'ann',
      password: 'canary-password',
      customHeaders: { 'x-token': 'canary-header' },
    })
    const { store } = server.running.app
    const { rows } = await store.pool.query('SELECT * FROM crawls WHERE id = $1', [crawlId])
    for (const shown of [rows, await runOf(crawlId), await ask(server, 'fetchAllDastScans')]) {
      expect(JSON.stringify(shown)).not.toMatch(/canary-/)
    }
    expect(server.logText()).not.toMatch(/canary-/)
  })

  test('lists only what the specification lists, unless asked for all', async () => {
    const waiting = await begin()
    const failed = await begin()
    await ask(server, 'updateCrawlerStatus', {
      crawlId: failed,
      status: 'FAILED',
      errorMessage: 'no browser',
    })
    const running = await begin()
    await ask(server, 'updateCrawlerStatus', { crawlId: running, status: 'RUNNING' })
    const ids = async (body = {}) =>
      (await ask(server, 'fetchAllDastScans', body)).crawlerRuns.map(({ crawlId }) => crawlId)
    expect(await ids()).toContain(running)
    expect(await ids()).not.toEqual(expect.arrayContaining([waiting]))
    expect(await ids()).not.toContain(failed)
    expect(await ids({ includeAllStatuses: true })).toEqual(
      expect.arrayContaining([waiting, failed, running]),
    )
    expect((await runOf(failed)).errorMessage).toBe('no browser')
  })
})

describe('a caller restricted to some collections', () => {
  test('sees and feeds only crawls of these', async () => {
    const crawlId = await begin({ collectionName: 'hidden crawl' })
    const member = await joinPerson(server, admin, 'member@example.org', 'MEMBER')
    const { users } = await ask(admin, 'getTeamData')
    const { id } = users.find(({ login }) => login === member.email)!
    const made = await ask(server, 'createCollection', { collectionName: 'shown crawl' })
    await ask(admin, 'updateUserCollections', { userCollectionMap: { [id]: [made.apiCollectionId] } })
    const mine = await begin({ collectionName: 'shown crawl' }, member)
    const { crawlerRuns } = await ask(member, 'fetchAllDastScans', { includeAllStatuses: true })
    expect(crawlerRuns.map((run) => run.crawlId)).toEqual([mine])
    for (const name of ['fetchDastScan', 'stopCrawler'] as const)
      expect(await refusal(member, name, { crawlId })).toEqual([
        403,
        'You do not have access to the object that crawlId names',
      ])
    const order = { hostname: TARGET, crawlingTime: 600, collectionName: 'hidden crawl' }
    expect((await refusal(member, 'initiateCrawler', order))[0]).toBe(403)
  })
})

describe('an outside module', () => {
  test('is listed while it is heard, picks up its crawl once, and gets the credentials', async () => {
    await heartbeat('lab')
    const { availableModules } = await ask(server, 'fetchAvailableDastModules')
    expect(availableModules).toEqual([
      { name: 'lab', displayName: 'lab', lastHeartbeat: expect.any(Number), isDefault: false },
    ])
    const crawlId = await begin({
      selectedModuleName: 'lab',
      username: 'ann',
      password: 'pass',
      apiKey: 'for the target',
      customHeaders: { 'x-run': '1' },
    })
    expect(await pickUp('other')).toBeUndefined()
    expect(await pickUp('lab')).toMatchObject({
      crawlId,
      status: 'PENDING',
      username: 'ann',
      password: 'pass',
      customHeaders: { 'x-run': '1' },
      isApiKeyForTarget: false,
      dashboardUrl: expect.stringMatching(/^http/),
      accountId: 1_000_000,
    })
    expect(await pickUp('lab')).toBeUndefined()
    await ask(server, 'stopCrawler', { crawlId })
    expect(await ask(server, 'checkCrawlStatus', { crawlId })).toMatchObject({ status: 'STOP_REQUESTED' })
    await ask(server, 'updateCrawlerStatus', { crawlId, status: 'RUNNING' })
    expect(await ask(server, 'checkCrawlStatus', { crawlId })).toMatchObject({ status: 'STOP_REQUESTED' })
    await ask(server, 'updateDastJobStatus', { crawlId, status: 'STOPPED' })
    expect(await runOf(crawlId)).toMatchObject({ status: 'STOPPED', endTimestamp: expect.any(Number) })
    expect(await ask(server, 'checkCrawlStatus', { crawlId: 'none' })).toEqual({
      status: null,
      isWatched: false,
      workers: 0,
    })
  })

  test('sends a key of this installation to nobody but itself, any other to the target', async () => {
    await heartbeat('lab')
    await begin({ selectedModuleName: 'lab', apiKey: testKey })
    expect(await pickUp('lab')).toMatchObject({ apiKey: testKey, isApiKeyForTarget: false })
    await heartbeat('second')
    await begin({ selectedModuleName: 'second', apiKey: 'target key' })
    expect(await pickUp('second')).toMatchObject({ apiKey: 'target key', isApiKeyForTarget: true })
  })

  test('signs in as a test role, whose login error is kept with the crawl', async () => {
    await ask(server, 'addTestRoles', { roleName: 'CRAWLER' })
    const { testRoles } = await ask(server, 'fetchTestRoles')
    const roleId = testRoles!.find(({ name }) => name === 'CRAWLER')!.hexId
    await heartbeat('third')
    const without = await begin({ selectedModuleName: 'third', testRoleHexId: roleId })
    expect(await pickUp('third')).toMatchObject({ roleHeaders: {} })
    expect(await runOf(without)).toMatchObject({
      testRoleFailed: true,
      testRoleError: 'No default auth mechanism configured for test role: CRAWLER',
    })
    await ask(server, 'updateCrawlerStatus', { crawlId: without, status: 'FAILED' })
    await ask(server, 'addAuthToRole', {
      roleName: 'CRAWLER',
      apiCond: {},
      authParamData: [{ where: 'HEADER', key: 'Authorization', value: 'Bearer abc', showHeader: true }],
      authAutomationType: 'HARDCODED',
      reqData: [],
      recordedLoginFlowInput: null,
      urlRegex: null,
    })
    await begin({ selectedModuleName: 'third', testRoleHexId: roleId })
    expect(await pickUp('third')).toMatchObject({
      roleHeaders: { Authorization: 'Bearer abc' },
      cookies: 'Bearer abc',
      testRoleName: 'CRAWLER',
    })
  })

  test('reports URLs and exchanges, which are in the inventory when the call answers', async () => {
    await heartbeat('fourth')
    const crawlId = await begin({ selectedModuleName: 'fourth', collectionName: 'fed' })
    const { collectionId } = (await pickUp('fourth'))!
    const url = `${TARGET}/api/orders`
    await ask(server, 'saveCrawlerUrl', { url, crawlId, accepted: true, buttonText: 'x'.repeat(600) })
    await ask(server, 'saveCrawlerUrlsBatch', {
      crawlId,
      crawlUrlsBatch: JSON.stringify([{ url: 'https://cdn.test/a', accepted: false, reason: 'other host' }]),
    })
    const { crawlerUrls } = await ask(server, 'fetchDastScan', { crawlId })
    expect(crawlerUrls.map((found) => [found.url, found.accepted])).toEqual([
      [url, true],
      ['https://cdn.test/a', false],
    ])
    expect(crawlerUrls[0]!.buttonText).toHaveLength(500)
    const page = await ask(server, 'fetchCrawlerUrls', { crawlId, accepted: false })
    expect([page.total, page.reasons]).toEqual([1, { 'other host': 1 }])
    const sample = (path: string, method = 'GET') => JSON.stringify(message({ path, method }))
    const fed = await ask(server, 'uploadCrawlerDataBatch', {
      apiCollectionId: String(collectionId),
      crawlId,
      crawlerDataList: [sample(url), 'no message', '{"method":"GET"}', sample(`${url}/7`, 'DELETE')],
    })
    expect(fed).toMatchObject({ accepted: 2, rejected: [{ index: 1 }, { index: 2 }] })
    await ask(server, 'uploadCrawlerData', { apiCollectionId: collectionId, crawlerData: sample(`${url}/8`) })
    expect(await endpointsOf(server, collectionId)).toEqual(
      expect.arrayContaining([`GET ${url}`, `DELETE ${url}/INTEGER`, `GET ${url}/INTEGER`]),
    )
    await ask(server, 'saveCrawlerUrl', { url: `${TARGET}/about`, crawlId, accepted: true })
    expect(await ask(server, 'findMissingUrls', { crawlId })).toEqual({
      missingUrls: [`${TARGET}/about`],
      looked: 2,
    })
    expect((await ask(server, 'fetchCrawlerRun', { crawlId })).progress).toMatchObject({
      acceptedUrls: 2,
      rejectedUrls: 1,
      capturedExchanges: 2,
    })
  })

  test('comes across a description of the API, whose operations are documented from then on', async () => {
    await heartbeat('reader')
    await begin({ selectedModuleName: 'reader', collectionName: 'described' })
    const { collectionId } = (await pickUp('reader'))!
    const description = {
      openapi: '3.0.3',
      info: { title: 'Shelves', version: '1' },
      servers: [{ url: '/v2' }],
      paths: {
        '/shelves': { get: { responses: {} }, post: { responses: {} } },
        '/elsewhere': { servers: [{ url: 'https://foreign.test' }], get: { responses: {} } },
      },
    }
    const found = message({
      path: `${TARGET}/docs/openapi.json`,
      method: 'GET',
      responsePayload: JSON.stringify(description),
    })
    const batch = { apiCollectionId: String(collectionId), crawlerDataList: [JSON.stringify(found)] }
    await ask(server, 'uploadCrawlerDataBatch', batch)
    await expect
      .poll(() => endpointsOf(server, collectionId))
      .toEqual(expect.arrayContaining([`GET ${TARGET}/v2/shelves`, `POST ${TARGET}/v2/shelves`]))
    expect((await endpointsOf(server, collectionId)).join()).not.toContain('elsewhere')
  })

  test('keeps its work, memory, graph and log on the server, so that another process can continue', async () => {
    await heartbeat('fifth')
    const crawlId = await begin({ selectedModuleName: 'fifth' })
    await pickUp('fifth')
    const item = { kind: 'load', location: 'l', priority: 1, payload: '{}' }
    const added = [
      { ...item, key: 'a' },
      { ...item, key: 'b' },
    ]
    const first = await ask(server, 'syncCrawlWork', { crawlId, added, take: 'load' })
    expect(first).toMatchObject({ added: 2, taken: { key: 'a', attempts: 0 }, leased: 1 })
    const freed = await ask(server, 'syncCrawlWork', { crawlId, releaseAll: true, take: 'load' })
    expect(freed.taken).toMatchObject({ key: 'a', attempts: 1 })
    const ended = await ask(server, 'syncCrawlWork', { crawlId, done: [freed.taken!.id] })
    expect(ended).toMatchObject({ waiting: { load: 1, explore: 0, probe: 0 }, leased: 0 })
    await ask(server, 'saveCrawlMemory', { crawlId, memory: '{"seen":1}' })
    expect(await ask(server, 'fetchCrawlMemory', { crawlId })).toEqual({ memory: '{"seen":1}' })
    await ask(server, 'insertDastLog', { crawlId, log: { log: 'begun', key: 'WARN' } })
    expect((await ask(server, 'fetchCrawlLogs', { crawlId })).crawlLogs).toEqual([
      { timestamp: expect.any(Number), level: 'warning', log: 'begun' },
    ])
    await ask(server, 'uploadCrawlerGraph', { crawlId, graph: 'graph LR' })
    expect(await ask(server, 'getCrawlerGraph', { crawlId })).toMatchObject({ navigationGraph: 'graph LR' })
    await ask(server, 'uploadCrawlerFrame', { crawlId, frameData: '/9j/' })
    expect((await ask(server, 'getLatestCrawlerFrame', { crawlId })).frameData).toBe('')
    await ask(server, 'updateCrawlerStatus', { crawlId, status: 'RUNNING' })
    expect(await ask(server, 'checkCrawlStatus', { crawlId, activeSeconds: 5 })).toEqual({
      status: 'RUNNING',
      isWatched: true,
      workers: 1,
    })
    const frame = { crawlId, frameData: '/9j/', currentUrl: TARGET, timestamp: 1_000_000_000 }
    await ask(server, 'uploadCrawlerFrame', frame)
    expect(await ask(server, 'getLatestCrawlerFrame', { crawlId })).toMatchObject({
      frameData: '/9j/',
      currentUrl: TARGET,
    })
    expect((await refusal(server, 'deleteCrawl', { crawlId }))[1]).toBe('The crawl has not ended')
    await ask(server, 'updateCrawlerStatus', { crawlId, status: 'COMPLETED', end: 'saturated' })
    expect((await ask(server, 'fetchCrawlerRun', { crawlId })).progress.end).toBe('saturated')
    expect(await ask(server, 'fetchCrawlMemory', { crawlId })).toEqual({ memory: null })
    const again = await ask(server, 'restartCrawl', { crawlId })
    expect(await runOf(again.crawlId)).toMatchObject({ status: 'PENDING', moduleName: 'fifth' })
    await ask(server, 'deleteCrawl', { crawlId })
    expect((await refusal(server, 'fetchCrawlerRun', { crawlId }))[0]).toBe(422)
  })

  test('is listed by what it is and when it was heard', async () => {
    await heartbeat('listed', 'listed process')
    const listed = async (filter: unknown) => {
      const { moduleInfos, allowedEnvFields } = await ask(server, 'fetchModuleInfo', { filter })
      expect(allowedEnvFields).toEqual([])
      return moduleInfos.map(({ id }) => id)
    }
    expect(await listed({ moduleType: 'DAST' })).toContain('listed process')
    expect(await listed({ moduleType: 'MINI_TESTING' })).toEqual([])
    expect(await listed({ id: 'listed process' })).toEqual(['listed process'])
    expect(await listed({ lastHeartbeatReceived: { $gte: 2_000_000_000 } })).toEqual([])
    const moduleInfo = { id: 'listed process', moduleType: 'DAST', name: 'listed', startedTs: 1 }
    expect((await ask(server, 'updateModuleInfoForHeartbeat', { moduleInfo })).moduleInfo).toMatchObject({
      reboot: false,
      deleteTopicAndReboot: false,
      miniRuntimeName: null,
    })
  })

  test('gets one restart request, and is removed on request', async () => {
    await heartbeat('sixth', 'sixth process')
    await ask(server, 'rebootModules', { moduleIds: ['sixth process'] })
    expect([await heartbeat('sixth', 'sixth process'), await heartbeat('sixth', 'sixth process')]).toEqual([
      true,
      false,
    ])
    await ask(server, 'deleteModuleInfo', { moduleIds: ['sixth process'] })
    const { availableModules } = await ask(server, 'fetchAvailableDastModules')
    expect(availableModules.map(({ name }) => name)).not.toContain('sixth')
  })
})

describe('tests after a crawl', () => {
  async function completed(collectionName: string): Promise<string> {
    const crawlId = await begin({ collectionName, runTestAfterCrawling: true })
    await ask(server, 'updateCrawlerStatus', { crawlId, status: 'RUNNING' })
    await ask(server, 'updateCrawlerStatus', { crawlId, status: 'COMPLETED' })
    await ask(server, 'updateCrawlerStatus', { crawlId, status: 'COMPLETED' })
    return crawlId
  }

  async function untilNoted(crawlId: string): Promise<{ tests_run_id: string | null }> {
    const noted = async () => {
      const { rows } = await server.running.app.store.pool.query(
        'SELECT tests_due_at, tests_run_id FROM crawls WHERE id = $1',
        [crawlId],
      )
      return rows[0]
    }
    return until('tests of the crawl', noted, { isRight: ({ tests_due_at }) => tests_due_at === 0 })
  }

  test('begin once, on its collection, in the name of who started it', async () => {
    const { apiCollectionId } = await ask(server, 'createCollection', { collectionName: 'tested' })
    const sample = JSON.stringify(message({ path: 'https://nowhere.invalid/api/items' }))
    await ask(server, 'uploadCrawlerData', { apiCollectionId, crawlerData: sample })
    const crawlId = await completed('tested')
    expect((await untilNoted(crawlId)).tests_run_id).not.toBeNull()
    const { rows } = await server.running.app.store.pool.query(
      `SELECT name, triggered_by, target_type, collection_ids FROM test_runs WHERE name LIKE 'Auto-test%'`,
    )
    expect(rows).toEqual([
      {
        name: `Auto-test after crawl: ${TARGET}`,
        triggered_by: 'DAST_CRAWLER_AUTO_TEST',
        target_type: 'COLLECTION_WISE',
        collection_ids: [apiCollectionId],
      },
    ])
    await ask(server, 'stopAllTests')
  })

  test('do not begin where nothing was found, which is noted', async () => {
    const crawlId = await completed('empty crawl')
    expect((await untilNoted(crawlId)).tests_run_id).toBeNull()
    expect((await runOf(crawlId)).errorMessage).toBe('No endpoint was found, so there is nothing to test.')
  })
})
