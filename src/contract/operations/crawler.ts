import { crawlerMessageLength, crawlerModuleSilence, crawlingSeconds } from '../limits.ts'
import { group, none, operation, root } from '../operation.ts'
import { actionErrors } from '../records/action-errors.ts'
import { crawlEnds, crawlerModule, crawlerRun, crawlerUrl } from '../records/crawl.ts'
import { crawlSummary } from '../records/crawl-work.ts'
import { optional, required } from '../request-field.ts'
import {
  document,
  epochSeconds,
  flag,
  integer,
  list,
  mapOf,
  model,
  oneOf,
  password,
  text,
} from '../schema.ts'
import { harmfulActionModes, reportedCrawlStatuses } from '../vocabulary.ts'
import { crawlIdHeader } from '../wire.ts'
import { exampleCrawlId, exampleCrawlRun, exampleCrawlUrl, exampleSample } from './crawler-examples.ts'

const reading = { inSpecification: true, role: 'GUEST', access: 'read', idempotent: true } as const
const writing = { inSpecification: true, role: 'MEMBER', access: 'write', answer: none } as const

const crawlId = required(text(), 'The crawl; not empty.')

/** Crawls by their wire names. */
export const crawlerOperations = group('crawler', {
  fetchAllDastScans: operation({
    ...reading,
    summary: 'Lists the crawls',
    description:
      'The newest 1000 that run, ended well or were stopped, and runs of old versions without status; newest first. includeAllStatuses adds those that wait and those that failed.',
    specified: 'partial',
    note: 'The crawl has more fields here; credentials are never among them.',
    request: {
      includeAllStatuses: optional(flag(), 'List PENDING and FAILED crawls too.', { default: false }),
    },
    answer: root(model('CrawlerRunList', 'The crawls.', { crawlerRuns: list(crawlerRun), actionErrors })),
    errors: [],
    example: {
      request: {},
      response: {
        crawlerRuns: [exampleCrawlRun],
        actionErrors: [],
      },
    },
  }),

  fetchDastScan: operation({
    ...reading,
    summary: 'Lists the URLs that a crawl found',
    description: 'In and out of scope, by time, at most 50,000. An unknown crawl has none.',
    specified: 'full',
    request: { crawlId },
    answer: root(
      model('CrawlerUrlList', 'The URLs of a crawl.', { crawlerUrls: list(crawlerUrl), actionErrors }),
    ),
    errors: ['CRAWL_ID_REQUIRED'],
    example: {
      request: { crawlId: exampleCrawlId },
      response: { crawlerUrls: [exampleCrawlUrl], actionErrors: [] },
    },
  }),

  fetchAvailableDastModules: operation({
    ...reading,
    summary: 'Lists the outside crawler modules',
    description: `Modules that answered within ${crawlerModuleSilence} seconds, by name. Empty: only the built-in crawler is there.`,
    specified: 'partial',
    note: 'The element is not shown there.',
    request: {},
    answer: root(
      model('CrawlerModuleList', 'The outside crawler modules.', {
        availableModules: list(crawlerModule),
        actionErrors,
      }),
    ),
    errors: [],
    example: {
      request: {},
      response: {
        availableModules: [
          {
            name: 'staging-01',
            displayName: 'staging-01',
            lastHeartbeat: 1769854490,
            isDefault: false,
          },
        ],
        actionErrors: [],
      },
    },
  }),

  initiateCrawler: operation({
    ...writing,
    summary: 'Starts a crawl',
    description: `Creates the crawl as PENDING; the answer has no content, the header ${crawlIdHeader} carries its id. The collection of the name (or of the host) is used or created and tagged DAST. The crawl signs in by username and password when both are sent, else by the API key, else by the test role; a failed sign-in is recorded and the crawl continues without. Blank text counts as absent.`,
    specified: 'full',
    request: {
      hostname: required(text(), 'Full http or https URL to start from.'),
      crawlingTime: required(
        integer(),
        `Time budget in seconds, ${crawlingSeconds.least} to ${crawlingSeconds.most}.`,
      ),
      outscopeUrls: optional(
        text(),
        'What to leave out, separated by commas: /path prefixes and http URLs, * standing for anything, or re:pattern. Pages that sign in may ask for it all the same.',
      ),
      testRoleHexId: optional(text(), 'Test role to sign in as.'),
      username: optional(text(), 'For the sign-in form of the target.'),
      password: optional(password(), 'For the sign-in form of the target.'),
      apiKey: optional(
        text(),
        'A key of this installation lets an outside module call back and is never sent to the target; any other value goes to the target as x-api-key.',
      ),
      dashboardUrl: optional(text(), 'Base URL for calls back; null for that of this installation.'),
      runTestAfterCrawling: optional(flag(), 'Test what was found once the crawl is complete.', {
        default: false,
      }),
      selectedMiniTestingService: optional(text(), 'Executor of these tests; null for the built-in one.'),
      selectedModuleName: optional(text(), 'Outside module that crawls; null for the built-in crawler.'),
      collectionName: optional(text(), 'Collection that receives what is found; null for the host.'),
      urlTemplatePatterns: optional(
        text(),
        'Paths that stand for many alike pages, separated by commas; {name} and * stand for one segment.',
      ),
      applicationPages: optional(text(), 'Pages to begin with, separated by commas.'),
      journeys: optional(
        list(document(), { maxItems: 20 }),
        'Recordings of somebody using the application, whose pages are added to applicationPages: texts of Chrome DevTools recordings, HAR files, Cypress specs or reports, and Playwright traces (ZIP in base64).',
      ),
      customHeaders: optional(mapOf(text()), 'Headers for requests in scope.'),
      harmfulActions: optional(
        oneOf(harmfulActionModes),
        'What may change something: AVOID changes nothing and records such requests without sending them, LAST sends ordinary changes and does what destroys (delete, pay, send …) when nothing else is left, ALLOW does everything and is for systems that may be thrown away.',
        { default: 'AVOID' },
      ),
    },
    errors: [
      'INVALID_CRAWLING_TIME',
      'INVALID_HOSTNAME',
      'CRAWLER_MODULE_UNAVAILABLE',
      'TEST_ROLE_NOT_FOUND',
      'INVALID_COLLECTION_NAME',
      'COLLECTION_NAME_TOO_LONG',
      'COLLECTION_NAME_CHARACTERS',
      'GROUP_TARGET',
      'DEACTIVATED_COLLECTION',
      'CRAWL_SCOPE_INVALID',
      'CRAWL_TARGET_REFUSED',
    ],
    bodyLimit: 'import',
    idempotent: false,
    example: {
      request: { hostname: 'https://shop.test', crawlingTime: 3600, outscopeUrls: '/logout' },
    },
  }),

  uploadCrawlerData: operation({
    ...writing,
    summary: 'Feeds one exchange that a crawler captured',
    description: `One sample message of at most ${crawlerMessageLength} characters into the inventory of the collection, as traffic of source CRAWLER. Header maps may be JSON text or objects; responseCode, responseBody and requestBody are read too.`,
    specified: 'full',
    request: {
      apiCollectionId: required(integer(), 'The collection.', { alsoString: true }),
      crawlerData: required(document(), 'JSON text of one sample message.'),
    },
    errors: [
      'API_COLLECTION_NOT_FOUND',
      'DEACTIVATED_COLLECTION',
      'CRAWLER_DATA_TOO_LARGE',
      'CRAWLER_DATA_INVALID',
    ],
    idempotent: false,
    example: {
      request: {
        apiCollectionId: '1679459648',
        crawlerData: exampleSample,
      },
    },
  }),

  updateCrawlerStatus: operation({
    ...writing,
    summary: 'Reports the state of a crawl',
    description:
      'RUNNING sets startTimestamp to now, every other status endTimestamp. The first COMPLETED starts the tests that were asked for. A stop that was requested stays requested.',
    specified: 'full',
    request: {
      crawlId,
      status: required(text(), reportedCrawlStatuses.join(', ')),
      errorMessage: optional(text(), 'Kept with FAILED only, cut at 2000 characters.'),
      end: optional(oneOf(crawlEnds), 'Why it ended, for fetchCrawlerRun; not with RUNNING.'),
      summary: optional(crawlSummary, 'What it covered and left out; not with RUNNING.'),
    },
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND', 'INVALID_CRAWL_STATUS'],
    idempotent: false,
    example: { request: { crawlId: exampleCrawlId, status: 'COMPLETED' } },
  }),

  stopCrawler: operation({
    ...writing,
    summary: 'Asks a crawl to stop',
    description:
      'A crawl that runs becomes STOP_REQUESTED and ends after the page in work; one that nobody took yet becomes STOPPED. One that ended is left as it is.',
    specified: 'full',
    request: { crawlId },
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    idempotent: true,
    example: { request: { crawlId: exampleCrawlId } },
  }),

  saveCrawlerUrl: operation({
    ...writing,
    summary: 'Records a URL that a crawl found',
    description: 'One record per crawl, url and sourceUrl; a later call replaces it.',
    specified: 'full',
    request: {
      url: required(text(), 'The URL; not empty.'),
      crawlId,
      accepted: optional(flag(), 'In scope and followed.', { default: false }),
      timestamp: optional(epochSeconds(), 'When it was found; null for now.'),
      sourceUrl: optional(text(), 'The page it was found on.'),
      sourceXpath: optional(text(), 'Where on that page.'),
      buttonText: optional(text(), 'Text of what was clicked, cut at 500 characters.'),
    },
    errors: ['CRAWL_URL_REQUIRED', 'CRAWL_NOT_FOUND'],
    idempotent: true,
    example: { request: exampleCrawlUrl },
  }),
})
