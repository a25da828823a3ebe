import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CrawlMeasure, describeCost, hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import type { DriverContext } from '../../src/crawler/browser/driver.ts'
import { workshopCalls, workshopStates } from '../targets/workshop/expectations.ts'
import { beginSession, startWorkshop, type Workshop } from '../targets/workshop/server.ts'

const canRun = hasBrowser()
if (!canRun) console.warn('NOT TESTED: crawling the workshop, since there is no browser on this machine')

describe.skipIf(!canRun)('a crawl of the workshop', () => {
  let workshop: Workshop
  let measure: CrawlMeasure

  beforeAll(async () => {
    workshop = await startWorkshop()
    const signIn = (context: DriverContext) => putSession(context, workshop)
    measure = await runCrawl({
      start: `${workshop.origin}/`,
      seconds: 75,
      mode: 'safe',
      tabs: 4,
      identity: 'vera',
      signIn,
      session: {
        loginUrl: `${workshop.origin}/login`,
        check: async (context) => {
          await signIn(context)
          return 'renewed'
        },
      },
    })
    console.info(describeCost(measure))
  }, 120_000)

  afterAll(() => workshop?.close())

  it('reaches 95 % of the states and calls there are', () => {
    const expected = [...workshopStates, ...workshopCalls]
    const missed = [
      ...workshopStates.filter((state) => !workshop.states.has(state)),
      ...workshopCalls.filter((call) => !workshop.calls.has(call)),
    ]
    expect(missed.length, `missed: ${missed.join(', ')}`).toBeLessThanOrEqual(expected.length * 0.05)
  })

  it('finds values that a script wants, opens a menu for each entry, and comes back after something was written', () => {
    const wanted = ['depot-stored', 'depot-scales', 'depot-labels', 'books-counted']
    expect(wanted.filter((state) => !workshop.states.has(state))).toEqual([])
    const stored = measure.edges.find((edge) => edge.text === 'Store')
    expect(stored?.calls).toContain(`POST ${workshop.origin}/api/depot`)
  })

  it('springs no trap', () => {
    expect(workshop.traps).toEqual([])
  })

  it('leaves the endless calendar after a few months, by itself', () => {
    expect(measure.outcome.end).toBe('finished')
    expect(workshop.months()).toBeLessThanOrEqual(8)
  })

  it('signs in again when a session is over', () => {
    expect(workshop.sessions()).toBeGreaterThan(1)
  })

  it('says for every URL where it stands', () => {
    const later = measure.urls.find((found) => found.url.endsWith('/calendar?month=2'))
    expect(later).toMatchObject({ accepted: true, text: 'later', origin: 'link' })
    expect(later?.sourceXpath).toBe('/html/body/main/a[2]')
    const out = measure.urls.find((found) => found.url.endsWith('/logout'))
    expect(out).toMatchObject({ accepted: false, reason: 'avoided: ends the session' })
  })

  it('says for every action which calls it made', () => {
    const added = measure.edges.find((edge) => edge.text === 'Add to cart')
    expect(added?.calls).toContain(`POST ${workshop.origin}/api/cart`)
    expect(added?.fromUrl).toBe(`${workshop.origin}/products`)
  })

  it('captures web socket and event stream', () => {
    const kinds = new Set(measure.requests.map((request) => request.kind))
    expect(kinds).toContain('WebSocket')
    expect(kinds).toContain('EventSource')
  })
})

async function putSession(context: DriverContext, workshop: Workshop): Promise<void> {
  await context.restore({
    cookies: [
      {
        name: 'sid',
        value: await beginSession(workshop.origin),
        domain: '127.0.0.1',
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: null,
      },
    ],
    storage: [],
    headers: {},
  })
}
