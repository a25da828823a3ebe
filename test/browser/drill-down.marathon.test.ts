import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../harness.ts'
import { breakServer } from './break-server.ts'
import { fillInstallation } from './full-installation.ts'
import { inBrowser } from './in-browser.ts'
import { signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

const timeout = 240_000

inBrowser('lists and matrices lead on', (browser) => {
  let server: TestServer
  let ada: Visitor

  beforeAll(async () => {
    server = await startTestServer()
    await fillInstallation(server)
    ada = await signedIn(browser(), server)
  }, 600_000)

  afterAll(async () => {
    expect(ada.faults).toEqual([])
    await ada.leave()
    await server.close()
  })

  it('turns to the last page where an old link names a later one', { timeout }, async () => {
    for (const [page, list] of [
      ['/apis/all', 'Endpoints'],
      ['/apis/sensitive', 'Sensitive data by endpoint'],
      ['/apis/changes', 'Changes'],
      ['/runs', 'Test runs'],
      ['/runs/coverage', 'Coverage by endpoint'],
      ['/runs/access', 'Access by endpoint'],
      ['/issues', 'Issues'],
      ['/threats/events', 'Events'],
      ['/threats/actors', 'Actors'],
      ['/threats/apis', 'Endpoints under attack'],
    ]) {
      await ada.open(`${page}?page=99`)
      await ada.page.waitForSelector(`[aria-label="${list}"] tbody a`)
      expect(new URL(ada.page.url()).searchParams.get('page'), page).not.toBe('99')
    }
  })

  it('sorts actors by when they were first seen, also by keyboard', { timeout }, async () => {
    await ada.open('/threats/actors')
    const actors = () => ada.texts('[aria-label="Actors"] tbody td:first-child a')
    const head = await ada.page.waitForSelector('[aria-label="Actors"] thead button::-p-text(First seen)')
    const usual = await actors()
    await head!.focus()
    await ada.page.keyboard.press('Enter')
    await ada.page.waitForSelector('[aria-label="Actors"] th[aria-sort="descending"]::-p-text(First seen)')
    await ada.page.keyboard.press('Enter')
    // The address changes before the page does.
    await ada.page.waitForSelector('[aria-label="Actors"] th[aria-sort="ascending"]::-p-text(First seen)')
    expect(new URL(ada.page.url()).searchParams.get('sort')).toBe('discoveredAt')
    await ada.settled()
    const { actors: oldest } = await server.client.call('fetchThreatActors', { sort: { discoveredAt: 1 } })
    expect(await actors()).toEqual(oldest?.map(({ id }) => id))
    expect(await actors()).not.toEqual(usual)
    expect(await ada.breaches()).toEqual([])
  })

  it('names an endpoint alike in every card of the overview', { timeout }, async () => {
    await ada.open('/')
    await ada.page.waitForSelector('section[aria-label="Open issues"] a[href^="/issues/"]')
    expect(await ada.text()).not.toMatch(/\/(INTEGER|STRING|UUID)\b/)
  })

  it('says once on the overview that the server does not answer', { timeout }, async () => {
    const eve = await signedIn(browser(), server)
    await breakServer(eve.page, 'lost')
    await eve.open('/')
    await eve.sees('The server does not answer')
    await eve.sees('Appears here once the server answers.')
    expect(await eve.texts('[role="alert"]')).toEqual([])
    expect(await eve.breaches()).toEqual([])
    await eve.leave()
  })

  it('has every heading of the page of live traffic while its counts load', { timeout }, async () => {
    const eve = await signedIn(browser(), server)
    await breakServer(eve.page, 'held')
    await eve.page.goto(`${server.baseUrl}/start?way=live`)
    await eve.sees('3. See it arrive')
    await eve.leave()
  })

  it('leads from a cell of the coverage to the tests of its family at its endpoint', {
    timeout,
  }, async () => {
    await ada.open('/runs/coverage')
    await ada.press('[aria-label="Coverage by endpoint"] tbody td a[aria-label*=" found."]')
    await ada.page.waitForSelector('[aria-label="Tests of this endpoint"] tbody tr')
    const rows = await ada.texts('[aria-label="Tests of this endpoint"] tbody tr')
    expect(rows.some((row) => row.includes('Vulnerable'))).toBe(true)
    expect(await ada.breaches()).toEqual([])
  })

  it('leads from a cell of a run to as many results, by keyboard', { timeout }, async () => {
    const { testingRuns } = await server.client.call('retrieveAllCollectionTests', {
      ...{ searchString: '', sortKey: 'scheduleTimestamp', sortOrder: -1, limit: 1, skip: 0 },
      ...{ startTimestamp: 0, endTimestamp: 0, testingRunType: null },
    })
    await ada.open(`/runs/${testingRuns![0]!.hexId}`)
    const cell = '[aria-label="Checks by endpoint"] tbody td a[aria-label*=" passed."]'
    const link = await ada.page.waitForSelector(cell)
    const passed = Number.parseInt(await link!.evaluate((element) => element.textContent ?? ''), 10)
    await link!.focus()
    await ada.page.keyboard.press('Enter')
    await ada.page.waitForSelector('[role="tab"][aria-selected="true"]::-p-text(Passed)')
    expect(new URL(ada.page.url()).searchParams.get('show')).toBe('SECURED')
    await ada.settled()
    expect(await ada.texts('[aria-label="Results"] tbody tr')).toHaveLength(passed)
    expect(await ada.page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Results')
  })

  it('leads from each number of an identity to as many endpoints', { timeout }, async () => {
    await ada.open('/runs/access')
    const links = '[aria-label="Identities"] tbody td a'
    await ada.page.waitForSelector(links)
    const numbers = await ada.texts(links)
    for (const [at, number] of numbers.entries()) {
      await ada.open('/runs/access')
      await (await ada.page.$$(links))[at]!.click()
      const shown = `/of ${number}( endpoints)?$/.test(one.textContent)`
      await ada.until(`[...document.querySelectorAll('[role="status"]')].some((one) => ${shown})`)
      expect(ada.page.url()).toContain('access=')
    }
    expect(await ada.breaches()).toEqual([])
  })

  it('takes a change of severity back', { timeout }, async () => {
    const severities = async () => {
      const { issueGroups } = await server.client.call('fetchIssueGroups', {
        filterStatus: ['OPEN'],
        limit: 50,
      })
      return issueGroups.map(({ causeId, severity }) => `${causeId} ${severity}`).sort()
    }
    const before = await severities()
    await ada.open('/issues')
    await ada.press('[aria-label="Issues"] tbody a')
    await ada.page.waitForSelector('main button::-p-text(Severity)')
    await ada.settled()
    await ada.press('main button::-p-text(Severity)')
    await ada.press('[role="menuitem"]::-p-text(Low)')
    await ada.sees('Severity set to Low')
    expect(await severities()).not.toEqual(before)
    await ada.press('[role="alert"] button::-p-text(Undo)')
    await ada.sees('as before')
    expect(await severities()).toEqual(before)
  })

  it('marks what a filter matched in the message, also where it was sent encoded', { timeout }, async () => {
    await ada.open('/threats/events?q=203.0.113.66')
    await ada.press('[aria-label="Events"] tbody td button::-p-text(SQL injection)')
    await ada.page.waitForSelector('[role="dialog"] section[aria-label="Request"] mark')
    const [marked] = await ada.texts('[role="dialog"] section[aria-label="Request"] mark')
    expect(decodeURI(marked ?? '')).toMatch(/union select/i)
    expect(await ada.breaches()).toEqual([])
  })
})
