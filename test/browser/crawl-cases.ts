import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { message } from '../scenarios/ask.ts'
import { breachesOf } from './accessibility-cases.ts'
import { breakServer } from './break-server.ts'
import { email, signedIn } from './installation.ts'
import { CRAWL_SUMMARY, CRAWLED_HOST as HOST, reportCrawl } from './reported-crawl.ts'
import type { Visitor } from './visitor.ts'

const patience = 180_000
/** The smallest JPEG there is: one grey pixel. */
const PIXEL =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA='

/** From a form to a crawl that is over, in a browser, with a module that speaks the protocol. */
export function crawlCases(browserOf: () => Browser): void {
  let server: TestServer
  let ada: Visitor
  let crawlId = ''

  beforeAll(async () => {
    server = await startTestServer()
    await signUpPerson(server, email)
    const moduleInfo = { id: 'lab process', moduleType: 'DAST', name: 'lab', startedTs: 1_769_850_000 }
    await server.client.op.updateModuleInfoForHeartbeat({ moduleInfo })
    ada = await signedIn(browserOf(), server)
  }, patience)

  afterAll(async () => {
    expect(ada.faults).toEqual([])
    expect(ada.foreignRequests).toEqual([])
    await ada.leave()
    await server.close()
  })

  it('says what a crawl is while there is none, and leads to the form', async () => {
    await ada.open('/crawls')
    await ada.sees('Nothing was crawled yet')
    await ada.click('link', 'New crawl')
    await ada.heading('New crawl')
  })

  it('tells what the form lacks, and starts the crawl of a module with its credentials', async () => {
    await ada.click('button', 'Start the crawl')
    await ada.sees('Enter the address of the application')
    await ada.fill('Address of the application', `${HOST}/`)
    await ada.tick('User name and password')
    await ada.fill('User name', 'ann')
    await ada.page.locator('input[type="password"]').fill('canary-password')
    await ada.fill('Exclude', '/logout')
    await ada.click('combobox', 'Crawler')
    await ada.click('option', 'lab')
    await ada.click('button', 'Start the crawl')
    await ada.heading('Crawls')
    await ada.page.waitForSelector('[aria-label="Crawls"] tbody tr')
    const [row] = await ada.texts('[aria-label="Crawls"] tbody tr')
    expect(row).toContain(HOST)
    expect(row).toContain('Waiting')
    const [job] = await server.client.op.fetchPendingDastJobs({ moduleName: 'lab' })
    expect(job).toMatchObject({ username: 'ann', password: 'canary-password', outScopeUrls: '/logout' })
    crawlId = job!.crawlId
    expect(await ada.text()).not.toContain('canary-password')
  })

  it(
    'shows progress, what is looked at, URLs with reasons, the graph and the log',
    async () => {
      await reportCrawl(server, crawlId)
      await ada.press('[aria-label="Crawls"] tbody a')
      await ada.heading(`Crawl of ${HOST}`)
      await ada.sees('Crawling')
      await ada.page.waitForSelector('[aria-label="URLs of the crawl"] tbody tr')
      await ada.sees('out of scope: /logout')
      await server.client.op.uploadCrawlerFrame({ crawlId, frameData: PIXEL, currentUrl: `${HOST}/cart` })
      await ada.page.waitForSelector('section[aria-label="Live view"] img')
      await ada.sees(`${HOST}/cart`)
      expect(await breachesOf(ada, [`/crawls/${crawlId}`, '/crawls'])).toEqual([])
      await ada.open(`/crawls/${crawlId}?scope=out`)
      await ada.until(`document.querySelectorAll('[aria-label="URLs of the crawl"] tbody tr').length === 2`)
      await ada.press('::-p-aria([role="tab"]) ::-p-text(Navigation graph)')
      await ada.page.waitForSelector('[aria-label="Steps between pages"] tbody tr')
      await ada.sees('POST /api/cart')
      await ada.press('::-p-aria([role="tab"]) ::-p-text(Log)')
      await ada.sees('<img src=x> answered slowly')
    },
    patience,
  )

  it(
    'compares OpenAPI documents, found and given, with what the crawl reached',
    async () => {
      const page = `/crawls/${crawlId}`
      await ada.open(page)
      expect(await ada.texts('section[aria-label="Coverage"]')).toEqual([])
      const [met, missed] = ['/api/cart', '/api/orders']
      await capture(server, crawlId, [
        { path: `${HOST}/openapi.json`, responsePayload: describing({ [met]: 'get', [missed]: 'post' }) },
        { path: HOST + met },
      ])
      await ada.sees('1 of 2 documented operations reached (50 %)')
      await ada.page.waitForSelector('[aria-label="Documented operations reached: 50 percent"]')
      await ada.press('section[aria-label="Coverage"] summary')
      await ada.until(`document.querySelector('details[open] pre')?.checkVisibility()`)
      expect(await ada.texts('details[open] pre')).toEqual([`POST ${HOST}${missed}`])
      const { crawlerRun } = await server.client.op.fetchCrawlerRun({ crawlId })
      const content = describing({ '/api/refunds': 'put', '/api/stock': 'get' })
      await server.client.op.importTraffic({ content, apiCollectionId: crawlerRun.collectionId })
      await ada.sees('1 of 4 documented operations reached (25 %)')
      await ada.sees(`PUT ${HOST}/api/refunds`)
      await capture(server, crawlId, [{ path: HOST + missed, method: 'POST' }])
      await ada.sees('2 of 4 documented operations reached (50 %)')
      await ada.until(`!document.querySelector('details pre').textContent.includes('${missed}')`)
      expect(await breachesOf(ada, [page])).toEqual([])
    },
    patience,
  )

  it(
    'stops, keeps what was found, and finds no fault with it',
    async () => {
      await ada.click('button', 'Stop')
      await ada.sees('Stopping')
      await server.client.op.updateCrawlerStatus({ crawlId, status: 'STOPPED', summary: CRAWL_SUMMARY })
      await ada.sees('Crawl again')
      await ada.sees('Allow more time.')
      await ada.sees('enough pages that look the same')
      const page = `/crawls/${crawlId}`
      expect(await breachesOf(ada, [page, `${page}?show=graph`, `${page}?show=log`])).toEqual([])
    },
    patience,
  )

  it(
    'crawls again and deletes',
    async () => {
      await ada.open(`/crawls/${crawlId}`)
      await ada.click('button', 'Crawl again')
      await ada.page.waitForSelector('[role="dialog"]')
      expect(await ada.breaches()).toEqual([])
      await ada.click('button', 'Start the crawl')
      await ada.sees('Waits for its crawler')
      await ada.click('button', 'Stop')
      await ada.sees('Crawl again')
      await ada.open(`/crawls/${crawlId}`)
      await ada.click('button', 'Delete')
      await ada.click('button', 'Delete the crawl')
      await ada.heading('Crawls')
      await ada.until(`document.querySelectorAll('[aria-label="Crawls"] tbody tr').length === 1`)
    },
    patience,
  )

  it(
    'says what failed while the server is broken',
    async () => {
      const person = await signedIn(browserOf(), server)
      await breakServer(person.page)
      expect(await breachesOf(person, ['/crawls', `/crawls/${crawlId}`])).toEqual([])
      expect(await person.text()).toContain('Check the database')
      await person.leave()
    },
    patience,
  )
}

/** An OpenAPI document of the crawled host with one method of each path. */
function describing(paths: Readonly<Record<string, string>>): string {
  const entries = Object.entries(paths).map(([path, method]) => [path, { [method]: { responses: {} } }])
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: HOST }],
    paths: Object.fromEntries(entries),
  })
}

/** What a module captured just now. */
async function capture(
  server: TestServer,
  crawlId: string,
  exchanges: readonly Record<string, unknown>[],
): Promise<void> {
  const { crawlerRun } = await server.client.op.fetchCrawlerRun({ crawlId })
  const time = Math.floor(Date.now() / 1000)
  await server.client.op.uploadCrawlerDataBatch({
    apiCollectionId: String(crawlerRun.collectionId),
    crawlerDataList: exchanges.map((exchange) => JSON.stringify(message({ time, ...exchange }))),
  })
}
