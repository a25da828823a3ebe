import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CrawlFindings, hasBrowser } from '../../bench/crawler/run-crawl.ts'
import type { FoundUrl, NavigationEdge } from '../../src/crawler/explore/crawl-ports.ts'
import { startWorkshop, type Workshop } from '../targets/workshop/server.ts'
import { crawlWorkshop, missedOf, missedWanted } from './workshop-crawl.ts'

const canRun = hasBrowser()
if (!canRun) console.warn('NOT TESTED: crawling the workshop, since there is no browser on this machine')

// It ends when everything below is there; workshop.marathon.test.ts crawls to the end.
describe.skipIf(!canRun)('a crawl of the workshop', () => {
  let workshop: Workshop
  let found: CrawlFindings

  const edgeOf = ({ edges }: CrawlFindings, text: string): NavigationEdge | undefined =>
    edges.find((edge) => edge.text === text)
  /** A dialog may outlive its page, when the session ends: the action is then one of the sign-in page. */
  const addedTo = ({ edges }: CrawlFindings): NavigationEdge | undefined =>
    edges.find(({ text, fromUrl }) => text === 'Add to cart' && fromUrl === `${workshop.origin}/products`)
  const urlOf = ({ urls }: CrawlFindings, end: string): FoundUrl | undefined =>
    urls.find(({ url }) => url.endsWith(end))
  const isEnough = (soFar: CrawlFindings): boolean =>
    workshop.sessions() > 1 &&
    missedOf(workshop).length + missedWanted(workshop).length === 0 &&
    edgeOf(soFar, 'Store') !== undefined &&
    addedTo(soFar) !== undefined &&
    ['/calendar?month=2', '/logout'].every((end) => urlOf(soFar, end)) &&
    ['WebSocket', 'EventSource'].every((kind) => soFar.requests.some((request) => request.kind === kind))

  beforeAll(async () => {
    workshop = await startWorkshop()
    found = await crawlWorkshop(workshop, isEnough)
  }, 260_000)

  afterAll(() => workshop?.close())

  it('reaches 95 % of the states and calls there are', () => {
    expect(missedOf(workshop)).toEqual([])
  })

  it('finds values that a script wants, opens a menu for each entry, and revisits pages after a write', () => {
    expect(missedWanted(workshop)).toEqual([])
    expect(edgeOf(found, 'Store')?.calls).toContain(`POST ${workshop.origin}/api/depot`)
  })

  it('springs no trap', () => {
    expect(workshop.traps).toEqual([])
  })

  it('signs in again when a session is over', () => {
    expect(workshop.sessions()).toBeGreaterThan(1)
  })

  it('says for every URL where it stands', () => {
    const later = urlOf(found, '/calendar?month=2')
    expect(later).toMatchObject({ accepted: true, text: 'later', origin: 'link' })
    expect(later?.sourceXpath).toBe('/html/body/main/a[2]')
    expect(urlOf(found, '/logout')).toMatchObject({ accepted: false, reason: 'avoided: ends the session' })
  })

  it('says for every action which calls it made', () => {
    expect(addedTo(found)?.calls).toContain(`POST ${workshop.origin}/api/cart`)
  })

  it('captures web socket and event stream', () => {
    const kinds = new Set(found.requests.map((request) => request.kind))
    expect(kinds).toContain('WebSocket')
    expect(kinds).toContain('EventSource')
  })
})
