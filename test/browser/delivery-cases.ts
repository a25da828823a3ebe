import { expect, it } from 'vitest'
import type { TestServer } from '../harness.ts'
import type { Receiver } from '../receiver.ts'
import type { Visitor } from './visitor.ts'

/** What the cases run against: a signed-in visitor of an installation with a run that ended, and a receiver. */
export interface DeliveryDeps {
  readonly ada: Visitor
  readonly server: TestServer
  readonly receiver: Receiver
}

/** Most bytes of script, compressed, that the first view may load. */
const FIRST_SCRIPT = 300_000

/** Suites, schedule, log, reports, channels and trackers, as a person uses them. */
export function deliveryCases(deps: () => DeliveryDeps): void {
  it('makes a suite, changes it, and offers it to a run', async () => {
    const { ada, server } = deps()
    await ada.open('/library')
    await ada.click('link', 'Test suites')
    await ada.sees('No suite yet')
    await ada.click('button', 'New suite')
    await ada.fill('Name', 'before a release')
    await ada.page.locator('[role="dialog"] input[aria-label="Search tests"]').fill('origin')
    await ada.press('[role="dialog"] .mantine-Accordion-item input[type="checkbox"]')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Create suite')
    await ada.page.waitForSelector('[aria-label="Test suites"] tbody tr')
    await ada.click('button', 'Change before a release')
    await ada.fill('Name', 'each night')
    await ada.click('button', 'Save the suite')
    await ada.sees('each night')
    const { testSuiteList } = await server.client.call('fetchAllTestSuites', {})
    expect(testSuiteList.map((suite) => suite.name)).toEqual(['each night'])
    await ada.click('link', 'Run each night')
    await ada.heading('New run')
    await ada.sees('each night')
  })

  it('shows the log of a run, and its new schedule', async () => {
    const { ada, server } = deps()
    await ada.open('/runs')
    await ada.press('[aria-label="Test runs"] tbody a')
    await ada.click('button', 'Show the log')
    await ada.page.waitForSelector('[aria-label="Lines of the log"] tbody tr')
    expect((await ada.texts('[aria-label="Lines of the log"] tbody tr')).join()).toMatch(
      /GET http.* answered \d/,
    )
    await ada.click('button', 'Schedule')
    await ada.click('combobox', 'Repeats')
    await ada.click('option', 'Every week')
    await ada.click('button', 'Save the change')
    await ada.until(
      `document.querySelector('section[aria-label="Summary"]')?.textContent.includes('Weekly') === true`,
    )
    const runId = String(await ada.page.evaluate('location.pathname'))
      .split('/')
      .at(-1)!
    const { testingRun } = await server.client.call('fetchTestingRunResultSummaries', {
      testingRunHexId: runId,
      startTimestamp: 0,
      endTimestamp: 0,
    })
    expect(testingRun?.periodInSeconds).toBe(604_800)
  })

  it('makes a report of a run, and finds it again', async () => {
    const { ada, server } = deps()
    const asked = ada.page.waitForResponse((answer) => answer.url().endsWith('/api/generateReportPDF'))
    await ada.click('button', 'Report as PDF')
    await asked
    await ada.open('/reports')
    await ada.page.waitForSelector('[aria-label="Reports"] tbody tr')
    await ada.page.waitForSelector('button[aria-label^="Download: Run"]')
    await ada.click('button', 'Generate PDF')
    await ada.until(`document.querySelectorAll('button[aria-label^="Download: "]').length === 2`)
    const { reports } = await server.client.call('fetchReports', {})
    expect(reports, 'those of another person are not listed').toEqual([])
  })

  it('adds a channel, sends it a test message, and says when that does not arrive', async () => {
    const { ada, receiver } = deps()
    await ada.open('/settings/alerts')
    await ada.sees('No channels yet')
    await ada.click('button', 'New channel')
    await ada.click('combobox', 'Kind')
    await ada.click('option', 'Webhook')
    await ada.fill('Address of the incoming webhook', `${receiver.url}/hook`)
    await ada.fill('Name', 'security')
    await ada.click('button', 'Add the channel')
    await ada.page.waitForSelector('[aria-label="Channels"] tbody tr')
    await ada.click('button', 'Send a test message to security')
    await ada.sees('It was taken with status 200')
    expect(receiver.heard.at(-1)!.body).toContain('Vigil can reach this channel')
    receiver.answer(() => ({ status: 404 }))
    await ada.click('button', 'Send it again')
    await ada.sees('Delivery failed')
    receiver.answer(() => ({ status: 200 }))
    await ada.click('button', 'Done')
    expect(await ada.text()).not.toContain('/hook')
  })

  it('sets a tracker up and never shows its token', async () => {
    const { ada, receiver } = deps()
    await ada.click('button', 'Set up GitHub Issues')
    await ada.fill('Address', receiver.url)
    await ada.paste('[role="dialog"] input[type="password"]', 'token-of-the-tracker')
    await ada.click('button', 'Store it')
    await ada.page.waitForSelector('button[aria-label="Remove GitHub Issues"]')
    expect(await ada.page.content()).not.toContain('token-of-the-tracker')
  })

  it('changes a credential of a role to a login of two requests', async () => {
    const { ada, server } = deps()
    await ada.open('/settings/roles')
    await ada.press('section[aria-label="SUPPORT"] ::-p-text(Add a credential)')
    await ada.click('combobox', 'Kind')
    await ada.click('option', 'User and password (digest)')
    await ada.fill('User', 'sue')
    await ada.paste('[role="dialog"] input[type="password"]', 'password-of-sue')
    await ada.click('button', 'Store it')
    await ada.click('button', 'Change credential 1 of SUPPORT')
    await ada.click('combobox', 'Kind')
    await ada.click('option', 'A login by requests')
    await ada.fill('URL of the login', '/login')
    await ada.click('button', 'Another request')
    await ada.page.locator('section[aria-label="Request 2"] input[placeholder^="https"]').fill('/token')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Store it')
    await ada.until(
      `document.querySelector('[role="dialog"]') === null && document.body.textContent.includes('login by requests')`,
    )
    const { testRoles } = await server.client.call('fetchTestRoles', {})
    const [credential, ...others] = testRoles!.find((role) => role.name === 'SUPPORT')!.authWithCondList
    expect(others).toEqual([])
    expect(credential!.authMechanism).toMatchObject({
      type: 'LOGIN_REQUEST',
      requestData: [{ url: '/login' }, { url: '/token' }],
    })
  })

  it(`loads at most ${FIRST_SCRIPT / 1000} kB of script for the first view, and for a run`, async () => {
    const { ada } = deps()
    // The remedies of errors come some seconds later, when a page has long been read.
    const bytes = () =>
      ada.page.evaluate(
        `performance.getEntriesByType('resource')
           .filter(({ name }) => name.endsWith('.js') && !name.includes('/assets/errors-'))
           .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
      )
    await ada.open('/')
    expect(await bytes()).toBeGreaterThan(100_000)
    expect(await bytes()).toBeLessThan(FIRST_SCRIPT)
    await ada.open('/runs')
    await ada.page.waitForSelector('[aria-label="Test runs"] tbody a')
    const run = await ada.page.$eval('[aria-label="Test runs"] tbody a', (link) => link.getAttribute('href'))
    await ada.open(run!)
    await ada.page.waitForSelector('section[aria-label="Matrix"]')
    expect(await bytes()).toBeGreaterThan(100_000)
    expect(await bytes()).toBeLessThan(FIRST_SCRIPT)
  })
}
