import { readFileSync } from 'node:fs'
import type { HTTPRequest } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { startedRun } from '../test-results.ts'
import { inBrowser } from './in-browser.ts'
import { email, reportOf, signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

const recording = readFileSync('test/fixtures/juiceshop.har', 'utf8')
const tabs = '[aria-label="Issues by status"] [role="tab"]'
/** What a tab says while its number is not known. */
const unknown = ['Open (–)', 'Ignored (–)', 'Fixed (–)', 'All (–)']

inBrowser('what is not known is never shown as zero', (browser) => {
  let server: TestServer
  let ada: Visitor

  beforeAll(async () => {
    server = await startTestServer()
    await signUpPerson(server, email)
    ada = await signedIn(browser(), server)
  })

  afterAll(async () => {
    expect(ada.faults).toEqual([])
    await ada.leave()
    await server.close()
  })

  const importRecording = () =>
    server.client.call('importTraffic', { content: recording, apiCollectionName: 'shop' })

  it('counts what an import discovered as new today, whatever the time of its messages', async () => {
    await importRecording()
    const { total } = await server.client.call('searchEndpoints', { limit: 1, exactTotal: true })
    expect(total).toBeGreaterThan(10)
    for (const since of ['day', 'week']) {
      await ada.open(`/?since=${since}`)
      await ada.sees(`${total}new endpoints`)
    }
  })

  it('counts the items of a second import by the words of their rows', async () => {
    await importRecording()
    const { uploadId, skipped, duplicates, taken } = await reportOf(server)
    expect([taken, duplicates > 20]).toEqual([0, true])
    await ada.open(`/start/imports/${uploadId}`)
    await ada.sees(`${skipped}skipped`)
    await ada.sees(`${duplicates}known before`)
    const outcomes = await ada.texts('[aria-label="Items of the file"] tbody td:first-child')
    const count = (word: string) => outcomes.filter((one) => one === word).length
    expect([count('Skipped'), count('Known before')]).toEqual([skipped, duplicates])
  })

  it('names the collection of a row once its name is known', async () => {
    const { apiCollections } = await server.client.call('getAllCollectionsBasic', {})
    const { id } = apiCollections.find(({ displayName }) => displayName === 'shop')!
    await startedRun(server.running.app.store, { collectionIds: [id], name: 'nightly' })
    const eve = await signedIn(browser(), server)
    const held: (() => void)[] = []
    await eve.page.setRequestInterception(true)
    eve.page.on('request', (request) => {
      const pass = () => void request.continue()
      if (request.url().endsWith('/api/getAllCollectionsBasic')) held.push(pass)
      else pass()
    })
    await eve.page.goto(`${server.baseUrl}/runs`)
    await eve.sees(`Collection ${id}`)
    for (const pass of held) pass()
    await expect.poll(() => eve.texts('tbody td')).toContain('shop')
    await eve.leave()
  })

  it('keeps the overview where the list of collections alone cannot be read', async () => {
    const eve = await signedIn(browser(), server)
    await eve.page.setRequestInterception(true)
    eve.page.on('request', (request) => {
      if (!request.url().endsWith('/api/getAllCollectionsBasic')) return void request.continue()
      return void request.respond({
        status: 503,
        contentType: 'application/json',
        body: '{"actionErrors":["x"]}',
      })
    })
    await eve.page.goto(`${server.baseUrl}/?since=week`)
    await eve.sees('new endpoints')
    await eve.sees('Riskiest endpoints')
    await eve.leave()
  })

  it('shows no number of issues while the answer is awaited, and none when it fails', async () => {
    const { page } = ada
    let mode: 'hold' | 'fail' | 'pass' = 'hold'
    const held: HTTPRequest[] = []
    const fail = (request: HTTPRequest) =>
      void request.respond({
        status: 500,
        contentType: 'application/json',
        body: '{"actionErrors":["Broken"]}',
      })
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      if (!request.url().endsWith('/api/fetchIssueGroups') || mode === 'pass') void request.continue()
      else if (mode === 'fail') fail(request)
      else held.push(request)
    })
    await page.goto(`${server.baseUrl}/issues?status=ALL`)
    await page.waitForSelector(tabs)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    expect(await ada.texts(tabs)).toEqual(unknown)
    mode = 'fail'
    for (const request of held.splice(0)) fail(request)
    await page.waitForSelector('[role="alert"] button')
    expect(await ada.texts(tabs)).toEqual(unknown)
    expect(await ada.text()).not.toContain('No issue yet')
    await page.focus('[role="alert"] button')
    // The page asks again without anybody doing anything, and still says what failed meanwhile.
    mode = 'hold'
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await page.waitForSelector('[role="alert"] .mantine-Loader-root')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Try again')
    expect(await ada.texts(tabs)).toEqual(unknown)
    mode = 'pass'
    for (const request of held.splice(0)) void request.continue()
    await expect.poll(() => ada.texts(tabs)).not.toEqual(unknown)
  })
})
