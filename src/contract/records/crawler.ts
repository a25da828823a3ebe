import { epochSeconds, flag, integer, model, nullable, oneOf, text } from '../schema.ts'

/** States of a crawl. */
export const crawlStatuses = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'STOP_REQUESTED', 'STOPPED'] as const

/** A crawl. Credentials and cookies are never part of it. */
export const crawlerRun = model('CrawlerRun', 'A crawl of a web application.', {
  crawlId: text({ description: 'UUID of the crawl.' }),
  hostname: text({ description: 'Full URL the crawl started from.' }),
  startedBy: text({ description: 'E-mail address of the user.' }),
  startTimestamp: epochSeconds('Creation, then the moment it became RUNNING.'),
  endTimestamp: epochSeconds('0 until the end.'),
  status: nullable(oneOf(crawlStatuses, { description: 'null for runs older than this field.' })),
  moduleName: text({ description: 'Module that crawls.' }),
  collectionId: integer({ description: 'Collection that receives the captured exchanges.' }),
  crawlingTime: integer({ description: 'Limit in seconds.' }),
  runTestAfterCrawling: flag({ description: 'Security tests start when the crawl completes.' }),
  errorMessage: nullable(text({ description: 'Stored on failure.' })),
  outScopeUrls: nullable(text({ description: 'Comma-separated paths that were skipped.' })),
  urlTemplatePatterns: nullable(text({ description: 'Comma-separated path patterns crawled as one page.' })),
  applicationPages: nullable(text({ description: 'Comma-separated seed pages.' })),
  testRoleHexId: nullable(text({ description: 'Role used to sign in.' })),
  testRoleFailed: flag({ description: 'Signing in failed; the crawl went on without.' }),
  testRoleError: nullable(text()),
  selectedMiniTestingService: nullable(text({ description: 'Executor of the tests after the crawl.' })),
})

/** A URL that a crawl found. */
export const crawlerUrl = model('CrawlerUrl', 'A URL that a crawl found.', {
  url: text(),
  crawlId: text(),
  accepted: flag({ description: 'In scope and followed.' }),
  timestamp: epochSeconds(),
  sourceUrl: nullable(text({ description: 'Page that led to it.' })),
  sourceXpath: nullable(text({ description: 'Element that led to it.' })),
  buttonText: nullable(text({ description: 'Text of that element.' })),
})

/** A crawler module that reported itself lately. */
export const dastModule = model('DastModule', 'An external crawler module.', {
  name: text(),
  displayName: text(),
  lastHeartbeat: epochSeconds(),
  isDefault: flag(),
})
