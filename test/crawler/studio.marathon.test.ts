import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCost, hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { studioCalls } from '../targets/studio/expectations.ts'
import { type Studio, startStudio } from '../targets/studio/server.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn(
    'NOT TESTED: a crawl through components of libraries, since there is no browser on this machine',
  )

const LIMIT_SECONDS = 150
const all = Object.values(studioCalls).flat()

describe.skipIf(!canRun)('a crawl of an application made of components', () => {
  let studio: Studio
  let loads = 0

  beforeAll(async () => {
    studio = await startStudio()
    const measure = await runCrawl({
      start: `${studio.origin}/`,
      seconds: LIMIT_SECONDS,
      mode: 'full',
      tabs: 4,
      // What scripts name would be asked for without the pages.
      staticAnalysis: false,
      isEnough: () => all.every((call) => studio.calls.has(call)),
    })
    loads = measure.outcome.loads
    console.info(describeCost(measure))
  }, 200_000)

  afterAll(() => studio?.close())

  it('goes from page to page by the router of the application', () => {
    expect(studio.documents()).toBeLessThan(loads / 2)
  })

  for (const [shape, calls] of Object.entries(studioCalls))
    it(`reaches ${shape}`, () => {
      expect(calls.filter((call) => !studio.calls.has(call))).toEqual([])
    })
})
