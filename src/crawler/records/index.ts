export { closeCrawls } from './close-crawls.ts'
export { takeCodeStep } from './code-steps.ts'
export type { CrawlFrame } from './crawl-leftovers.ts'
export {
  countCaptured,
  dropFrames,
  latestFrame,
  loadMemory,
  saveFrame,
  saveMemory,
} from './crawl-leftovers.ts'
export type { CrawlLogRecord } from './crawl-log.ts'
export { logToCrawl, pageLog, saveLog } from './crawl-log.ts'
export type { CrawlRun, CrawlStatus, HarmfulActions, WorkCounts } from './crawl-run.ts'
export { builtInModule, findCrawl, hasEnded, listCrawls } from './crawl-run.ts'
export type { CrawlClaim, CrawlEndReport, CrawlSigns, ReportedStatus } from './crawl-states.ts'
export {
  claimCrawl,
  deleteCrawl,
  holdsCrawl,
  keepCrawl,
  moduleLeaseSeconds,
  noteLogin,
  noteRestart,
  releaseBuiltIn,
  releaseCrawl,
  reportStatus,
  requestStop,
  watchCrawl,
  workCounts,
} from './crawl-states.ts'
export type { CrawlStepRecord } from './crawl-steps.ts'
export { listSteps, saveGraphText, saveSteps } from './crawl-steps.ts'
export type { CrawlUrlRecord, UrlSelection } from './crawl-urls.ts'
export { acceptedUrls, listUrls, pageUrls, saveUrls } from './crawl-urls.ts'
export type { CrawlJoining, HelperSigns, JoinedCrawl } from './crawl-workers.ts'
export {
  countHelpers,
  dismissHelpers,
  isHelper,
  joinCrawl,
  keepWorker,
  leaveCrawl,
  noteIdle,
  stopSharing,
} from './crawl-workers.ts'
export type { AvailableModule, ModuleHeartbeat } from './crawler-modules.ts'
export {
  askReboot,
  availableModules,
  crawlerModuleKind,
  deleteModules,
  keepCrawlerModule,
} from './crawler-modules.ts'
export type { CrawlSecrets, NewCrawl } from './create-crawl.ts'
export { createCrawl, openSecrets } from './create-crawl.ts'
export { claimDueTests, noteTests } from './due-tests.ts'
export { shareLearned } from './learned-facts.ts'
export { navigationGraph } from './navigation-graph.ts'
export { deadWork, freeWork, StoredFrontier } from './stored-frontier.ts'
