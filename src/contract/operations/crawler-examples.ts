/** Example crawl of the interface documents. */
export const exampleCrawlId = '550e8400-e29b-41d4-a716-446655440000'

export const exampleCrawlUrl = {
  url: 'https://shop.test/rest/products/6',
  crawlId: exampleCrawlId,
  accepted: true,
  timestamp: 1769854510,
  sourceUrl: 'https://shop.test/',
  sourceXpath: '/html/body/main/a[3]',
  buttonText: 'Details',
}

/** The example crawl as lists show it. */
export const exampleCrawlRun = {
  crawlId: exampleCrawlId,
  hostname: 'https://shop.test',
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

/** The example crawl as a module gets it. */
export const exampleJob = {
  crawlId: exampleCrawlId,
  hostname: 'https://shop.test',
  startedBy: 'ada@example.org',
  startTimestamp: 1769854500,
  endTimestamp: 0,
  outScopeUrls: '/logout',
  urlTemplatePatterns: '/users/{id}',
  applicationPages: '/dashboard',
  status: 'PENDING',
  moduleName: 'staging-01',
  username: 'ann@shop.test',
  password: 'example password',
  apiKey: null,
  isApiKeyForTarget: false,
  dashboardUrl: 'https://vigil.test',
  collectionId: 1769854499,
  accountId: 1000000,
  errorMessage: null,
  cookies: null,
  crawlingTime: 3600,
  customHeaders: { 'x-test-run': 'crawl' },
  runTestAfterCrawling: true,
  testRoleHexId: null,
  testRoleName: null,
  harmfulActions: 'AVOID',
  roleHeaders: {},
  recordedFlow: null,
  spentSeconds: 0,
  helperOf: null,
}

export const exampleModuleInfo = {
  id: '5d9c3c1e-2b60-4b6c-9a53-0d9a3f5f2c11',
  moduleType: 'DAST',
  name: 'staging-01',
  currentVersion: '1.4.2',
  startedTs: 1769850000,
  lastHeartbeatReceived: 1769854490,
  reboot: false,
}

/** JSON text of a captured exchange. */
export const exampleSample =
  '{"method":"GET","path":"https://shop.test/rest/products/6","type":"HTTP/1.1","requestHeaders":"{}","requestPayload":"","statusCode":"200","status":"OK","responseHeaders":"{\\"content-type\\":\\"application/json\\"}","responsePayload":"{\\"id\\":6}","time":"1769854510"}'

/** A step of the navigation graph. */
export const exampleStep = {
  from: 'https://shop.test/#a1',
  to: 'https://shop.test/rest/products/{}#b2',
  fromUrl: 'https://shop.test/',
  toUrl: 'https://shop.test/rest/products/6',
  action: 'click',
  xpath: '/html/body/main/a[3]',
  text: 'Details',
  calls: ['GET https://shop.test/rest/products/6/reviews'],
}

/** A piece of work. */
export const exampleFact = { kind: 'kind', key: 'GET shop.test/api/items', value: 1, note: '' }

export const exampleWork = {
  kind: 'load',
  key: 'load https://shop.test/about',
  location: 'https://shop.test/about',
  priority: 5,
  payload: '{"url":"https://shop.test/about"}',
}
