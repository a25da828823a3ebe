import type { CrawledUrl, CrawlerRun, CrawlerUrl } from '../../../contract/index.ts'
import { builtInModule, type CrawlRun, type CrawlUrlRecord } from '../../../crawler/index.ts'

/**
 * A crawl on the wire.
 *
 * @param mask masks what lists must not show of the URLs in a text
 */
export function wireCrawl(crawl: CrawlRun, mask: (text: string) => string): CrawlerRun {
  return {
    crawlId: crawl.id,
    hostname: mask(crawl.hostname),
    startedBy: crawl.startedBy,
    startTimestamp: crawl.startedAt,
    endTimestamp: crawl.endedAt,
    status: crawl.status,
    moduleName: crawl.moduleName ?? builtInModule,
    collectionId: crawl.collectionId,
    crawlingTime: crawl.crawlingSeconds,
    runTestAfterCrawling: crawl.isTestedAfter,
    errorMessage: crawl.errorMessage && mask(crawl.errorMessage),
    outScopeUrls: crawl.outScopeUrls && mask(crawl.outScopeUrls),
    urlTemplatePatterns: crawl.urlTemplatePatterns,
    applicationPages: crawl.applicationPages && mask(crawl.applicationPages),
    testRoleHexId: crawl.testRoleId,
    testRoleFailed: crawl.loginError !== null,
    testRoleError: crawl.loginError,
    selectedMiniTestingService: crawl.executor,
  }
}

/** A URL of a crawl as the specification has it. */
export function wireUrl(crawlId: string, found: CrawlUrlRecord): CrawlerUrl {
  return {
    url: found.url,
    crawlId,
    accepted: found.isAccepted,
    timestamp: found.foundAt,
    sourceUrl: found.sourceUrl,
    sourceXpath: found.sourceXpath,
    buttonText: found.buttonText,
  }
}

/** A URL of a crawl with why it was left out. */
export function wireCrawledUrl(found: CrawlUrlRecord): CrawledUrl {
  return {
    url: found.url,
    accepted: found.isAccepted,
    reason: found.reason,
    origin: found.origin,
    timestamp: found.foundAt,
    sourceUrl: found.sourceUrl ?? '',
    sourceXpath: found.sourceXpath ?? '',
    buttonText: found.buttonText ?? '',
  }
}
