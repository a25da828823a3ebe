import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { breakServer } from './break-server.ts'
import { inBrowser } from './in-browser.ts'
import { detailPages, email, signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

const emptyState = '[data-testid="empty-state"]'
const notices = '[role="alert"]'

inBrowser('pages without content say why, and what to do next', (browser) => {
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

  it('leads from every empty page to the page that fills it', async () => {
    const next = [
      ['/runs/coverage', '/start'],
      ['/runs/access', '/start'],
      ['/apis/all', '/start'],
      ['/apis/changes?days=0', '/start'],
      ['/issues/false-positives', '/issues'],
      ['/issues', '/runs/new'],
    ] as const
    for (const [page, to] of next) {
      await ada.open(page)
      await ada.page.waitForSelector(`${emptyState} a[href="${to}"]`)
    }
  })

  it('names what is missing, and leads to the list of what is there', async () => {
    const lists = [
      '/apis',
      '/apis/all',
      '/start',
      '/runs',
      '/crawls',
      '/issues',
      '/library',
      '/threats/filters',
    ]
    for (const page of detailPages.filter((path) => !path.startsWith('/threats/actors/'))) {
      await ada.open(page)
      await ada.sees('There is no such')
      const [to] = await ada.page.$$eval(`${emptyState} a`, (links) =>
        links.map((link) => link.getAttribute('href')),
      )
      expect(lists, page).toContain(to)
      expect(await ada.texts(notices), page).toEqual([])
    }
  })

  it('has a heading on every page while answers are awaited', async () => {
    const eve = await signedIn(browser(), server)
    await breakServer(eve.page, 'held')
    for (const page of ['/', ...detailPages]) {
      await eve.page.goto(server.baseUrl + page)
      await eve.page.waitForSelector('h1')
      await eve.page.waitForSelector('.mantine-Skeleton-root')
    }
    await eve.leave()
  })

  it('shows no id of a test while its name is awaited', async () => {
    const eve = await signedIn(browser(), server)
    await breakServer(eve.page, 'held')
    await eve.page.goto(server.baseUrl + detailPages.find((page) => page.startsWith('/issues/one'))!)
    await eve.page.waitForSelector('h1 .mantine-Skeleton-root')
    await eve.leave()
  })

  it('says that nothing attacked only once it is known that there is traffic', async () => {
    const eve = await signedIn(browser(), server)
    const held: (() => void)[] = []
    await eve.page.setRequestInterception(true)
    eve.page.on('request', (request) => {
      const pass = () => void request.continue()
      if (request.url().endsWith('/api/fetchSystemStatus')) held.push(pass)
      else pass()
    })
    await eve.page.goto(`${server.baseUrl}/threats`)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await eve.page.waitForSelector('[role="tabpanel"] .mantine-Skeleton-root, main .mantine-Skeleton-root')
    expect(await eve.text()).not.toContain('No event in this time')
    for (const pass of held) pass()
    await eve.sees('No traffic in the inventory yet')
    await eve.leave()
  })

  it('offers to tell Microsoft Teams of a run once there is such a channel', async () => {
    const isOffered = async () => {
      await ada.open('/runs/new')
      const box = await ada.page.waitForSelector(
        '::-p-aria([name="Tell Microsoft Teams when the run ends"][role="checkbox"])',
      )
      return box!.evaluate((element) => !(element as unknown as { disabled: boolean }).disabled)
    }
    expect(await isOffered()).toBe(false)
    await ada.sees('No such channel yet')
    await server.client.call('addCustomWebhook', {
      webhookName: 'team',
      url: 'https://teams.example.com/hook',
      webhookType: 'MICROSOFT_TEAMS',
    })
    await expect.poll(isOffered).toBe(true)
  })

  it('says of a fault of the server who finds its cause, once for each part of a page', async () => {
    const eve = await signedIn(browser(), server)
    await breakServer(eve.page, 'fault')
    for (const page of ['/threats/filters', '/reports', '/start', '/runs']) {
      await eve.open(page)
      await expect.poll(() => eve.texts(notices), { message: page }).toHaveLength(1)
      await eve.sees('give the request ID 7d1f0c52 to the person who runs this server')
      expect(await eve.text(), page).not.toContain('The server does not answer')
    }
    await eve.leave()
  })

  it('does not call a page read of which nothing was read', async () => {
    const eve = await signedIn(browser(), server)
    await breakServer(eve.page, 'lost')
    for (const page of ['/crawls', '/settings/roles', '/threats/filters']) {
      await eve.open(page)
      await eve.sees('Nothing could be read yet')
      await eve.sees('Nothing read yet')
    }
    await eve.leave()
  })
})
