import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EndpointKey } from '../../src/contract/browser.ts'
import { nowSeconds } from '../../src/kit/index.ts'
import { endExecution } from '../../src/testing/records/index.ts'
import type { PairResult } from '../../src/testing/run/pair-result.ts'
import { signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { pairOf, report, startedRun } from '../test-results.ts'
import { sendAttacks } from './full-installation.ts'
import { inBrowser } from './in-browser.ts'
import { email, signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

const recording = join(import.meta.dirname, '..', 'fixtures', 'juiceshop.har')
const timeout = 240_000

/** A number of the overview: what leads to a list, and how many the list must have. */
interface Counted {
  readonly to: string
  readonly count: number
}

/** Links with a number: before their word, after it in a list, or in the step they take; of a bar, what its series add up to. */
const READ_LINKS = `[...document.querySelectorAll('main a[href]')].flatMap((link) => {
  const bar = link.getAttribute('aria-label')
  const to = link.getAttribute('href')
  const number = (text) => Number(text.replaceAll(',', ''))
  if (bar === null) {
    const text = link.textContent.trim()
    const row = link.closest('li')?.textContent ?? ''
    const shown =
      /^[\\d,]+/.exec(text)?.[0] ??
      (row === text ? /[\\d,]+$/.exec(text)?.[0] : /\\(([\\d,]+) open\\)/.exec(row)?.[1])
    return shown === undefined ? [] : [{ to, count: number(shown) }]
  }
  const counts = [...bar.slice(bar.indexOf(':')).matchAll(/([\\d,]+) /g)].map(([, one]) => number(one))
  return [{ to, count: counts.reduce((sum, one) => sum + one, 0) }]
})`

/** How many a list has: the total of its pager, 0 where it says that nothing fits, null while it loads. */
const READ_TOTAL = `(() => {
  const skeleton = document.querySelector('.mantine-Skeleton-root, [aria-busy="true"], [data-stale="true"]')
  if (skeleton !== null || document.querySelector('main h1') === null) return null
  const texts = [...document.querySelectorAll('main [role="status"]')].map((one) => one.textContent)
  const [, total] = texts.map((text) => / of ([\\d,]+)/.exec(text)).find((found) => found !== null) ?? []
  if (total !== undefined) return Number(total.replaceAll(',', ''))
  const none = /No (run|endpoint|issue) [\\w ]*meets the filters|No event in this time/
  return none.test(document.body.textContent) ? 0 : null
})()`

inBrowser('the numbers of the overview', (browser) => {
  let server: TestServer
  let ada: Visitor

  beforeAll(async () => {
    server = await startTestServer()
    await signUpPerson(server, email)
    await fill(server)
    ada = await signedIn(browser(), server)
  }, timeout)

  afterAll(async () => {
    expect(ada.faults).toEqual([])
    await ada.leave()
    await server.close()
  })

  it('lead to lists of as many entries', { timeout }, async () => {
    const links = await linksOfOverview(ada)
    const found = links.filter(({ count }) => count > 0)
    const kinds = new Set(found.map(({ to }) => kindOf(to)))
    const expected = [
      ...['/apis', '/apis/all', '/apis/all new', '/apis/all sensitive', '/apis/all tested'],
      ...['/issues found', '/issues found,severity', '/issues fixed,status', '/issues severity'],
      ...['/issues openBefore,status', '/issues reopened', '/issues reopened,severity'],
      ...['/runs since', '/runs since,state'],
      ...['/threats/events from', '/threats/events from,severity', '/threats/events from,to'],
    ]
    expect([...kinds].sort()).toEqual(expected.sort())
  })

  it('lead to lists of as many entries, each', { timeout: 3 * timeout }, async () => {
    // What was ignored a moment ago may still be among the numbers of the overview.
    const read = async () => differing(ada, await linksOfOverview(ada))
    await expect.poll(read, { timeout: 2 * timeout, interval: 1_000 }).toEqual([])
  })

  it('of changes lead to lists of as many endpoints, too', { timeout }, async () => {
    await ada.open('/apis/changes')
    const inDrift = 'section[aria-label="Endpoints and their descriptions"]'
    await ada.until(
      `![...document.querySelectorAll('${inDrift} a')].some(({ textContent }) => /^–/.test(textContent))`,
    )
    const links = (await ada.page.evaluate(READ_LINKS)) as Counted[]
    expect(links.map(({ to }) => to)).toEqual([
      ...['/apis/all?documented=no&called=yes', '/apis/all?quiet=month'],
      '/apis/all?documented=yes&called=no',
    ])
    expect(links.map(({ count }) => count > 0)).toEqual([true, true, false])
    expect(await differing(ada, links)).toEqual([])
  })
})

/** The numbers of the overview, once they are all there. */
async function linksOfOverview(visitor: Visitor): Promise<Counted[]> {
  await visitor.open('/?since=week')
  // While they load, one shows no number, and the other is missing.
  await visitor.until(`!document.querySelector('section[aria-label="Inventory"]').textContent.includes('–')`)
  await visitor.sees('Open them')
  return (await visitor.page.evaluate(READ_LINKS)) as Counted[]
}

/** Where the list behind a number has another one. */
async function differing(visitor: Visitor, links: readonly Counted[]): Promise<string[]> {
  const differ: string[] = []
  for (const { to, count } of distinct(links)) {
    let total = await totalAt(visitor, to)
    // A list may be read while what it lists is still counted.
    for (let again = 0; total !== count && again < 2; again++) total = await totalAt(visitor, to)
    if (total !== count) differ.push(`${to}: ${count} on the page, ${total} in the list`)
  }
  return differ
}

/** An address without what it asks for: `/issues found,severity`. */
function kindOf(to: string): string {
  const { pathname, searchParams } = new URL(to, 'http://vigil.test')
  return [pathname, [...new Set(searchParams.keys())].sort().join()].join(' ').trim()
}

/** Every address once, and of the bars without anything one of each chart. */
function distinct(links: readonly Counted[]): Counted[] {
  const empty = new Set<string>()
  return [...new Map(links.map((link) => [link.to, link])).values()].filter(({ to, count }) => {
    if (count > 0) return true
    if (empty.has(kindOf(to))) return false
    return empty.add(kindOf(to))
  })
}

/** Opens the list behind a number and counts what is there. */
async function totalAt(visitor: Visitor, to: string): Promise<number> {
  await visitor.open(to)
  await visitor.until(`${READ_TOTAL} !== null`)
  return (await visitor.page.evaluate(READ_TOTAL)) as number
}

/** Endpoints, issues, runs and attacks; of each also such as an overview and a list could count differently. */
async function fill(server: TestServer): Promise<void> {
  const { store } = server.running.app
  const content = readFileSync(recording, 'utf8')
  const endpointsOf = async (apiCollectionName: string) => {
    const { apiCollectionId } = await server.client.call('importTraffic', { content, apiCollectionName })
    const { endpoints } = await server.client.call('searchEndpoints', { apiCollectionId })
    return endpoints.map(({ id }) => id)
  }
  const keys = await endpointsOf('shop')
  const closed = await endpointsOf('closed')
  await sendAttacks(server)
  const { maliciousEvents } = await server.client.call('fetchSuspectSampleData', { limit: 2 })
  const eventIds = maliciousEvents!.map(({ id }) => id)
  await server.client.call('updateMaliciousEventStatus', { eventIds, status: 'IGNORED' })

  const pair = (
    key: EndpointKey,
    severity: PairResult['severity'],
    outcome: PairResult['outcome'] = 'VULNERABLE',
  ) =>
    pairOf({
      ...{ collectionId: key.apiCollectionId, url: key.url, severity, outcome, testId: `TEST_${severity}` },
      endpoint: { collectionId: key.apiCollectionId, method: key.method, url: key.url },
    })
  const run = { collectionIds: [keys[0]!.apiCollectionId], scheduledAt: nowSeconds() - 60 }
  const execution = async (name: string, state: 'COMPLETED' | 'FAILED', pairs: readonly PairResult[]) => {
    const { summaryId } = await startedRun(store, { ...run, name })
    await report(store, summaryId, pairs)
    await endExecution(store, summaryId, { state, runState: state })
  }
  const at = (index: number) => keys[index]!
  await execution('first', 'COMPLETED', [
    ...[0, 3, 5].map((index) => pair(at(index), 'CRITICAL')),
    ...[6, 7].map((index) => pair(at(index), 'HIGH')),
    ...[pair(at(8), 'LOW'), pair(at(9), 'LOW'), pair(closed[0]!, 'HIGH'), pair(closed[1]!, 'CRITICAL')],
  ])
  await store.pool.query(`UPDATE issues SET created_at = created_at - 3 * 86400 WHERE url = $1`, [at(3).url])
  await execution('second', 'COMPLETED', [pair(at(6), 'HIGH', 'SECURE'), pair(at(7), 'HIGH', 'SECURE')])
  await execution('third', 'COMPLETED', [pair(at(7), 'HIGH')])
  await execution('broken', 'FAILED', [])
  await server.client.call('deactivateCollections', { apiCollections: [{ id: closed[0]!.apiCollectionId }] })
  await server.client.call('updateEndpoints', { apiList: keys.slice(0, 3), state: 'IGNORED' })
  await server.client.call('updateEndpoints', { apiList: keys.slice(3, 5), state: 'DEACTIVATED' })
}
