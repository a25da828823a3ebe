import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer, testPassword } from '../harness.ts'
import { breakServer } from './break-server.ts'
import { findBrowser, startBrowser, stopBrowser } from './browser.ts'
import { buildDashboardWhenStale } from './built-dashboard.ts'
import { dropFile } from './drop-file.ts'
import { runShownCommand } from './run-shown-command.ts'
import { schemes, Visitor } from './visitor.ts'

const recording = join(import.meta.dirname, '..', 'fixtures', 'juiceshop.har')
const email = 'ada@example.org'

const found = findBrowser()
if (found === null) {
  console.warn(
    [
      '',
      'SKIPPED: the tests of the dashboard in a browser. No browser was found: set VIGIL_BROWSER to one, install',
      'chromium on the system, or install the optional package @sparticuz/chromium.',
      '',
    ].join('\n'),
  )
}

describe.skipIf(found === null)('dashboard in a browser', () => {
  let browser: Awaited<ReturnType<typeof startBrowser>>
  let server: TestServer

  beforeAll(async () => {
    await buildDashboardWhenStale()
    browser = await startBrowser(found!)
    server = await startTestServer()
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    if (browser) await stopBrowser(browser)
  })

  describe('from the first visit to a true inventory', () => {
    let ada: Visitor

    beforeAll(async () => {
      ada = await Visitor.arrive(browser.browser, server.baseUrl)
    })

    afterAll(async () => {
      expect(ada.faults).toEqual([])
      expect(ada.foreignRequests).toEqual([])
      await ada.leave()
    })

    it('signs the first user up and shows the ways in', async () => {
      await ada.open('/')
      await ada.heading('Create the first account')
      await ada.fill('E-mail', email)
      await ada.fill('Password', testPassword)
      await ada.click('button', 'Create the account')
      await ada.heading('Welcome to Vigil')
    })

    it('takes a dropped recording and reports on every item of it', async () => {
      await dropFile(ada.page, '.mantine-Dropzone-root', recording)
      await ada.heading('Report: juiceshop.har')
      await ada.settled()
      const { total, taken, skipped } = await reportOf(server)
      expect(total).toBe(48)
      await ada.sees(`${taken}taken`)
      await ada.tick('Skipped')
      await ada.until(
        `document.querySelectorAll('[aria-label="Items of the file"] tbody tr').length === ${skipped}`,
      )
      const reasons = await ada.texts('[aria-label="Items of the file"] tbody td:last-child')
      expect(reasons.every((reason) => reason.length > 5)).toBe(true)
    })

    it('shows each templated endpoint once, with its parameter, and no static file', async () => {
      await ada.click('link', 'See the endpoints')
      await ada.page.waitForSelector('[aria-label="Endpoints"] tbody tr')
      await ada.settled()
      const endpoints = await ada.texts('[aria-label="Endpoints"] tbody tr td:first-child')
      expect(endpoints.filter((path) => /\/rest\/basket\/\{/.test(path))).toHaveLength(1)
      expect(
        endpoints.filter((path) => /^GET.*\/rest\/products\/\{[^/]*\}\/reviews/.test(path)),
      ).toHaveLength(1)
      expect(endpoints.filter((path) => /\.(js|css|png|jpg|svg|ico|woff2?)( |$)/.test(path))).toEqual([])
    })

    it('finds by search and keeps the view in the address', async () => {
      await ada.page.locator('input[aria-label="Search paths"]').fill('basket')
      await ada.until(
        `!document.body.textContent.includes('/reviews') && location.search.includes('q=basket')`,
      )
      await ada.page.reload()
      await ada.settled()
      expect(await ada.text()).toContain('/rest/basket/')
    })

    it('tells of one endpoint its authentication, sensitive data, samples and template', async () => {
      await ada.page.locator('[aria-label="Endpoints"] tbody a').click()
      await ada.heading('/rest/basket/')
      await ada.settled()
      expect(await ada.texts('[aria-label="Summary"] [data-code]')).toContain('JWT')
      await ada.click('tab', 'Samples')
      await ada.page.waitForSelector('section[aria-label="Response body"]')
      await ada.click('tab', 'Path template')
      await ada.page.waitForSelector('[aria-label="Decide otherwise"]')
    })

    it('shows e-mail addresses as sensitive data', async () => {
      await ada.open('/apis/all?type=EMAIL')
      const [first] = await ada.texts('[aria-label="Endpoints"] tbody tr')
      expect(first).toContain('EMAIL')
    })

    it('moves between rows by key and opens one', async () => {
      await ada.open('/apis/all')
      await ada.page.focus('section[aria-label="Endpoints, scrollable"]')
      await ada.page.keyboard.press('j')
      await ada.page.keyboard.press('j')
      const second = await ada.page.evaluate(`document.activeElement.getAttribute('href')`)
      await ada.page.keyboard.press('Enter')
      await ada.until(`location.pathname + location.search === ${JSON.stringify(second)}`)
    })

    it('creates a key and shows it once', async () => {
      await ada.open('/settings/keys')
      await ada.click('button', 'New key')
      await ada.fill('Name', 'automation')
      await ada.click('button', 'Create the key')
      const secret = await ada.page.waitForSelector('[data-testid="fresh-secret"]')
      const key = (await secret?.evaluate((element) => element.textContent)) ?? ''
      const answer = await server.post('/api/getAllCollectionsBasic', {}, { key })
      expect(answer.status).toBe(200)
      await ada.click('button', 'I have kept it')
      await ada.page.waitForSelector('[aria-label="API keys"]')
      expect(await ada.text()).not.toContain(key)
    })

    it('creates a collection, deactivates it with a way back, and deletes it by its name', async () => {
      await ada.open('/apis')
      await ada.click('button', 'New collection')
      await ada.fill('Name', 'spare parts')
      await ada.click('button', 'Create')
      await ada.heading('spare parts')
      await ada.open('/apis')
      await ada.click('button', 'Actions for spare parts')
      await ada.click('menuitem', 'Deactivate')
      await ada.sees('spare parts is deactivated')
      await ada.click('button', 'Undo')
      await ada.sees('spare parts is active')
      await ada.click('button', 'Actions for spare parts')
      await ada.click('menuitem', 'Delete')
      await ada.fill('Type “spare parts” to confirm', 'spare parts')
      await ada.click('button', 'Delete it for good')
      await ada.sees('spare parts is gone.')
      const { apiCollections } = await server.client.call('getAllCollections', {})
      expect(apiCollections.map((collection) => collection.name)).not.toContain('spare parts')
    })

    it('shows a command for live traffic that works as it stands', async () => {
      await ada.open('/start?way=live')
      await ada.click('button', 'Create a key')
      await ada.page.waitForSelector('[data-testid="fresh-secret"]')
      const [command] = await ada.texts('section[aria-label="Command for one message"] pre')
      const answer = await runShownCommand(command ?? '')
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { accepted: 1, duplicates: 0, rejected: [] },
      ])
      await ada.sees('received today')
    })

    it('invites a guest, who signs up by the link and is shown nothing to change', async () => {
      await ada.open('/settings/team')
      await ada.click('button', 'Invite')
      await ada.fill('E-mail', 'guest@example.org')
      await ada.click('combobox', 'Role')
      await ada.click('option', 'Guest')
      await ada.click('button', 'Make the invitation')
      const secret = await ada.page.waitForSelector('[data-testid="fresh-secret"]')
      const link = new URL(String(await secret?.evaluate((element) => element.textContent)))
      const guest = await Visitor.arrive(browser.browser, server.baseUrl)
      await guest.open(link.pathname + link.search)
      await guest.fill('E-mail', 'guest@example.org')
      await guest.fill('Password', testPassword)
      await guest.click('button', 'Create the account')
      await guest.heading('Collections')
      await guest.settled()
      expect(await guest.text()).not.toContain('New collection')
      expect(guest.faults).toEqual([])
      await guest.leave()
      await ada.click('button', 'Done')
    })

    it('signs out, refuses a wrong password in words, and signs in again', async () => {
      await ada.click('button', `Account ${email}`)
      await ada.click('menuitem', 'Sign out')
      await ada.heading('Sign in')
      await ada.fill('E-mail', email)
      await ada.fill('Password', 'wrong password 1')
      await ada.click('button', 'Sign in')
      await ada.sees('Wrong e-mail or password')
      await ada.fill('Password', testPassword)
      await ada.click('button', 'Sign in')
      await ada.heading('Team')
    })

    it('resumes the session after a reload', async () => {
      await ada.page.reload()
      await ada.heading('Team')
    })
  })

  describe('accessibility', () => {
    it.each(schemes)(
      'every page of a full installation is clean in %s',
      async (scheme) => {
        const visitor = await signedIn(browser.browser, server)
        await visitor.prefer(scheme)
        const { uploadId } = await reportOf(server)
        const pages = [...everyPage, ...(await endpointPages(server)), `/start/imports/${uploadId}`]
        expect(await breachesOf(visitor, pages)).toEqual([])
        await visitor.leave()
      },
      180_000,
    )

    it.each(schemes)(
      'every page before a broken server is clean in %s',
      async (scheme) => {
        const visitor = await signedIn(browser.browser, server)
        await visitor.prefer(scheme)
        await breakServer(visitor.page)
        const pages = [...everyPage, ...(await endpointPages(server))]
        expect(await breachesOf(visitor, pages)).toEqual([])
        await visitor.open('/apis')
        expect(await visitor.text()).toContain('Check the database')
        await visitor.leave()
      },
      180_000,
    )

    it.each(schemes)(
      'every page of an empty installation is clean in %s',
      async (scheme) => {
        const empty = await startTestServer()
        const visitor = await Visitor.arrive(browser.browser, empty.baseUrl)
        await visitor.prefer(scheme)
        expect(await breachesOf(visitor, ['/'])).toEqual([])
        await signUpPerson(empty, email)
        expect(await breachesOf(visitor, ['/', '/signup?invitationCode=x'])).toEqual([])
        await signIn(visitor)
        expect(await breachesOf(visitor, everyPage)).toEqual([])
        await visitor.leave()
        await empty.close()
      },
      180_000,
    )

    it.each(schemes)(
      'menus, dialogs and notices are clean in %s',
      async (scheme) => {
        const visitor = await signedIn(browser.browser, server)
        await visitor.prefer(scheme)
        const breaches: string[] = []
        const look = async (at: string) => {
          breaches.push(...(await visitor.breaches()).map((breach) => `${at}: ${breach}`))
        }
        await visitor.open('/apis')
        await visitor.click('button', 'Actions for juiceshop')
        await visitor.page.waitForSelector('[role="menuitem"]')
        await look('menu of a collection')
        await visitor.click('menuitem', 'Delete')
        await visitor.page.waitForSelector('[role="dialog"]')
        await look('question before deleting')
        await visitor.click('button', 'Cancel')
        await visitor.click('button', 'New collection')
        await visitor.fill('Name', 'juiceshop')
        await visitor.click('button', 'Create')
        await visitor.sees('Collection names must be unique')
        await look('refusal in a dialog')
        await visitor.click('button', 'Cancel')
        await visitor.click('button', 'Actions for juiceshop')
        await visitor.click('menuitem', 'Deactivate')
        await visitor.sees('juiceshop is deactivated')
        await look('notice with a way back')
        await visitor.click('button', 'Undo')
        await visitor.sees('juiceshop is active')
        await visitor.open('/settings/team')
        await visitor.click('button', 'Invite')
        await visitor.click('combobox', 'Role')
        await visitor.page.waitForSelector('[role="option"]')
        await look('list of roles in a dialog')
        expect([...breaches, ...visitor.faults]).toEqual([])
        await visitor.leave()
      },
      60_000,
    )

    it('nothing is wider than a screen of 320 pixels', async () => {
      const visitor = await signedIn(browser.browser, server)
      await visitor.page.setViewport({ width: 320, height: 800 })
      const wide: string[] = []
      for (const path of [...everyPage, ...(await endpointPages(server))]) {
        await visitor.open(path)
        const width = Number(await visitor.page.evaluate('document.documentElement.scrollWidth'))
        if (width > 320) wide.push(`${path}: ${width}`)
      }
      expect(wide).toEqual([])
      await visitor.leave()
    }, 180_000)
  })
})

