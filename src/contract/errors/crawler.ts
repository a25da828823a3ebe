import { crawlingSeconds } from '../limits.ts'
import { reportedCrawlStatuses } from '../vocabulary.ts'
import { errorRows } from './row.ts'

/** Errors of the crawler operations. */
export const crawlerErrors = errorRows({
  CRAWL_ID_REQUIRED: {
    status: 422,
    message: 'Crawl ID is required',
    cure: 'Send the crawlId of a crawl.',
  },
  CRAWL_NOT_FOUND: {
    status: 422,
    message: 'Crawl not found for the given crawlId',
    cure: 'Send a crawlId that fetchAllDastScans lists.',
  },
  CRAWL_URL_REQUIRED: {
    status: 422,
    message: 'URL and crawl ID are required',
    cure: 'Send both, not empty.',
  },
  INVALID_CRAWL_STATUS: {
    status: 422,
    message: 'Invalid status',
    cure: `Send one of ${reportedCrawlStatuses.join(', ')}.`,
  },
  INVALID_CRAWLING_TIME: {
    status: 422,
    message: 'Invalid crawling time',
    cure: `Send ${crawlingSeconds.least} to ${crawlingSeconds.most} seconds.`,
  },
  INVALID_HOSTNAME: {
    status: 422,
    message: 'Invalid hostname',
    cure: 'Send a full http or https URL.',
  },
  CRAWLER_MODULE_UNAVAILABLE: {
    status: 422,
    message: 'Selected DAST module is not available. Please select another module.',
    cure: 'Choose a module that fetchAvailableDastModules lists, or none for the built-in crawler.',
  },
  API_COLLECTION_NOT_FOUND: {
    status: 422,
    message: 'API collection not found',
    cure: 'Send the id of an existing collection.',
  },
  CRAWLER_DATA_TOO_LARGE: {
    status: 422,
    message: 'crawlerData is too large',
    cure: 'Leave out large bodies; a message may have 5 MiB.',
  },
  CRAWLER_DATA_INVALID: {
    status: 422,
    message: 'crawlerData is not a valid HTTP sample',
    cure: 'Send one sample message as JSON text, in the form fetchSampleData returns.',
  },
})
