import { crawlIdHeader } from '../../src/contract/index.ts'
import type { CliServer } from '../cli-process.ts'
import type { Workshop } from '../targets/workshop/server.ts'

/** Key that servers under test are started with. */
export const CRAWL_KEY = 'crawlcrawlcrawlcrawlcrawlcrawlcrawlcrawl'

/** Orders a crawl of the workshop, signed in; returns its id. */
export async function orderCrawl({ baseUrl }: CliServer, { origin }: Workshop): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/initiateCrawler`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': CRAWL_KEY },
    body: JSON.stringify({
      hostname: `${origin}/`,
      crawlingTime: 1200,
      // Writes lead to most of what there is; the account has to last.
      outscopeUrls: '/api/account',
      harmfulActions: 'LAST',
      username: 'vera',
      password: 'workshop',
    }),
  })
  if (answer.status !== 200) throw new Error(`the crawl did not begin: ${await answer.text()}`)
  return answer.headers.get(crawlIdHeader)!
}