const everyPage = [
  '/start',
  '/start?way=paste',
  '/start?way=live',
  '/apis?show=all',
  '/apis/all',
  '/apis/all?q=nothing-has-this-path',
  '/settings/keys',
  '/settings/team',
  '/no-such-page',
]

async function endpointPages(server: TestServer): Promise<string[]> {
  const { endpoints } = await server.client.call('searchEndpoints', { search: 'basket' })
  const { apiCollectionId, method, url } = endpoints[0]!.id
  const page = `/apis/${apiCollectionId}/endpoint?method=${method}&url=${encodeURIComponent(url)}`
  return [
    `/apis/${apiCollectionId}`,
    page,
    `${page}&tab=samples`,
    `${page}&tab=authentication`,
    `${page}&tab=template`,
  ]
}

async function reportOf(server: TestServer) {
  const { imports } = await server.client.call('fetchImports', {})
  return imports[0]!
}

async function breachesOf(visitor: Visitor, pages: readonly string[]): Promise<string[]> {
  const breaches: string[] = []
  for (const path of pages) {
    await visitor.open(path)
    breaches.push(...(await visitor.breaches()).map((breach) => `${path}: ${breach}`))
  }
  return [...breaches, ...visitor.faults]
}

async function signIn(visitor: Visitor): Promise<void> {
  await visitor.open('/')
  await visitor.heading('Sign in')
  await visitor.fill('E-mail', email)
  await visitor.fill('Password', testPassword)
  await visitor.click('button', 'Sign in')
  await visitor.page.waitForSelector('nav[aria-label="Pages"]')
}

async function signedIn(browser: Parameters<typeof Visitor.arrive>[0], server: TestServer): Promise<Visitor> {
  const visitor = await Visitor.arrive(browser, server.baseUrl)
  await signIn(visitor)
  return visitor
}
