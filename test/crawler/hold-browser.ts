import { testBrowser } from '../browser/browser.ts'
import { startPortal } from '../targets/portal/server.ts'
import { startCrawlBrowser } from './crawl-browser.ts'

/** Starts a browser with a page in it, tells its process id, and waits to be killed. */
const portal = await startPortal()
const driver = await startCrawlBrowser((await testBrowser())!, portal.origin)
const context = await driver.newContext({ guard: { decide: () => ({ kind: 'allow' }) }, sink: null })
const page = await context.newPage()
await page.goto(`${portal.origin}/calm`)
process.stdout.write(`${driver.processId}\n`)
