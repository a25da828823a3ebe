import { expect, test } from 'vitest'
import { testBrowser } from '../browser/browser.ts'
import { killDuringCrawl } from './kill-during-crawl.ts'

const browser = await testBrowser()

test.skipIf(browser === null)(
  'a crawl whose processes and browsers are killed reaches what it reaches undisturbed',
  async () => {
    const report = await killDuringCrawl({ kills: 4, seed: 11, workers: 2 })
    expect(report.problems).toEqual([])
    expect(report.restarts).toBeGreaterThan(0)
  },
  900_000,
)
