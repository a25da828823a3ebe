import type { Page } from 'puppeteer-core'

/** How long the dashboard waits before it asks a second time, see its query client. */
const RETRY_DELAY_MS = 800

/**
 * Lets every operation but the one that tells who is there fail as it does while the store is away. Pages opened from now
 * on ask a second time at once: what is looked at is how they end.
 */
export async function breakServer(page: Page): Promise<void> {
  await page.evaluateOnNewDocument(`{
    const later = window.setTimeout.bind(window)
    window.setTimeout = (work, ms, ...rest) => later(work, ms === ${RETRY_DELAY_MS} ? 0 : ms, ...rest)
  }`)
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/') || pathname === '/api/fetchOwnUser') {
      void request.continue()
      return
    }
    void request.respond({
      status: 503,
      contentType: 'application/json',
      headers: { 'x-error-code': 'STORE_UNAVAILABLE', 'retry-after': '5' },
      body: '{"actionErrors":["The store does not answer"]}',
    })
  })
}
