import { expect } from 'vitest'
import { newHexId, nowSeconds } from '../../src/kit/index.ts'
import { ask, messageLines } from '../scenarios/ask.ts'
import { exchangeOf, pairOf, report, startedRun } from '../test-results.ts'
import { type Seeded, zapReport } from './suitable-requests.ts'

/** Stands in every place of a collection that was not granted where something can stand. */
export const CANARY = 'canary4711'
const SECRET = `Bearer ${CANARY}-secret`
/** Host of that collection. */
export const HOST = 'https://shop.test'

/** What base64 makes of a text behind this many other bytes, without the letters that its neighbours decide. */
function base64Behind(before: number, text: string): string {
  const all = Buffer.from(' '.repeat(before) + text).toString('base64')
  return all.slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3))
}

const encoded = [
  CANARY,
  ...[0, 1, 2].map((at) => base64Behind(at, CANARY)),
  Buffer.from(CANARY).toString('hex'),
]

/** Whether a text contains the canary, plain or encoded. */
export function holdsCanary(text: string): boolean {
  const lower = text.toLowerCase()
  return encoded.some((form) => lower.includes(form.toLowerCase()))
}

/** Puts the canary into every text of a collection, and into the texts that belong to it. */
export async function plantCanaries({ server, shop, crawlId, run }: Seeded): Promise<void> {
  const { store } = server.running.app
  await ask(server, 'importTraffic', {
    apiCollectionId: shop,
    fileName: `${CANARY}.har`,
    content: messageLines(
      ['/rest/user', `/${CANARY}/one`, `/${CANARY}/two`].map((path) => ({
        path: HOST + path,
        requestHeaders: { host: 'shop.test', authorization: SECRET, 'x-key': CANARY },
        requestPayload: `{"password":"${CANARY}"}`,
        responsePayload: `{"token":"${CANARY}","email":"${CANARY}@shop.test"}`,
      })),
    ),
  })
  await ask(server, 'importTraffic', {
    apiCollectionId: shop,
    content: zapReport(`${HOST}/rest/user`, CANARY).replaceAll('40018', '40099'),
  })
  await ask(server, 'saveCollectionDescription', { apiCollectionId: shop, description: CANARY })
  await ask(server, 'addApisToCustomCollection', {
    collectionName: `group ${CANARY}`,
    apiList: [{ apiCollectionId: shop, method: 'GET', url: `${HOST}/rest/user` }],
  })
  await ask(server, 'updateEndpoints', {
    apiList: [{ apiCollectionId: shop, method: 'GET', url: `${HOST}/rest/user` }],
    addTags: [`tag-${CANARY}`],
    owner: `owner-${CANARY}`,
  })
  const other = await startedRun(store, { collectionIds: [shop], name: CANARY, metadata: { branch: CANARY } })
  const url = `${HOST}/${CANARY}/one`
  await report(store, other.summaryId, [
    pairOf({
      collectionId: shop,
      url,
      explanation: CANARY,
      baseline: exchangeOf(url, 200, CANARY),
    }),
    pairOf({ collectionId: shop, url: `${HOST}/rest/user`, testId: 'CANARY_TEST', explanation: CANARY }),
  ])
  const { issues } = await ask(server, 'fetchAllIssues', {
    ...{ filterSubCategory: [], activeCollections: false, sortKey: 'severity', sortOrder: -1 },
    ...{ limit: 100, skip: 0, filterStatus: [], startEpoch: 0, endTimeStamp: 0 },
  })
  for (const { id } of issues!)
    await ask(server, 'updateIssueDescription', { issueId: id, description: CANARY })
  await ask(server, 'saveCrawlerUrl', {
    crawlId,
    url: `${HOST}/${CANARY}`,
    accepted: true,
    sourceUrl: CANARY,
  })
  await ask(server, 'insertDastLog', { crawlId, log: { log: CANARY } })
  await ask(server, 'uploadCrawlerGraph', {
    crawlId,
    steps: [
      {
        from: 'a',
        to: 'b',
        fromUrl: CANARY,
        toUrl: CANARY,
        action: 'click',
        xpath: '',
        text: CANARY,
        calls: [],
      },
    ],
  })
  await ask(server, 'saveCrawlMemory', { crawlId, memory: JSON.stringify({ seen: CANARY }) })
  await ask(server, 'initiateCrawler', {
    hostname: `https://${CANARY}.test`,
    crawlingTime: 600,
    username: CANARY,
    password: CANARY,
  })
  for (const apiCollectionId of [String(shop), '0'])
    await ask(server, 'recordMaliciousEvent', {
      maliciousEvent: {
        ...{ actor: '203.0.113.47', filterId: CANARY, detectedAt: String(nowSeconds()) },
        ...{ latestApiIp: '203.0.113.47', latestApiEndpoint: `/${CANARY}`, latestApiMethod: 'GET' },
        ...{ eventType: 'EVENT_TYPE_SINGLE', category: 'SQLI', severity: 'HIGH', host: `${CANARY}.test` },
        ...{ latestApiCollectionId: apiCollectionId, latestApiOrig: CANARY },
      },
    })
  await ask(server, 'modifyThreatActorStatus', { actorIp: '203.0.113.47', status: 'watched', reason: CANARY })
  await ask(server, 'addThreatSuppression', { apiCollectionId: shop, url: `/${CANARY}`, reason: CANARY })
  const auth = [{ where: 'HEADER', key: 'Authorization', value: SECRET, showHeader: true }]
  await ask(server, 'addTestRoles', { roleName: CANARY })
  await ask(server, 'addAuthToRole', {
    roleName: CANARY,
    authParamData: auth,
    authAutomationType: 'HARDCODED',
  })
  await ask(server, 'addAuthMechanism', { type: 'HardCoded', authParamData: auth })
  const webhook = { webhookType: 'DEFAULT', headers: { 'x-key': CANARY }, signingKey: CANARY }
  await ask(server, 'addCustomWebhook', {
    ...webhook,
    url: `https://alerts.invalid/${CANARY}`,
    webhookName: CANARY,
  })
  await ask(server, 'addSlackWebhook', { webhookUrl: `https://chat.invalid/${CANARY}`, webhookName: CANARY })
  await ask(server, 'generateReportPDF', { reportFilterList: { apiCollectionId: [shop] } })
  await store.pool.query(
    `INSERT INTO login_pictures (role_name, flow_id, position, picture, taken_at) VALUES ($1, $2, 0, $3, $4)`,
    [CANARY, newHexId(), Buffer.from(CANARY), nowSeconds()],
  )
  expect(run.resultId).not.toBe('')
}
