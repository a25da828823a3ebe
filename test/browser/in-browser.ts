import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { startBrowser, stopBrowser, testBrowser } from './browser.ts'
import { buildDashboardWhenStale } from './built-dashboard.ts'

const found = await testBrowser()
if (found === null) {
  console.warn(
    [
      '',
      'SKIPPED: the tests of the dashboard in a browser. No browser was found: set VIGIL_BROWSER to one, install',
      'chromium on the system, or install the optional package @sparticuz/chromium.',
      '',
    ].join('\n'),
  )
}

/** Declares tests of the dashboard in a browser of their own; without a browser they are skipped, with a warning. */
export function inBrowser(name: string, cases: (browser: () => Browser) => void): void {
  describe.skipIf(found === null)(name, () => {
    let started: Awaited<ReturnType<typeof startBrowser>> | null = null

    beforeAll(async () => {
      await buildDashboardWhenStale()
      started = await startBrowser(found!)
    }, 600_000)

    afterAll(async () => {
      if (started) await stopBrowser(started)
    })

    cases(() => started!.browser)
  })
}
