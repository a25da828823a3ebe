import { crawlingSeconds } from '../limits.ts'
import { reportedCrawlStatuses } from '../vocabulary.ts'
import { errorRows } from './row.ts'

/** Errors of the crawler operations. */
export const crawlerErrors = errorRows({
  CRAWL_ID_REQUIRED: {
    status: 422,
    message: 'Crawl ID is required',
    remedy: 'Send the crawlId of a crawl.',
  },
  CRAWL_NOT_FOUND: {
    status: 422,
    message: 'Crawl not found for the given crawlId',
    remedy: 'Load the list of crawls again: the crawl may have been deleted.',
  },
  CRAWL_URL_REQUIRED: {
    status: 422,
    message: 'URL and crawl ID are required',
    remedy: 'Send both, not empty.',
  },
  INVALID_CRAWL_STATUS: {
    status: 422,
    message: 'Invalid status',
    remedy: `Send one of ${reportedCrawlStatuses.join(', ')}.`,
  },
  INVALID_CRAWLING_TIME: {
    status: 422,
    message: 'Invalid crawling time',
    remedy: `Send ${crawlingSeconds.least} to ${crawlingSeconds.most} seconds.`,
  },
  INVALID_HOSTNAME: {
    status: 422,
    message: 'Invalid hostname',
    remedy: 'Enter a full http or https URL.',
  },
  CRAWL_TARGET_REFUSED: {
    status: 422,
    message: '{host} may not be crawled: {reason}',
    remedy:
      'Start from the URL of the application; the operator can allow more hosts with VIGIL_ALLOWED_TARGETS.',
  },
  CRAWLER_MODULE_UNAVAILABLE: {
    status: 422,
    message: 'Selected DAST module is not available. Please select another module.',
    remedy: 'Choose a module that fetchAvailableDastModules lists, or none for the built-in crawler.',
  },
  MODULE_OF_ANOTHER: {
    status: 403,
    message: 'The module belongs to another API key',
    remedy:
      'Use the API key that sends the heartbeats of this module, choose another module name, or ask an administrator to delete the module.',
  },
  API_COLLECTION_NOT_FOUND: {
    status: 422,
    message: 'API collection not found',
    remedy: 'Send the id of an existing collection.',
  },
  CRAWLER_DATA_TOO_LARGE: {
    status: 422,
    message: 'crawlerData is too large',
    remedy: 'Omit large bodies; a message can have up to 5 MiB.',
  },
  CRAWL_SCOPE_INVALID: {
    status: 422,
    message: 'Invalid scope: {reason}',
    remedy: 'Correct the entry; the reference describes outscopeUrls and urlTemplatePatterns.',
  },
  CRAWL_BATCH_INVALID: {
    status: 422,
    message: 'crawlUrlsBatch is not a JSON list of crawler URLs',
    remedy: 'Send a list of objects in the form fetchDastScan returns, as JSON text.',
  },
  CRAWL_IS_RUNNING: {
    status: 422,
    message: 'The crawl has not ended',
    remedy: 'Stop it, and send the call again once it has ended.',
  },
  CRAWL_FRAME_REQUIRED: {
    status: 422,
    message: 'crawlId and frameData are required',
    remedy: 'Send both, not empty.',
  },
  CRAWLER_DATA_INVALID: {
    status: 422,
    message: 'crawlerData is not a valid HTTP sample',
    remedy: 'Send one sample message as JSON text, in the form fetchSampleData returns.',
  },
  BROWSER_MISSING: {
    status: 503,
    message: 'No browser was found',
    remedy:
      'Run "vigil browser install", install chromium-headless-shell or Chrome, or set VIGIL_BROWSER to a browser; "vigil doctor" shows which one is used.',
  },
  BROWSER_NOT_INSTALLED: {
    status: 502,
    message: 'The browser was not installed: {reason}',
    remedy:
      'Check the network, or name a copy of the builds with --mirror; or install Chrome with the tools of the system.',
  },
  BROWSER_UNUSABLE: {
    status: 503,
    message: 'The browser {path} cannot be used: {reason}',
    remedy: 'Run "vigil doctor" to check the browser, or set VIGIL_BROWSER to another one.',
  },
  BROWSER_GONE: {
    status: 503,
    message: 'The browser or its page is gone ({call})',
    remedy: 'Try again. If it happens often, give the machine more memory.',
  },
  BROWSER_TIMED_OUT: {
    status: 504,
    message: 'The browser did not answer {call} within {ms} ms',
    remedy: 'Try again. Vigil closes pages whose scripts never end.',
  },
  BROWSER_REFUSED: {
    status: 502,
    message: 'The browser refused {call}: {reason}',
    remedy: 'Report it with the version of the browser that "vigil doctor" prints.',
  },
  BROWSER_PAGE_CHANGED: {
    status: 503,
    message: 'The page changed while the browser was at {call}',
    remedy: 'Try again on the current page.',
  },
  BROWSER_SCRIPT_FAILED: {
    status: 422,
    message: 'The script failed in the page: {reason}',
    remedy: 'Correct the script; it runs in the current page.',
  },
  BROWSER_URL_REFUSED: {
    status: 422,
    message: 'The browser may not open {url}: {reason}',
    remedy: 'Use an http or https URL of a host in scope; VIGIL_ALLOWED_TARGETS can allow more hosts.',
  },
})
