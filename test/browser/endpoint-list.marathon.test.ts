import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { joinPerson, signUpPerson, startTestServer, type TestPerson, type TestServer } from '../harness.ts'
import { inBrowser } from './in-browser.ts'
import { email, signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

const recording = join(import.meta.dirname, '..', 'fixtures', 'juiceshop.har')
const timeout = 90_000

inBrowser('the list of endpoints', (browser) => {
  let server: TestServer
  let ada: Visitor
  let admin: TestPerson

  beforeAll(async () => {
    server = await startTestServer()
    admin = await signUpPerson(server, email)
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
    await ada.press(`section[aria-label="Paths"] ::-p-text(${names[at]})`)
    await ada.until(`new URLSearchParams(location.search).get('path') === '/${names[at]}'`)
    await ada.sees(`of ${counts[at]} endpoints`)
  })

  const cells = (label: string) => ada.texts(`${rows} td[data-label="${label}"]`)

  it('tags, gives to an owner and ignores chosen endpoints, with a way back', { timeout }, async () => {
    await ada.open('/apis/all?q=basket')
    await ada.page.waitForSelector(rows)
    const before = (await ada.texts(rows)).length
    await ada.click('checkbox', 'Choose all on this page')
    await ada.click('button', 'Tag')
    await ada.page.locator('[role="dialog"] input[placeholder], [role="dialog"] input').fill('checkout')
    await ada.page.keyboard.press('Enter')
    await ada.page.locator('::-p-aria([name="Owner"][role="combobox"])').fill('team-shop')
    await ada.page.keyboard.press('Escape')
    expect(await ada.breaches()).toEqual([])
    await ada.press('[role="dialog"] button[type="submit"]')
    await ada.until(`document.querySelector('[role="dialog"]') === null`)
    await ada.open('/apis/all?tag=checkout&owner=team-shop')
    await ada.page.waitForSelector(rows)
    expect((await ada.texts(rows)).length).toBe(before)
    await ada.click('button', 'Columns')
    await ada.tick('Owner')
    await ada.tick('Tags')
    expect(await heads()).toEqual(expect.arrayContaining(['Owner', 'Tags']))
    expect((await cells('Owner')).filter((cell) => cell === 'team-shop')).toHaveLength(before)
    await ada.page.keyboard.press('Escape')
    await ada.click('checkbox', 'Choose all on this page')
    await ada.click('button', 'State')
    await ada.click('menuitem', 'Ignore: leave out of lists as well')
    await ada.sees('No endpoint meets the filters')
    await ada.click('button', 'Undo')
    await ada.until(`document.querySelectorAll('${rows}').length === ${before}`)
  })

  it('shows how calls were answered and from how many addresses', { timeout }, async () => {
    const time = Math.floor(Date.now() / 1000) - 60
    const call = (statusCode: number, ip: string, durationMs = 40) => ({
      method: 'GET',
      path: '/busy',
      requestHeaders: { host: 'busy.test' },
      responseHeaders: { 'content-type': 'application/json' },
      responsePayload: '{}',
      statusCode,
      ip,
      time,
      durationMs,
      source: 'MIRRORING',
    })
    const batchData = [call(200, '203.0.113.1'), call(200, '203.0.113.2'), call(503, '203.0.113.2')]
    await server.client.call('ingestData', { batchData: [...batchData, call(404, '203.0.113.3', 2_000)] })
    await ada.open('/apis/all?q=busy')
    await ada.page.waitForSelector(rows)
    await ada.click('button', 'Columns')
    await ada.tick('Status mix, 7 days')
    await ada.tick('Callers known')
    await ada.until(`document.querySelector('${rows}').textContent.includes('2xx 50 %')`)
    expect((await ada.texts(`${rows} td`)).at(-1)).toBe('3')
    await ada.page.keyboard.press('Escape')
    await ada.press(`${rows} a`)
    await ada.heading('/busy')
    await ada.sees('4 calls: 50 % 2xx, 25 % 4xx, 25 % 5xx.')
    await ada.sees('At most 3 addresses in 15 minutes')
    await ada.sees('About 38 ms at the median (p50), about 1.7 s at p95.')
    await ada.press('section[aria-label="Latency"] button ::-p-text(Show as table)')
    await ada.page.waitForSelector('section[aria-label="Latency"] table tbody tr')
    expect(await ada.texts('section[aria-label="Latency"] tbody td')).toEqual(
      expect.arrayContaining(['38 ms', '1.7 s']),
    )
    await ada.click('tab', 'Attacks')
    await ada.sees('No filter matched a request to this endpoint.')
    await ada.click('tab', 'Changes')
    await ada.until(`document.querySelectorAll('[role="tabpanel"] ol li').length > 0`)
    await ada.settled()
    expect(await ada.breaches()).toEqual([])
  })

  it('says that callers are not known where calls name no address', { timeout }, async () => {
    const batchData = [
      {
        method: 'GET',
        path: '/nameless',
        requestHeaders: { host: 'nameless.test' },
        responseHeaders: { 'content-type': 'application/json' },
        responsePayload: '{}',
        statusCode: 200,
        time: Math.floor(Date.now() / 1000) - 60,
        source: 'MIRRORING',
      },
    ]
    await server.client.call('ingestData', { batchData })
    await ada.open('/apis/all?q=nameless')
    await ada.until(`document.querySelector('${rows}')?.textContent.includes('2xx 100 %')`)
    expect((await ada.texts(`${rows} td`)).at(-1)).toBe('–')
  })

  it('leads back to the endpoints of a collection that are all ignored', { timeout }, async () => {
    const { endpoints } = await server.client.call('searchEndpoints', { search: 'nameless' })
    const { id } = endpoints[0]!
    await server.client.call('updateEndpoints', { apiList: [id], state: 'IGNORED' })
    await ada.open(`/apis/${id.apiCollectionId}`)
    await ada.sees('All endpoints are ignored')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Show the ignored endpoints')
    await ada.page.waitForSelector(rows)
    const listed = await server.client.call('searchEndpoints', {
      state: ['ACTIVE', 'DEACTIVATED'],
      limit: 1,
      exactTotal: true,
    })
    await ada.open('/')
    await ada.until(
      `document.querySelector('main a[href="/apis/all"]').textContent.startsWith('${listed.total} ')`,
    )
    const states = 'section[aria-label="Test coverage"] li a'
    await ada.page.waitForSelector(states)
    const counts = await ada.texts(`${states} > span:last-child`)
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(listed.total)
  })

  it('chooses nothing in a list with other filters', { timeout }, async () => {
    const { total } = await server.client.call('searchEndpoints', { search: '/rest' })
    await ada.open('/apis/all?q=/rest&size=5')
    await ada.until(`document.querySelectorAll('${rows}').length === 5`)
    await ada.click('checkbox', 'Choose all on this page')
    await ada.click('button', `Select all ${total} endpoints`)
    await ada.sees(`${total} endpoints chosen`)
    await ada.click('button', 'next page')
    await ada.until(`new URLSearchParams(location.search).get('page') === '2'`)
    await ada.settled()
    const chosen = '[aria-label="Chosen endpoints"] [role="status"]'
    expect(await ada.texts(chosen)).toEqual([`${total} endpoints chosen`])
    await ada.page.locator('[aria-label="Search paths"]').fill('/rest/basket')
    await ada.until(`new URLSearchParams(location.search).get('q') === '/rest/basket'`)
    await ada.until(`document.querySelector('${rows}')?.textContent.includes('/rest/basket')`)
    expect(await ada.texts(chosen)).toEqual([])
  })

  it('chooses the endpoints of all pages, and counts the ignored ones apart', { timeout }, async () => {
    const { apiCollections } = await server.client.call('getAllCollections', {})
    const apiCollectionId = apiCollections.find(({ name }) => name === 'shop')!.id
    const wanted = { apiCollectionId, search: '/rest', limit: 500 }
    const { endpoints, total } = await server.client.call('searchEndpoints', wanted)
    await ada.open(`/apis/${apiCollectionId}?q=/rest&size=5`)
    await ada.until(`document.querySelectorAll('${rows}').length === 5`)
    await ada.click('checkbox', 'Choose all on this page')
    await ada.click('button', `Select all ${total} endpoints`)
    await ada.sees(`${total} endpoints chosen`)
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'State')
    await ada.click('menuitem', 'Ignore: leave out of lists as well')
    await ada.sees(`${total} endpoints left out of lists and test runs.`)
    await ada.open(`/apis/${apiCollectionId}`)
    await ada.sees(`and ${total} ignored`)
    const listed = await server.client.call('searchEndpoints', {
      ...{ apiCollectionId, state: ['ACTIVE', 'DEACTIVATED'], limit: 1 },
    })
    const inTree = await ada.texts('[aria-label="Paths"] ul[data-top] > li > div > span:last-child')
    expect(inTree.reduce((sum, count) => sum + Number(count), 0)).toBe(listed.total)
    const apiList = endpoints.map(({ id }) => id)
    await server.client.call('updateEndpoints', { apiList, state: 'ACTIVE' })
  })

  it('takes different owners away together', { timeout }, async () => {
    const { endpoints } = await server.client.call('searchEndpoints', { search: '/rest', limit: 2 })
    const owners = ['team-a', 'team-b'] as const
    for (const [at, owner] of owners.entries()) {
      await server.client.call('updateEndpoints', { apiList: [endpoints[at]!.id], owner })
    }
    await ada.open('/apis/all?owner=team-a&owner=team-b')
    await ada.until(`document.querySelectorAll('${rows}').length === 2`)
    await ada.click('checkbox', 'Choose all on this page')
    await ada.click('button', 'Tag')
    await ada.click('checkbox', 'Nobody owns them: remove the owner of each')
    expect(await ada.breaches()).toEqual([])
    await ada.press('[role="dialog"] button[type="submit"]')
    await ada.until(`document.querySelector('[role="dialog"]') === null`)
    await ada.sees('No endpoint meets the filters')
  })

  it('creates a group by conditions, shows who is in it, and changes them', { timeout }, async () => {
    await ada.open('/apis')
    await ada.click('button', 'New group')
    await ada.fill('Name', 'basket paths')
    await ada.fill('Pattern of condition 1', '/rest/basket')
    await ada.sees('the conditions.')
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Create the group')
    await ada.heading('basket paths')
    await ada.sees('its URL matches the pattern “/rest/basket”')
    await ada.page.waitForSelector(rows)
    const before = (await ada.texts(rows)).length
    await ada.click('button', 'Edit conditions')
    await ada.click('button', 'Another condition')
    await ada.click('combobox', 'Condition 2')
    await ada.click('option', 'its method is')
    await ada.click('combobox', 'Values of condition 2')
    await ada.click('option', 'DELETE')
    // The list of values lies over the button.
    await ada.page.keyboard.press('Escape')
    await ada.click('button', 'Save the conditions')
    await ada.sees('its method is DELETE')
    await ada.until(`document.querySelectorAll('${rows}').length < ${before}`)
    const { apiCollections } = await server.client.call('getAllCollections', {})
    expect(JSON.parse(apiCollections.find(({ name }) => name === 'basket paths')!.conditions!)).toEqual([
      { type: 'URL_REGEX', operator: 'AND', data: { regex: '/rest/basket' } },
      { type: 'METHOD', operator: 'AND', data: { methods: ['DELETE'] } },
    ])
  })

  it('tells the conditions that all count from those of which one is enough', { timeout }, async () => {
    const method = (name: 'GET' | 'PUT') =>
      ({ type: 'METHOD', operator: 'OR', data: { methods: [name] } }) as const
    const { apiCollectionId } = await server.client.call('createCustomCollection', {
      collectionName: 'some methods',
      conditions: [
        { type: 'URL_REGEX', operator: 'AND', data: { regex: '/rest' } },
        method('GET'),
        method('PUT'),
      ],
    })
    await ada.open(`/apis/${apiCollectionId}`)
    await ada.page.waitForSelector('[aria-label="At least one of"] li')
    expect(await ada.texts('[aria-label="All of"] li')).toEqual(['its URL matches the pattern “/rest”'])
    expect(await ada.texts('[aria-label="At least one of"] li')).toEqual([
      'its method is GET',
      'its method is PUT',
    ])
  })

  it('offers no conditions to people restricted to some collections', { timeout }, async () => {
    const { apiCollections } = await server.client.call('getAllCollections', {})
    const group = apiCollections.find(({ name }) => name === 'some methods')!.id
    const grace = await joinPerson(server, admin, 'grace@example.org', 'MEMBER')
    const { user } = (await (await grace.call('fetchOwnUser')).json()) as { user: { id: number } }
    const restricted = await admin.call('updateUserCollections', {
      userCollectionMap: { [user.id]: [group] },
    })
    expect(restricted.status).toBe(200)
    const visitor = await signedIn(browser(), server, grace.email)
    await visitor.open(`/apis/${group}`)
    await visitor.page.waitForSelector('[aria-label="At least one of"] li')
    await visitor.sees('Export as OpenAPI')
    expect(await visitor.text()).not.toContain('Edit conditions')
    await visitor.open('/apis')
    await visitor.sees('New collection')
    expect(await visitor.text()).not.toContain('New group')
    expect(visitor.faults).toEqual([])
    await visitor.leave()
  })

  it('shows what a data type would change before it is saved', { timeout }, async () => {
    await ada.open('/apis/data-types')
    await ada.click('button', 'New data type')
    await ada.fill('Name', 'purchase_limit')
    await ada.click('button', 'Condition on the name')
    await ada.fill('Text of name condition 1', 'limitPerUser')
    await ada.click('button', 'Show the impact')
    await ada.sees('It would be found at')
    await ada.page.waitForSelector('[aria-label="What would change"] tbody tr')
    expect(await ada.texts('[aria-label="What would change"] tbody tr')).toContainEqual(
      expect.stringMatching(/limitPerUser.*found, sensitive/),
    )
    expect(await ada.breaches()).toEqual([])
    await ada.click('button', 'Cancel')
    const { dataTypes } = await server.client.call('fetchDataTypes', {})
    expect(dataTypes.map(({ name }) => name)).not.toContain('PURCHASE_LIMIT')
  })

  it('shows ten thousand rows, of which few are in the document', { timeout: 240_000 }, async () => {
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
    await ada.press('[role="dialog"] button[type="submit"]')
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
    await ada.press('[role="dialog"] button[type="submit"]')
    await ada.sees('No endpoint meets the filters')
    const { total } = await server.client.call('searchEndpoints', { search: 'reviews' })
    expect(total).toBe(0)
  })
})
