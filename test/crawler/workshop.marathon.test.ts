import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CrawlMeasure, hasBrowser } from '../../bench/crawler/run-crawl.ts'
import { startWorkshop, type Workshop } from '../targets/workshop/server.ts'
import { crawlWorkshop, missedOf, missedWanted } from './workshop-crawl.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: crawling the whole workshop, since there is no browser on this machine')

describe.skipIf(!canRun)('a crawl of the whole workshop', () => {
  let workshop: Workshop
  let measure: CrawlMeasure

  beforeAll(async () => {
    workshop = await startWorkshop()
    measure = await crawlWorkshop(workshop)
  }, 260_000)

  afterAll(() => workshop?.close())

  it('leaves the endless calendar after a few months, and finishes', () => {
    expect(measure.outcome.end).toBe('finished')
    expect(workshop.months()).toBeLessThanOrEqual(12)
  })

  it('reaches what there is, and never logs out', () => {
    expect(missedOf(workshop)).toEqual([])
    expect(missedWanted(workshop)).toEqual([])
    expect(workshop.traps).not.toContain('log out')
    expect(workshop.traps).not.toContain('end the session')
  })
})
