import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { starter } from '../../src/dashboard/pages/editor/starter.ts'
import { starterCases } from '../../src/dashboard/pages/editor/starter-cases.ts'
import { type Market, recordMarketTraffic, startMarket } from '../../src/demo/index.ts'
import { signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { vigilOf } from '../scorecard/vigil-of.ts'
import { collectionOf } from '../use-vigil.ts'
import { breachesOf } from './accessibility-cases.ts'
import { breakServer } from './break-server.ts'
import { deliveryCases } from './delivery-cases.ts'
import { email, signedIn } from './installation.ts'
import { roleCases } from './role-cases.ts'
import type { Visitor } from './visitor.ts'

const patience = 180_000
const runPatienceMs = 60_000

/** Tests of the small run: one finding without another user, one with, one that only reads headers. */
const chosenTests = ['CORS_ORIGIN_REFLECTED', 'BOLA_READ', 'VERSION_DISCLOSURE_SERVER']

/** Pages about testing that every installation has. */
const testingPages = [
  '/',
  '/runs',
  '/runs?q=nothing-has-this-name',
  '/runs/new',
  '/issues',
  '/issues?status=IGNORED',
  '/library',
  '/library?q=cors',
  '/library/BOLA_READ',
  '/library/new',
  '/library/suites',
  '/reports',
  '/settings/roles',
  '/settings/alerts',
  '/settings/threats',
]

/** From credentials to a closed issue, in a browser, on a real market with real findings. */
export function testingCases(browserOf: () => Browser): void {
  let server: TestServer
  let market: Market
  let receiver: Receiver
  let ada: Visitor
  let collectionId = 0
  let attacker = ''
  let resultPage = ''
  let issuePage = ''

  beforeAll(async () => {
    market = await startMarket('all')
    receiver = await startReceiver()
    server = await startTestServer({ 'allowed-alert-targets': receiver.host })
    const vigil = vigilOf(server)
    const { messages, tokens } = await recordMarketTraffic(market)
    attacker = tokens.bob
    await vigil.call('ingestData', { batchData: messages })
    collectionId = await collectionOf(vigil, new URL(market.origin).host)
    await signUpPerson(server, email)
    ada = await signedIn(browserOf(), server)
  }, patience)

  afterAll(async () => {
    expect(ada.faults).toEqual([])
    expect(ada.foreignRequests).toEqual([])
    await ada.leave()
    await server.close()
    await market.close()
    await receiver.close()
  })

  it('leads from the overview to what is missing', async () => {
    await ada.open('/')
    await ada.heading('Overview')
    await ada.sees('Store the credentials of a second user')
    await ada.click('link', 'Set the attacker')
    await ada.heading('Roles and credentials')
  })

  it('stores the credential of the attacker and hides it', async () => {
    await ada.click('button', 'Set the credential')
    await ada.paste('[role="dialog"] input[type="password"]', `Bearer ${attacker}`)
    await ada.click('button', 'Store it')
    await ada.page.waitForSelector('[aria-label="Credentials of Attacker"] tbody tr')
    expect(await ada.text()).not.toContain(attacker)
    await ada.sees('Bear***')
  })

  roleCases(() => ({ ada, server, host: new URL(market.origin).host }))

  it(
    'plans a run, says what would run, and starts it',
    async () => {
      const tests = chosenTests.map((id) => `test=${id}`).join('&')
      await ada.open('/runs/new')
      await ada.sees('Choose what to test.')
      await ada.open(`/runs/new?collection=${collectionId}&${tests}`)
      const plan = (await ada.texts('section[aria-label="What would run"] dd')).map((text) => text.trim())
      expect(plan[1]).toBe('3')
      await ada.fill('Name', '<img src=x onerror="document.title=1"> nightly')
      await ada.click('button', 'Start the run')
      await ada.heading('<img src=x')
      await ada.page.waitForFunction(
        `document.querySelector('section[aria-label="Summary"]')?.textContent.includes('Completed')`,
        { timeout: runPatienceMs },
      )
      await ada.page.waitForSelector('[aria-label="Results"] tbody tr')
    },
    patience,
  )

  it('groups skipped checks by the condition that decided, and filters them by it', async () => {
    await ada.press('::-p-aria([role="tab"]) ::-p-text(Skipped)')
    await ada.page.waitForSelector('[aria-label="Reasons for skipped checks"] tbody tr')
    const rows = await ada.texts('[aria-label="Reasons for skipped checks"] tbody tr')
    expect(rows.join('\n')).toMatch(/is not|[Nn]o (query|request|response)/)
    await ada.press('[aria-label="Reasons for skipped checks"] tbody tr button')
    await ada.page.waitForSelector('[aria-pressed="true"]')
    expect(await ada.page.evaluate('location.search')).toContain('reason=')
    expect(await ada.page.evaluate('location.search')).toContain('show=SKIPPED_EXEC')
  })

  it('lists the run with its findings, and keeps filters in the address', async () => {
    await ada.open('/runs?state=COMPLETED&severity=HIGH')
    await ada.page.waitForSelector('[aria-label="Test runs"] tbody tr')
    const [row] = await ada.texts('[aria-label="Test runs"] tbody tr')
    expect(row).toContain('nightly')
    expect(row).toMatch(/\d High/)
    await ada.press('[aria-label="Test runs"] tbody a')
    await ada.heading('nightly')
    await ada.page.goBack()
    await ada.heading('Test runs')
    expect(await ada.page.evaluate('location.search')).toBe('?state=COMPLETED&severity=HIGH')
    await ada.open('/runs?state=FAILED')
    await ada.sees('No run meets the filters')
  })

  it('proves a finding: condition with values, attempt, control, command', async () => {
    await ada.open('/runs')
    await ada.press('[aria-label="Test runs"] tbody a')
    await ada.press('[aria-label="Results"] tbody a')
    await ada.page.waitForSelector('section[aria-label="Why it was judged so"]')
    await ada.settled()
    expect(await ada.texts('section[aria-label="Why it was judged so"] li')).not.toEqual([])
    expect(await ada.text()).not.toContain(attacker)
    await ada.click('tab', 'Control')
    await ada.sees('Confirms the finding')
    resultPage = String(await ada.page.evaluate('location.pathname'))
    await ada.click('link', 'Its issue')
    await ada.page.waitForSelector('section[aria-label="History"] li')
    issuePage = String(await ada.page.evaluate('location.pathname + location.search'))
  })

  it('shows original, attack and control beside each other, with what differs', async () => {
    await ada.open(resultPage)
    await ada.page.waitForSelector('section[aria-label="Attack response"]')
    const sides = ['Original request', 'Attack request', 'Control request']
    for (const side of sides) await ada.page.waitForSelector(`section[aria-label="${side}"]`)
    expect(await ada.texts('section[aria-label="Attack request"] [data-different]')).not.toEqual([])
    await ada.page.waitForSelector('button[aria-label^="Copy as Markdown"]')
    await ada.open(issuePage)
  })

  it('finds an issue by words, exports the list, and gives it to a person', async () => {
    await ada.open('/issues?q=no-such-words')
    await ada.sees('No issue here meets the filters.')
    await ada.open('/issues?q=CORS')
    await ada.page.waitForSelector('[aria-label="Issues"] tbody tr')
    const rows = await ada.texts('[aria-label="Issues"] tbody tr td:nth-child(2)')
    expect(rows.filter((row) => !row.includes('CORS'))).toEqual([])
    await ada.press('input[aria-label="Choose all on this page"]')
    await ada.click('button', 'Assign')
    await ada.click('menuitem', email)
    await ada.until(
      `[...document.querySelectorAll('[aria-label="Issues"] tbody tr')].every((row) => row.textContent.includes('${email}'))`,
    )
    await ada.open(`/issues?assignee=${encodeURIComponent(email)}&status=ALL`)
    await ada.page.waitForSelector('[aria-label="Issues"] tbody tr')
    await ada.open(issuePage)
  })

  it('searches everything from the keyboard, and shows the shortcuts', async () => {
    await ada.page.keyboard.down('Control')
    await ada.page.keyboard.press('k')
    await ada.page.keyboard.up('Control')
    await ada.page.waitForSelector('[role="dialog"] [role="combobox"]')
    await ada.page.keyboard.type('CORS')
    await ada.until(
      `[...document.querySelectorAll('[role="option"]')].some((one) => one.textContent.startsWith('Issue'))`,
    )
    expect(await ada.breaches()).toEqual([])
    await ada.page.keyboard.press('Enter')
    await ada.until(`document.querySelector('[role="dialog"]') === null`)
    await ada.page.keyboard.press('?')
    await ada.sees('Keyboard shortcuts')
    await ada.page.keyboard.press('Escape')
    await ada.until(`document.querySelector('[role="dialog"]') === null`)
    await ada.page.keyboard.press('g')
    await ada.page.keyboard.press('r')
    await ada.heading('Test runs')
    await ada.open(issuePage)
  })

  it('tells on the overview what changed, each number as a link to its list', async () => {
    const other = await signedIn(browserOf(), server)
    await other.open('/?since=day')
    await other.page.waitForSelector('section[aria-label="What changed"] a[href^="/issues?found="]')
    const [found] = await other.texts('section[aria-label="What changed"] a[href^="/issues?found="]')
    await other.press('section[aria-label="What changed"] a[href^="/issues?found="]')
    await other.heading('Issues')
    await other.page.waitForSelector('[aria-label="Issues"] tbody tr')
    const rows = await other.texts('[aria-label="Issues"] tbody tr')
    expect(Number.parseInt(found!, 10)).toBe(rows.length)
    await other.open('/')
    await other.press('section[aria-label="Test coverage"] a[href*="tested=TESTED"]')
    await other.heading('All endpoints')
    await other.page.waitForSelector('[aria-label="Endpoints"] tbody tr')
    await other.leave()
  })

  it('notes, ignores with a reason, and opens an issue again', async () => {
    await ada.click('button', 'Edit the note')
    await ada.fill('Text of the note', 'Told the shop team.')
    await ada.click('button', 'Save the note')
    await ada.sees('Note changed')
    await ada.click('button', 'Ignore')
    await ada.fill('In your words', 'only in staging')
    await ada.press('[role="dialog"] button[type="submit"]')
    await ada.sees('Ignored, because: False positive: only in staging')
    await ada.click('button', 'Reopen')
    await ada.sees('Became open; was ignored')
  })

  it('forgets the chosen issues when the filters change', async () => {
    await ada.open('/issues')
    await ada.page.waitForSelector('[aria-label="Issues"] tbody tr')
    await ada.press('input[aria-label="Choose all on this page"]')
    await ada.page.waitForSelector('[aria-label="Chosen issues"]')
    await ada.page.locator('input[aria-label="Search test, CWE, path or ticket"]').fill('CORS')
    await ada.until(`new URLSearchParams(location.search).get('q') === 'CORS'`)
    await ada.until(`document.querySelector('[aria-label="Chosen issues"]') === null`)
  })

  it('changes several issues at once', async () => {
    await ada.open('/issues')
    await ada.page.waitForSelector('[aria-label="Issues"] tbody tr')
    await ada.press('input[aria-label="Choose all on this page"]')
    await ada.sees('chosen')
    await ada.click('button', 'Change severity')
    await ada.click('menuitem', 'Low')
    await ada.until(
      `[...document.querySelectorAll('[aria-label="Issues"] tbody tr')].every((row) => row.textContent.includes('Low'))`,
    )
    const { issues } = await server.client.call('fetchAllIssues', {
      filterSubCategory: [],
      activeCollections: false,
      sortKey: 'severity',
      sortOrder: -1,
      limit: 100,
      skip: 0,
      filterStatus: ['OPEN'],
      startEpoch: 0,
      endTimeStamp: 0,
    })
    expect(new Set(issues?.map((issue) => issue.severity))).toEqual(new Set(['LOW']))
  })

  it('finds tests by CWE and by what the weakness is called elsewhere', async () => {
    for (const words of ['CWE-639', 'insecure direct object reference']) {
      await ada.open(`/library?q=${encodeURIComponent(words)}`)
      await ada.sees('Broken object level authorization (BOLA/IDOR): delete')
      const rows = await ada.texts('[aria-label="Tests"] tbody tr')
      expect(rows.filter((row) => !row.includes('BOLA'))).toEqual([])
    }
  })

  it('switches a test off and on', async () => {
    await ada.open('/library?q=CORS_ORIGIN_REFLECTED')
    await ada.page.waitForSelector('[aria-label="Tests"] tbody tr')
    await ada.press('[aria-label="Tests"] tbody .mantine-Switch-track')
    await ada.sees('1 switched off')
    await ada.press('[aria-label="Tests"] tbody .mantine-Switch-track')
    await ada.sees('0 switched off')
  })

  it('refuses a broken test with its line, and saves the corrected one', { timeout: patience }, async () => {
    await ada.open('/library/new')
    const field = 'The test in YAML'
    const good = starter
    await ada.edit(field, good.replace('replace_auth_header', 'replace_auth_headr'))
    await ada.click('button', 'Save the test')
    await ada.page.waitForSelector('.cm-lintRange-error::-p-text(replace_auth_headr)')
    await ada.edit(field, good)
    await ada.click('button', 'Add cases')
    await ada.click('button', 'Run the cases')
    await ada.sees('2 of 2 as expected')
    await ada.edit('The cases in YAML', starterCases.replace('expect: secure', 'expect: vulnerable'))
    await ada.click('button', 'Run the cases')
    await ada.sees('expected vulnerable, got secure')
    expect(await ada.breaches()).toEqual([])
    await ada.edit('The cases in YAML', starterCases)
    await ada.sees('Changed since this run')
    await ada.click('button', 'Save the test')
    await ada.heading('Objects of another user can be read')
    const { cases } = await server.client.call('fetchTestContent', {
      originalTestId: /^id: (\S+)/.exec(good)![1]!,
    })
    expect(cases).toBe(starterCases)
  })

  it('shows issues at their endpoint, and offers to test it', async () => {
    const { searchParams } = new URL(issuePage, server.baseUrl)
    const query = new URLSearchParams({
      method: String(searchParams.get('method')),
      url: String(searchParams.get('url')),
      tab: 'issues',
    })
    await ada.open(`/apis/${collectionId}/endpoint?${query}`)
    await ada.page.waitForSelector('a[href^="/issues/one"]')
    await ada.click('link', 'Test this endpoint')
    await ada.heading('New run')
    await ada.page.waitForSelector('[aria-label="Chosen endpoints"] li')
  })

  deliveryCases(() => ({ ada, server, receiver }))

  it(
    'has no fault of accessibility on any of these pages, and fits 320 pixels',
    async () => {
      const pages = [...testingPages, '/runs?state=COMPLETED', resultPage, issuePage]
      expect(await breachesOf(ada, pages)).toEqual([])
    },
    patience,
  )

  it(
    'says what to do while the server is broken',
    async () => {
      const eve = await signedIn(browserOf(), server)
      await breakServer(eve.page)
      const pages = [...testingPages, resultPage, issuePage]
      for (const path of pages) {
        await eve.open(path)
        await eve.sees('Check the database')
        // A new test needs nothing of the server before it is stored.
        if (path === '/library/new') expect(await eve.texts('[role="alert"]')).toEqual([])
      }
      expect(eve.faults).toEqual([])
      await eve.leave()
    },
    patience,
  )
}
