import type { Page } from 'puppeteer-core'
import { changesPath } from '../../src/contract/index.ts'

/** How long the dashboard waits before it asks a second time, see its query client. */
const RETRY_DELAY_MS = 800

/**
 * How operations end: refused as while the store is away, by a fault of the server, without any answer, or not at all
 * while the page is looked at.
 */
export type Breakage = 'store-away' | 'fault' | 'lost' | 'held'

const answers = {
  'store-away': {
    status: 503,
    headers: { 'x-error-code': 'STORE_UNAVAILABLE', 'retry-after': '5' },
    body: '{"actionErrors":["The store does not answer"]}',
  },
  fault: {
    status: 500,
    headers: { 'x-error-code': 'INTERNAL', 'x-request-id': '7d1f0c52' },
    body: '{"actionErrors":["Internal error"]}',
  },
} as const

/**
 * Lets every operation but the one that tells who is there end as told. Pages opened from now on ask a second time at
 * once: what is looked at is how they end.
 */
export async function breakServer(page: Page, breakage: Breakage = 'store-away'): Promise<void> {
  await page.evaluateOnNewDocument(`{
    const later = window.setTimeout.bind(window)
    window.setTimeout = (work, ms, ...rest) => later(work, ms === ${RETRY_DELAY_MS} ? 0 : ms, ...rest)
  }`)
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // Where operations fail, the stream of changes need not.
    const isSpared = breakage === 'fault' && pathname === changesPath
    if (!pathname.startsWith('/api/') || pathname === '/api/fetchOwnUser' || isSpared) void request.continue()
    else if (breakage === 'lost') void request.abort('connectionrefused')
    else if (breakage !== 'held') {
      void request.respond({ contentType: 'application/json', ...answers[breakage] })
    }
  })
}
