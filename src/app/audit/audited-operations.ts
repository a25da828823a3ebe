import { type Operation, operations } from '../../contract/index.ts'

/** Writes that people do not decide on: traffic, and what crawl workers and modules report. */
const REPORTS: ReadonlySet<string> = new Set([
  'ingestData',
  'recordMaliciousEvent',
  'updateModuleInfo',
  'handleRefreshTableCount',
  'sendHealthCheck',
  'uploadCrawlerData',
  'uploadCrawlerDataBatch',
  'uploadCrawlerFrame',
  'uploadCrawlerGraph',
  'updateCrawlerStatus',
  'saveCrawlerUrl',
  'saveCrawlerUrlsBatch',
  'updateModuleInfoForHeartbeat',
  'fetchPendingDastJobs',
  'fetchPendingDastJobsV2',
  'updateDastJobStatus',
  'checkCrawlStatus',
  'insertDastLog',
  'syncCrawlWork',
  'saveCrawlMemory',
  'fetchCrawlMemory',
  'shareCrawlFacts',
  'takeCrawlCodeStep',
  'reportCrawlLogin',
])

/** Whether calls of an operation are in the audit log: every write that a person decides on. */
export function isAudited({ name, access }: Operation): boolean {
  return access === 'write' && !REPORTS.has(name)
}

/** Whether an operation shows masked values to those who ask for them. */
function canReveal({ request }: Operation): boolean {
  return 'unmasked' in request
}

/** Whether a call asks for masked values: these are in the audit log too, though they change nothing. */
export function isReveal(operation: Operation, input: unknown): boolean {
  return canReveal(operation) && (input as { unmasked?: unknown }).unmasked === true
}

/** Events of sign-in, beside the operations. */
export type SignInAction = 'signIn' | 'signUp' | 'resetPassword'

/** Everything that can be in the audit log, sorted. */
export const auditActions: readonly string[] = [
  'signIn' satisfies SignInAction,
  'signUp' satisfies SignInAction,
  'resetPassword' satisfies SignInAction,
  ...Object.values(operations)
    .filter((operation) => isAudited(operation as Operation) || canReveal(operation as Operation))
    .map(({ name }) => name),
].sort()
