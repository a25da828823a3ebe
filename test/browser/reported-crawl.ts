import { randomBytes } from 'node:crypto'
import type { TestServer } from '../harness.ts'

/** The application that {@link reportCrawl} tells about. */
export const CRAWLED_HOST = 'https://shop.crawled.test'

/** How a crawl under way ends that could not reach everything. */
export const CRAWL_SUMMARY = {
  seen: 40,
  held: 3,
  named: 5,
  unreached: ['POST shop.crawled.test/api/orders'],
  leftOut: [{ reason: 'enough pages that look the same', count: 7, examples: [`${CRAWLED_HOST}/blog/a`] }],
  waiting: { load: 2, explore: 1, probe: 0 },
  advice: ['Allow more time.'],
}

/** What a module tells of a crawl under way. */
export async function reportCrawl(server: TestServer, crawlId: string): Promise<void> {
  const { op } = server.client
  const found = { sourceUrl: `${CRAWLED_HOST}/`, sourceXpath: '/html/body/main/a[3]', buttonText: 'Details' }
  await op.updateCrawlerStatus({ crawlId, status: 'RUNNING' })
  await op.checkCrawlStatus({ crawlId, activeSeconds: 62 })
  const urls = [
    {
      ...found,
      url: `${CRAWLED_HOST}/products/${randomBytes(60).toString('hex')}`,
      accepted: true,
      origin: 'link',
    },
    { ...found, url: `${CRAWLED_HOST}/cart`, accepted: true, origin: 'script', buttonText: null },
    {
      ...found,
      url: `${CRAWLED_HOST}/logout`,
      accepted: false,
      reason: 'out of scope: /logout',
      origin: 'link',
    },
    { ...found, url: 'https://cdn.test/', accepted: false, reason: 'other host', origin: 'link' },
  ]
  await op.saveCrawlerUrlsBatch({ crawlId, crawlUrlsBatch: JSON.stringify(urls) })
  await op.uploadCrawlerGraph({
    crawlId,
    steps: [
      {
        from: 'home',
        to: 'cart',
        fromUrl: `${CRAWLED_HOST}/`,
        toUrl: `${CRAWLED_HOST}/cart`,
        action: 'click',
        xpath: '//button[2]',
        text: 'Add to cart',
        calls: [`POST ${CRAWLED_HOST}/api/cart`, `GET ${CRAWLED_HOST}/api/me`],
      },
    ],
  })
  await op.insertDastLog({ crawlId, log: { log: 'Signed in', key: 'info' } })
  await op.insertDastLog({ crawlId, log: { log: '<img src=x> answered slowly', key: 'warning' } })
}
