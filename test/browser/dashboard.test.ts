import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer, testPassword } from '../harness.ts'
import { breakServer } from './break-server.ts'
import { dropFile } from './drop-file.ts'
import { inBrowser } from './in-browser.ts'
import { email, reportOf, signedIn } from './installation.ts'
import { runShownCommand } from './run-shown-command.ts'
import { Visitor } from './visitor.ts'

const recording = join(import.meta.dirname, '..', 'fixtures', 'juiceshop.har')

/** The marathons go through each. */
const onePageOfEveryPart = ['/crawls/new', '/runs/new', '/issues', '/library', '/threats', '/reports']

inBrowser('from the first visit to a true inventory', (browser) => {
  let server: TestServer
  let ada: Visitor

  beforeAll(async () => {
    server = await startTestServer()
    ada = await Visitor.arrive(browser(), server.baseUrl)
  })

  afterAll(async () => {
    expect(ada.faults).toEqual([])
    expect(ada.foreignRequests).toEqual([])
    await ada.leave()
    await server.close()
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
    const endpoints = await ada.texts('[aria-label="Endpoints"] tbody tr td:nth-child(2)')
    expect(endpoints.filter((path) => /\/rest\/basket\/\{/.test(path))).toHaveLength(1)
    expect(endpoints.filter((path) => /^GET.*\/rest\/products\/\{[^/]*\}\/reviews/.test(path))).toHaveLength(
      1,
    )
    expect(endpoints.filter((path) => /\.(js|css|png|jpg|svg|ico|woff2?)( |$)/.test(path))).toEqual([])
  })

  it('finds by search and keeps the view in the address', async () => {
    await ada.page.locator('input[aria-label="Search paths"]').fill('basket')
    await ada.until(`!document.body.textContent.includes('/reviews') && location.search.includes('q=basket')`)
    await ada.page.reload()
    await ada.settled()
    expect(await ada.text()).toContain('/rest/basket/')
  })

  it('tells of one endpoint its authentication, sensitive data, samples and template', async () => {
    await ada.press('[aria-label="Endpoints"] tbody a')
    await ada.heading('/rest/basket/')
    await ada.settled()
    expect(await ada.texts('[aria-label="Summary"] [data-tone]')).toContain('JWT')
    await ada.click('tab', 'Samples')
    await ada.page.waitForSelector('section[aria-label="Response body"]')
    await ada.click('tab', 'Path template')
    await ada.page.waitForSelector('[aria-label="Change decision"]')
  })

  it('splits a template into its paths, and takes that back', async () => {
    await ada.open('/apis/all?q=reviews&method=GET')
    await ada.press('[aria-label="Endpoints"] tbody a')
    await ada.heading('/reviews')
    await ada.settled()
    await ada.click('tab', 'Path template')
    await ada.click('button', 'Split into the paths behind it')
    await ada.sees('2 endpoints came out of it.')
    await ada.sees('/rest/products/24/reviews')
    await ada.click('button', 'Undo')
    await ada.until(`!document.body.textContent.includes('/rest/products/24/reviews')`)
    await ada.sees('{productId}')
  })

  it('shows e-mail addresses as sensitive data', async () => {
    await ada.open('/apis/all?type=EMAIL')
    const [first] = await ada.texts('[aria-label="Endpoints"] tbody tr')
    expect(first).toContain('EMAIL')
  })

  it('shows which endpoint carries which sensitive data, and when it became known', async () => {
    await ada.click('link', 'Inventory')
    await ada.click('tab', 'Sensitive data')
    await ada.heading('Sensitive data')
    await ada.settled()
    expect(await ada.texts('[aria-label="Sensitive data by endpoint"] thead th')).toContain('EMAIL')
    expect(await ada.texts('[aria-label="Sensitive data by endpoint"] tbody tr')).toContainEqual(
      expect.stringMatching(/rest\/basket.*(request|response)/),
    )
    await ada.open('/apis/changes?kind=NEW_ENDPOINT')
    expect(await ada.texts('[aria-label="Changes"] tbody tr')).toContainEqual(
      expect.stringMatching(/New endpoint.*GET.*rest\/basket/),
    )
  })

  it('creates a data type of its users by name and value', async () => {
    await ada.open('/apis/data-types?made=custom')
    await ada.sees('No custom data type yet')
    await ada.click('button', 'New data type')
    await ada.fill('Name', 'basket_number')
    await ada.sees('Add at least one condition')
    await ada.click('button', 'Condition on the name')
    await ada.fill('Text of name condition 1', 'basketId')
    await ada.click('button', 'Save')
    await ada.sees('Data type BASKET_NUMBER is saved.')
    const { dataTypes } = await server.client.call('fetchDataTypes', {})
    expect(dataTypes.find(({ name }) => name === 'BASKET_NUMBER')).toMatchObject({
      builtIn: false,
      active: true,
      keyConditions: { operator: 'OR', predicates: [{ type: 'CONTAINS', value: 'basketId' }] },
      valueConditions: null,
    })
  })

  it('leads from the address of an application to its crawl', async () => {
    await ada.click('link', 'Add traffic')
    await ada.press('[role="tab"] ::-p-text(Crawl an application)')
    await ada.fill('Address of the application', 'http://127.0.0.1:9/shop')
    await ada.click('button', 'Continue')
    await ada.heading('New crawl')
    await ada.until(`document.querySelector('input[type=url]').value === 'http://127.0.0.1:9/shop'`)
  })

  it('keeps what a page shows while the server does not answer', async () => {
    const other = await signedIn(browser(), server)
    await other.open('/')
    await other.heading('Overview')
    await breakServer(other.page)
    let refused = 0
    other.page.on('response', (answer) => {
      if (answer.url().endsWith('/api/getAllCollectionsBasic')) refused++
    })
    await other.page.evaluate(`{
      const now = Date.now
      Date.now = () => now() + 60_000
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }`)
    await other.sees('The store does not answer')
    await other.sees('Check the database')
    await other.sees('What you see was read')
    // It was asked for, once more, and again by the banner: every failure but the last one was shown.
    await expect.poll(() => refused).toBeGreaterThan(2)
    expect(await other.texts('h1')).toEqual(['Overview'])
    await other.leave()
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
    await ada.click('button', 'I have saved the key')
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
    await ada.click('button', 'Delete permanently')
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
      { accepted: 1, duplicates: 0, rejected: [], dropped: {} },
    ])
    await ada.sees('received today')
  })

  it('invites a guest, who signs up by the link and is shown nothing to change', async () => {
    await ada.open('/settings/team')
    await ada.click('button', 'Invite')
    await ada.fill('E-mail', 'guest@example.org')
    await ada.click('combobox', 'Role')
    await ada.click('option', 'Guest')
    await ada.click('button', 'Create invitation')
    const secret = await ada.page.waitForSelector('[data-testid="fresh-secret"]')
    const link = new URL(String(await secret?.evaluate((element) => element.textContent)))
    const guest = await Visitor.arrive(browser(), server.baseUrl)
    await guest.open(link.pathname + link.search)
    await guest.fill('E-mail', 'guest@example.org')
    await guest.fill('Password', testPassword)
    await guest.click('button', 'Create the account')
    await guest.heading('Overview')
    await guest.open('/apis')
    expect(await guest.text()).not.toContain('New collection')
    expect(guest.faults).toEqual([])
    await guest.leave()
    await ada.click('button', 'Done')
  })

  it('speaks German when asked to, and writes dates and numbers as German does', async () => {
    await ada.open('/settings/preferences')
    await ada.click('combobox', 'Language')
    await ada.click('option', 'Deutsch')
    await ada.click('button', 'Save')
    await ada.heading('Persönliche Einstellungen')
    expect(await ada.page.evaluate('document.documentElement.lang')).toBe('de')
    expect(await ada.breaches()).toEqual([])
    await ada.click('link', 'Übersicht')
    await ada.heading('Übersicht')
    await ada.settled()
    expect(await ada.texts('section[aria-label="Inventar"] a')).toContainEqual(
      expect.stringMatching(/^\d+ Endpunkte$/),
    )
    await ada.click('link', 'Testläufe')
    await ada.heading('Test runs')
    expect(await ada.page.evaluate(`document.querySelector('main h1').closest('[lang]').lang`)).toBe('en')
    await ada.open('/apis')
    await ada.click('button', 'New collection')
    // What dialogs share is in the language of their page, which is not translated.
    await ada.page.waitForSelector(
      '[role="dialog"][lang="en"] button[aria-label="Close"], [lang="en"] [role="dialog"] button[aria-label="Close"]',
    )
    await ada.page.keyboard.press('Escape')
    await ada.open('/apis/no/such/page')
    await ada.page.waitForSelector('main h1')
    expect(await ada.page.evaluate(`document.querySelector('main h1').closest('[lang]').lang`)).toBe('de')
    await ada.open('/settings/preferences')
    await ada.click('combobox', 'Sprache')
    await ada.click('option', 'English')
    await ada.click('button', 'Speichern')
    await ada.heading('Preferences')
    expect(await ada.page.evaluate('document.documentElement.lang')).toBe('en')
  })

  it('tries an operation of the reference', async () => {
    await ada.open('/api-reference?q=own+user')
    await ada.click('link', 'fetchOwnUser')
    await ada.settled()
    await ada.click('button', 'Send')
    await ada.page.waitForSelector('section[aria-label="Answer"]')
    await ada.sees('Status 200')
    expect((await ada.texts('section[aria-label="Answer"]')).join()).toContain(email)
  })

  it('keeps a name and a retention for the organisation', async () => {
    await ada.open('/settings/organisation')
    await ada.fill('Name', 'Example Payments')
    await ada.press('section[aria-label="Name and time zone"] button[type="submit"]')
    await ada.page.waitForSelector('header [title="Example Payments"]')
    await ada.fill('Sample messages, in days', '7')
    await ada.sees('Data will be removed')
    await ada.click('button', 'Save and remove older data')
    await ada.until(`!document.body.textContent.includes('Data will be removed')`)
    const { organisation } = await server.client.call('fetchOrganisation', {})
    expect(organisation.name).toBe('Example Payments')
    expect(organisation.kept.find(({ kind }) => kind === 'SAMPLES')).toMatchObject({
      time: 7,
      isChosen: true,
    })
  })

  it('opens a page of every part, and finds no fault with one in either colour scheme', async () => {
    for (const path of onePageOfEveryPart) await ada.open(path)
    expect(ada.faults).toEqual([])
    await ada.open('/settings/team')
    expect(await ada.breaches()).toEqual([])
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
