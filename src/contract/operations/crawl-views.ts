import { pageLimits } from '../limits.ts'
import { group, none, operation, root } from '../operation.ts'
import { crawlerRun } from '../records/crawl.ts'
import { crawledUrl, crawlLogLine, crawlProgress, crawlStep } from '../records/crawl-work.ts'
import { optional, pageSize, required } from '../request-field.ts'
import { count, epochSeconds, flag, integer, list, mapOf, model, password, text } from '../schema.ts'
import { exampleCrawlId, exampleCrawlRun, exampleCrawlUrl, exampleStep } from './crawler-examples.ts'

const read = {
  inSpecification: false,
  specified: 'full',
  role: 'GUEST',
  access: 'read',
  idempotent: true,
} as const
const change = { ...read, role: 'MEMBER', access: 'write' } as const

const crawlId = required(text(), 'The crawl; not empty.')

/** What is asked about one crawl and done with it, by wire names. */
export const crawlViewOperations = group('crawler', {
  fetchCrawlerRun: operation({
    ...read,
    summary: 'Shows one crawl and how far it is',
    description: 'Crawls of every status, PENDING and FAILED among them.',
    request: { crawlId },
    answer: root(
      model('CrawlerRunView', 'A crawl with its progress.', { crawlerRun, progress: crawlProgress }),
    ),
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    example: {
      request: { crawlId: exampleCrawlId },
      response: {
        crawlerRun: exampleCrawlRun,
        progress: {
          activeSeconds: 62.5,
          acceptedUrls: 41,
          rejectedUrls: 12,
          capturedExchanges: 230,
          steps: 58,
          waiting: { load: 3, explore: 7, probe: 0 },
          done: 44,
          givenUp: 0,
          restarts: 0,
          workers: 1,
          harmfulActions: 'AVOID',
          end: null,
          summary: null,
          coverage: { documented: 12, reached: 11, missing: ['GET /orders/{id}'] },
        },
      },
    },
  }),

  fetchCrawlerUrls: operation({
    ...read,
    summary: 'Pages through the URLs of a crawl',
    description:
      'In the order they were found, with the reason of those that were left out, and how many were left out for which reason. Limits of 0 or less mean 100, the most is 1000.',
    request: {
      crawlId,
      accepted: optional(flag(), 'Only those in scope (true) or left out (false).'),
      reason: optional(text(), 'Only those left out for this reason.'),
      search: optional(text(), 'Only URLs that hold this text.', { default: '' }),
      skip: optional(integer(), 'URLs to leave out.', { default: 0 }),
      limit: optional(integer(), 'URLs per page.', {
        default: pageLimits.crawlUrls.byDefault,
        applied: pageSize(pageLimits.crawlUrls),
      }),
    },
    answer: root(
      model('CrawledUrls', 'URLs of a crawl.', {
        crawledUrls: list(crawledUrl),
        total: count('URLs that meet the filters.'),
        reasons: mapOf(count(), { description: 'URLs left out, by reason.' }),
      }),
    ),
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    example: {
      request: { crawlId: exampleCrawlId, accepted: true },
      response: {
        crawledUrls: [
          {
            url: exampleCrawlUrl.url,
            accepted: true,
            reason: '',
            origin: 'link',
            timestamp: exampleCrawlUrl.timestamp,
            sourceUrl: exampleCrawlUrl.sourceUrl,
            sourceXpath: exampleCrawlUrl.sourceXpath,
            buttonText: exampleCrawlUrl.buttonText,
          },
        ],
        total: 1,
        reasons: { 'other host': 12 },
      },
    },
  }),

  fetchCrawlLogs: operation({
    ...read,
    summary: 'Pages through the log of a crawl',
    description:
      'The newest first. Limits of 0 or less mean 200, the most is 1000. Without crawlId the lines of modules that belong to no crawl.',
    request: {
      crawlId: optional(text(), 'The crawl.'),
      skip: optional(integer(), 'Lines to leave out.', { default: 0 }),
      limit: optional(integer(), 'Lines per page.', {
        default: pageLimits.crawlLogs.byDefault,
        applied: pageSize(pageLimits.crawlLogs),
      }),
    },
    answer: root(
      model('CrawlLogs', 'Lines of a log.', { crawlLogs: list(crawlLogLine), total: count('All lines.') }),
    ),
    errors: ['CRAWL_NOT_FOUND'],
    example: {
      request: { crawlId: exampleCrawlId },
      response: {
        crawlLogs: [{ timestamp: 1769854501, level: 'info', log: 'Signed in by the form' }],
        total: 1,
      },
    },
  }),

  getLatestCrawlerFrame: operation({
    ...read,
    summary: 'Shows what a crawl looks at',
    description:
      'The latest picture, to be asked for every few seconds: the crawl takes pictures for 30 seconds after each call. Boxes with passwords are covered. Empty text and 0 while there is none.',
    request: { crawlId },
    answer: root(
      model('CrawlerFrame', 'What a crawl looks at.', {
        crawlId: text(),
        frameData: text({ description: 'JPEG in base64.' }),
        currentUrl: text({ description: 'The page.' }),
        timestamp: epochSeconds('When it was taken.'),
      }),
    ),
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    example: {
      request: { crawlId: exampleCrawlId },
      response: {
        crawlId: exampleCrawlId,
        frameData: '/9j/2Q==',
        currentUrl: 'https://shop.test/',
        timestamp: 1769854510,
      },
    },
  }),

  getCrawlerGraph: operation({
    ...read,
    summary: 'Shows the navigation graph of a crawl',
    description:
      'For every step between states of pages the element (XPath and text) that was acted on and the calls it made; the first 2000 steps, or those that lead to the URL given. navigationGraph is the same between pages as Mermaid text.',
    request: { crawlId, url: optional(text(), 'Only steps that lead to this URL or made a call to it.') },
    answer: root(
      model('CrawlerGraph', 'The navigation graph of a crawl.', {
        navigationGraph: text({ description: 'Mermaid text; empty without any step.' }),
        steps: list(crawlStep),
        total: count('All steps of the crawl.'),
      }),
    ),
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    example: {
      request: { crawlId: exampleCrawlId },
      response: {
        navigationGraph: 'graph LR\n  p0["/"] -->|"click Details"| p1["/rest/products/6"]',
        steps: [exampleStep],
        total: 1,
      },
    },
  }),

  findMissingUrls: operation({
    ...read,
    summary: 'Tells which crawled URLs have no endpoint yet',
    description:
      'Of the URLs given, or of the first 10,000 accepted ones of the crawl: those whose path no endpoint of its collection stands for, by any method.',
    request: {
      crawlId,
      missingUrls: optional(list(text(), { maxItems: 10_000 }), 'Only these URLs.'),
    },
    answer: root(
      model('MissingUrls', 'URLs without endpoint.', { missingUrls: list(text()), looked: count() }),
    ),
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    example: {
      request: { crawlId: exampleCrawlId },
      response: { missingUrls: ['https://shop.test/about'], looked: 41 },
    },
  }),

  restartCrawl: operation({
    ...change,
    summary: 'Crawls again with the same options',
    description:
      'A new crawl with the options of one that ended. Credentials are not kept after the end of a crawl: send those it is to sign in with.',
    request: {
      crawlId,
      username: optional(text(), 'For the sign-in form of the target.'),
      password: optional(password(), 'For the sign-in form of the target.'),
      apiKey: optional(text(), 'As in initiateCrawler.'),
      customHeaders: optional(mapOf(text()), 'Headers for requests in scope.'),
    },
    answer: root(model('RestartedCrawl', 'The new crawl.', { crawlId: text() })),
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND', 'CRAWL_IS_RUNNING', 'CRAWLER_MODULE_UNAVAILABLE'],
    idempotent: false,
    example: {
      request: { crawlId: exampleCrawlId },
      response: { crawlId: '7d444840-9dc0-11d1-b245-5ffdce74fad2' },
    },
  }),

  deleteCrawl: operation({
    ...change,
    summary: 'Removes a crawl that ended',
    description: 'With its URLs, graph and log; what the inventory learned from it stays.',
    request: { crawlId },
    answer: none,
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND', 'CRAWL_IS_RUNNING'],
    idempotent: false,
    example: { request: { crawlId: exampleCrawlId } },
  }),
})
