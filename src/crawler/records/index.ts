export { closeCrawls } from './close-crawls.ts'
export { takeCodeStep } from './code-steps.ts'
export {
  countCaptured,
  dropFrames,
  latestFrame,
  loadMemory,
  saveFrame,
  saveMemory,
} from './crawl-leftovers.ts'
export { logToCrawl, pageLog, saveLog } from './crawl-log.ts'
export type { CrawlRun, HarmfulActions } from './crawl-run.ts'
export { builtInModule, findCrawl, hasEnded, listCrawls } from './crawl-run.ts'
export type { ReportedStatus } from './crawl-states.ts'
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
export { listSteps, saveGraphText, saveSteps } from './crawl-steps.ts'
export type { CrawlUrlRecord } from './crawl-urls.ts'
export { acceptedUrls, listUrls, pageUrls, saveUrls } from './crawl-urls.ts'
export type { JoinedCrawl } from './crawl-workers.ts'
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
export {
  askReboot,
  availableModules,
  crawlerModuleKind,
  deleteModules,
  keepCrawlerModule,
} from './crawler-modules.ts'
export type { NewCrawl } from './create-crawl.ts'
export { createCrawl, openSecrets } from './create-crawl.ts'
export { claimDueTests, noteTests } from './due-tests.ts'
export { shareLearned } from './learned-facts.ts'
export { navigationGraph } from './navigation-graph.ts'
export { deadWork, freeWork, StoredFrontier } from './stored-frontier.ts'
