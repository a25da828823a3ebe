import { group, none, operation, root } from '../operation.ts'
import { crawlerRun, crawlerUrl, dastModule } from '../records/crawler.ts'
import { optional, required } from '../request-field.ts'
import { document, flag, integer, list, model, text } from '../schema.ts'
import { exampleMessage } from './collection-endpoints.ts'

const read = { inSpecification: true, role: 'GUEST', access: 'read', idempotent: true } as const
const write = { inSpecification: true, role: 'MEMBER', access: 'write' } as const

const actionErrors = list(text(), { description: 'Problems of the call; empty when there are none.' })
const crawlId = required(text(), 'UUID of the crawl.')

const exampleRun = {
  crawlId: '550e8400-e29b-41d4-a716-446655440000',
  hostname: 'https://app.shop.test',
  startedBy: 'ada@example.org',
  startTimestamp: 1769854500,
  endTimestamp: 0,
  status: 'RUNNING',
  moduleName: 'Built-in crawler',
  collectionId: 1769854499,
  crawlingTime: 3600,
  runTestAfterCrawling: true,
  errorMessage: null,
  outScopeUrls: '/logout',
  urlTemplatePatterns: '/users/{id}',
  applicationPages: '/dashboard',
  testRoleHexId: null,
  testRoleFailed: false,
  testRoleError: null,
  selectedMiniTestingService: null,
}

const exampleUrl = {
  url: 'https://app.shop.test/cart',
  crawlId: exampleRun.crawlId,
  accepted: true,
  timestamp: 1769854520,
  sourceUrl: 'https://app.shop.test/',
  sourceXpath: '/html/body/nav/a[2]',
  buttonText: 'Cart',
}

