import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { inBrowser } from './in-browser.ts'
import { email, signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

/** Later than a page asks again by itself: what a test sees earlier came with the stream of changes. */
const timeout = 90_000

inBrowser('pages that follow what changes', (browser) => {
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

  const importRequest = (path: string) =>
    server.client.call('importTraffic', {
      content: `curl http://shop.example.org${path}`,
      apiCollectionName: 'shop',
    })

  it('shows an endpoint that somebody else imports, without a reload', { timeout }, async () => {
    await ada.open('/apis/all?q=orders')
    await ada.sees('Live')
    await importRequest('/orders')
    await ada.page.waitForSelector('[aria-label="Endpoints"] tbody tr a[href*="orders"]')
  })

  it('keeps the page while the server is away, says how old it is, and catches up', { timeout }, async () => {
    const { port, place } = server
    await server.stop()
    await ada.sees('The server does not answer')
    await ada.sees('What you see was read')
    expect(await ada.texts('[aria-label="Endpoints"] tbody tr')).toHaveLength(1)
    server = await startTestServer({ port: String(port) }, place)
    await importRequest('/orders/latest')
    await ada.until(
      `!document.body.textContent.includes('The server does not answer') &&
       document.querySelectorAll('[aria-label="Endpoints"] tbody tr').length === 2`,
    )
    await ada.sees('Live')
  })
})
