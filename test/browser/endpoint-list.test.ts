import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { inBrowser } from './in-browser.ts'
import { email, signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

const recording = join(import.meta.dirname, '..', 'fixtures', 'juiceshop.har')
const timeout = 90_000

inBrowser('the list of endpoints', (browser) => {
  let server: TestServer
  let ada: Visitor

  beforeAll(async () => {
    server = await startTestServer()
    await signUpPerson(server, email)
    await server.client.call('importTraffic', {
      content: await readFile(recording, 'utf8'),
      apiCollectionName: 'shop',
    })
    ada = await signedIn(browser(), server)
  })

  afterAll(async () => {
    expect(ada.faults).toEqual([])
    await ada.leave()
    await server.close()
  })

  const heads = () => ada.texts('[aria-label="Endpoints"] thead th')
  const rows = '[aria-label="Endpoints"] tbody tr'

  it('shows the columns that a person chose, also after a reload', { timeout }, async () => {
    await ada.open('/apis/all')
    expect(await heads()).toEqual(expect.arrayContaining(['Open issues', 'Last tested', 'Sensitive data']))
    expect(await heads()).not.toContain('Status codes')
    await ada.click('button', 'Columns')
    await ada.tick('Status codes')
    await ada.tick('Sensitive data')
    await ada.page.reload()
    await ada.settled()
    expect(await heads()).toContain('Status codes')
    expect(await heads()).not.toContain('Sensitive data')
    expect(await ada.breaches()).toEqual([])
  })

  it('sorts and chooses cards on a phone', { timeout }, async () => {
    await ada.page.setViewport({ width: 390, height: 844 })
    await ada.open('/apis/all')
    await ada.page.waitForSelector(rows)
    await ada.page.select('select[aria-label="Sort by"]', 'url asc')
    await ada.until(`new URLSearchParams(location.search).get('sort') === 'url'`)
    await ada.settled()
    await ada.click('checkbox', 'Select all on this page')
    await ada.sees(`${(await ada.texts(rows)).length} endpoints chosen`)
    expect(await ada.breaches()).toEqual([])
    await ada.page.setViewport({ width: 1280, height: 900 })
  })

  it('narrows the list to a path, to as many endpoints as the tree counts there', { timeout }, async () => {
    const { apiCollections } = await server.client.call('getAllCollections', {})
    await ada.open(`/apis/${apiCollections.find(({ name }) => name === 'shop')!.id}`)
    const node = 'section[aria-label="Paths"] li'
    await ada.page.waitForSelector(node)
    const names = await ada.texts(`${node} button[aria-pressed]`)
    const counts = await ada.texts(`${node} button[aria-pressed] + *`)
    const at = names.findIndex((name) => name.startsWith('rest'))
    await ada.page.locator(`section[aria-label="Paths"] ::-p-text(${names[at]})`).click()
    await ada.until(`new URLSearchParams(location.search).get('path') === '/${names[at]}'`)
    await ada.sees(`of ${counts[at]} endpoints`)
  })

  it('shows ten thousand rows, of which few are in the document', {
    tags: ['marathon'],
    timeout: 240_000,
  }, async () => {
    await server.running.app.store.pool.query(
      `INSERT INTO collections (id, name, kind, created_at)
       SELECT 1600000000 + i, 'api ' || to_char(i, 'FM00000'), 'MANUAL', 1600000000 FROM generate_series(1, 10000) AS i`,
    )
    const inTable = '[aria-label="Collections"]'
    await ada.open('/apis?q=api&sort=displayName')
    await ada.click('combobox', 'Rows on a page')
    await ada.click('option', '10,000 a page')
    await ada.until(`document.querySelector('table${inTable}').ariaRowCount === '10001'`)
    const inDocument = () => ada.page.$$eval(`${inTable} tbody tr[aria-rowindex]`, (found) => found.length)
    expect(await inDocument()).toBeLessThan(200)
    await ada.page.evaluate('window.scrollTo(0, 0)')
    await ada.page.waitForSelector(`${inTable} tr[aria-rowindex="2"]`)
    await ada.page.focus(`section${inTable.replace('"]', ', scrollable"]')}`)
    for (let row = 0; row < 30; row++) await ada.page.keyboard.press('j')
    const focusedRow = `document.activeElement.closest('tr').ariaRowIndex`
    expect(await ada.page.evaluate(focusedRow)).toBe('31')
    await ada.page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    await ada.sees('api 10000')
    expect(await inDocument()).toBeLessThan(200)
    // The row with the focus is still there, and so is the one after it.
    expect(await ada.page.evaluate(focusedRow)).toBe('31')
    await ada.page.keyboard.press('j')
    expect(await ada.page.evaluate(focusedRow)).toBe('32')
    expect(await ada.breaches()).toEqual([])
  })

  it('groups, tests and deletes chosen endpoints', { timeout }, async () => {
    await ada.open('/apis/all?q=reviews')
    await ada.page.waitForSelector(rows)
    const before = (await ada.texts(rows)).length
    await ada.click('checkbox', 'Choose all on this page')
    await ada.sees(`${before} endpoint`)
    await ada.click('button', 'Add to group')
    await ada.page.locator('::-p-aria([name="Group"][role="combobox"])').fill('reviewed')
    await ada.page.keyboard.press('Escape')
    await ada.page.locator('[role="dialog"] button[type="submit"]').click()
    await ada.sees('Added to the group reviewed.')
    const { apiCollections } = await server.client.call('getAllCollections', {})
    expect(apiCollections.find(({ name }) => name === 'reviewed')).toMatchObject({
      type: 'API_GROUP',
      urlsCount: before,
    })
    await ada.click('checkbox', 'Choose all on this page')
    await ada.click('button', 'Test')
    await ada.heading('New run')
    await ada.until(`document.querySelectorAll('[aria-label="Chosen endpoints"] li').length === ${before}`)
    const group = apiCollections.find(({ name }) => name === 'reviewed')!.id
    await ada.open(`/apis/${group}`)
    await ada.page.waitForSelector(rows)
    await ada.click('checkbox', 'Choose all on this page')
    await ada.click('button', 'Remove from group')
    await ada.sees('Removed from the group reviewed.')
    const { apiCollections: after } = await server.client.call('getAllCollections', {})
    expect(after.find(({ id }) => id === group)?.urlsCount).toBe(0)
    await ada.open('/apis/all?q=reviews')
    await ada.page.waitForSelector(rows)
    await ada.click('checkbox', 'Choose all on this page')
    await ada.click('button', 'Delete')
    await ada.page.locator('[role="dialog"] button[type="submit"]').click()
    await ada.sees('No endpoint meets the filters')
    const { total } = await server.client.call('searchEndpoints', { search: 'reviews' })
    expect(total).toBe(0)
  })
})