/** Crawls of web applications, by their wire names. */
export const crawlerOperations = group('crawler', {
  fetchAllDastScans: operation({
    ...read,
    summary: 'Lists the crawls',
    description:
      'Runs that are RUNNING, COMPLETED, STOP_REQUESTED or STOPPED, and runs without a status, newest first, at most 1,000. With includeAllStatuses PENDING and FAILED ones too.',
    specified: 'full',
    request: {
      includeAllStatuses: optional(flag(), 'Whether PENDING and FAILED runs are listed too.', {
        default: false,
      }),
    },
    answer: root(model('DastScans', 'Crawls.', { crawlerRuns: list(crawlerRun), actionErrors })),
    errors: [],
    example: { request: {}, response: { crawlerRuns: [exampleRun], actionErrors: [] } },
  }),

  fetchDastScan: operation({
    ...read,
    summary: 'Lists the URLs that a crawl found',
    description: 'In and out of scope, by time, at most 50,000. An unknown crawl gives an empty list.',
    specified: 'full',
    request: { crawlId },
    answer: root(model('DastScan', 'URLs of one crawl.', { crawlerUrls: list(crawlerUrl), actionErrors })),
    errors: ['CRAWL_ID_REQUIRED'],
    example: {
      request: { crawlId: exampleRun.crawlId },
      response: { crawlerUrls: [exampleUrl], actionErrors: [] },
    },
  }),

  fetchAvailableDastModules: operation({
    ...read,
    summary: 'Lists the external crawler modules that live',
    description:
      'Modules with a heartbeat within the last 5 minutes, by name. An empty list means that only the built-in crawler is available.',
    specified: 'partial',
    note: 'The shape of an element is not shown there.',
    request: {},
    answer: root(
      model('DastModules', 'External crawler modules.', { availableModules: list(dastModule), actionErrors }),
    ),
    errors: [],
    example: {
      request: {},
      response: {
        availableModules: [
          { name: 'prod-dast-01', displayName: 'prod-dast-01', lastHeartbeat: 1769854490, isDefault: false },
        ],
        actionErrors: [],
      },
    },
  }),

  initiateCrawler: operation({
    ...write,
    summary: 'Starts a crawl of a web application',
    description:
      'Answers 200 with no content; the header x-crawl-id carries the id. The collection named after the host (or collectionName) is created or reused and tagged DAST. Signs in by user name and password, else by API key, else by the test role. An apiKey that is a key of this installation is the credential for calling back and is never sent to the target; any other value is sent to the target as x-api-key. Blank texts count as absent.',
    specified: 'partial',
    note: 'Which meaning apiKey has is open there; the kind of value decides.',
    request: {
      hostname: required(text(), 'Full URL to crawl.'),
      crawlingTime: required(integer(), 'Limit in seconds, 600 to 345600.'),
      outscopeUrls: optional(
        text(),
        'Comma-separated paths to skip; * matches anything, re: begins a pattern.',
      ),
      testRoleHexId: optional(text(), 'Role to sign in with when neither password nor apiKey is sent.'),
      username: optional(text(), 'User name for form login; needs password.'),
      password: optional(text(), 'Password for form login; stored encrypted until the run ends.'),
      apiKey: optional(text(), 'Credential for calling back, or key of the target.'),
      dashboardUrl: optional(text(), 'Base URL of this installation for external modules.'),
      runTestAfterCrawling: optional(flag(), 'Whether security tests start when the crawl completes.', {
        default: false,
      }),
      selectedMiniTestingService: optional(
        text(),
        'Executor of these tests; read only with runTestAfterCrawling.',
      ),
      selectedModuleName: optional(text(), 'External module; null for the built-in crawler.'),
      collectionName: optional(text(), 'Name of the collection; the host when absent.'),
      urlTemplatePatterns: optional(text(), 'Comma-separated path patterns whose pages count as one.'),
      applicationPages: optional(text(), 'Comma-separated seed pages, relative to hostname.'),
    },
    answer: none,
    errors: [
      'INVALID_CRAWLING_TIME',
      'INVALID_HOSTNAME',
      'CRAWLER_MODULE_UNAVAILABLE',
      'TEST_ROLE_NOT_FOUND',
      'COLLECTION_NAME_CHARACTERS',
    ],
    idempotent: false,
    example: { request: { hostname: 'https://app.shop.test', crawlingTime: 3600 }, response: null },
  }),

  uploadCrawlerData: operation({
    ...write,
    summary: 'Feeds one captured exchange into a collection',
    description:
      'Answers 200 with no content once the exchange is committed. It enters the inventory like imported traffic, with the source CRAWLER. At most 5 MB.',
    specified: 'full',
    request: {
      apiCollectionId: required(text(), 'Id of the collection as decimal text.'),
      crawlerData: required(document(), 'JSON text of one sample message.'),
    },
    answer: none,
    errors: [
      'API_COLLECTION_NOT_FOUND',
      'CRAWLER_DATA_TOO_LARGE',
      'CRAWLER_DATA_INVALID',
      'COLLECTION_MINUS_ONE',
      'DEACTIVATED_COLLECTION',
    ],
    idempotent: true,
    example: { request: { apiCollectionId: '1679459648', crawlerData: exampleMessage }, response: null },
  }),

  updateCrawlerStatus: operation({
    ...write,
    summary: 'Reports the state of a crawl',
    description:
      'RUNNING sets startTimestamp; COMPLETED, FAILED and STOPPED set endTimestamp; errorMessage is stored only with FAILED, cut at 2,000 characters. The first COMPLETED starts the tests that were asked for.',
    specified: 'full',
    request: {
      crawlId,
      status: required(text(), 'RUNNING, COMPLETED, FAILED or STOPPED.'),
      errorMessage: optional(text(), 'Why it failed.'),
    },
    answer: none,
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND', 'INVALID_CRAWL_STATUS'],
    idempotent: false,
    example: { request: { crawlId: exampleRun.crawlId, status: 'COMPLETED' }, response: null },
  }),

  stopCrawler: operation({
    ...write,
    summary: 'Asks a crawl to stop',
    description:
      'A PENDING, RUNNING or STOP_REQUESTED crawl becomes STOP_REQUESTED and ends after the work in hand; one that has ended stays as it is.',
    specified: 'full',
    request: { crawlId },
    answer: none,
    errors: ['CRAWL_ID_REQUIRED', 'CRAWL_NOT_FOUND'],
    idempotent: true,
    example: { request: { crawlId: exampleRun.crawlId }, response: null },
  }),

  saveCrawlerUrl: operation({
    ...write,
    summary: 'Stores a URL that a crawl found',
    description:
      'One row per crawl, url and sourceUrl; a later call replaces it. buttonText is cut at 500 characters.',
    specified: 'full',
    request: {
      url: required(text(), 'The URL.'),
      crawlId,
      accepted: optional(flag(), 'Whether it is in scope and was followed.', { default: false }),
      timestamp: optional(integer(), 'Epoch seconds; now when absent.'),
      sourceUrl: optional(text(), 'Page that led to it.'),
      sourceXpath: optional(text(), 'Element that led to it.'),
      buttonText: optional(text(), 'Text of that element.'),
    },
    answer: none,
    errors: ['CRAWL_URL_REQUIRED', 'CRAWL_NOT_FOUND'],
    idempotent: true,
    example: { request: exampleUrl, response: null },
  }),
})
