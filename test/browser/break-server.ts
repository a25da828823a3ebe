import type { Page } from 'puppeteer-core'

/** Lets every operation but the one that tells who is there fail as it does while the store is away. */
export async function breakServer(page: Page): Promise<void> {
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
