export type { CapturedExchange } from './browser/capture.ts'
export { inventoryExchanges } from './browser/captured-of.ts'
export { isConnectionHeader } from './browser/connection-headers.ts'
export { CrawlGuard } from './browser/crawl-guard.ts'
export type { BrowserDriver, DriverContext, DriverPage } from './browser/driver.ts'
export type { BrowserSupply, FoundBrowser } from './browser/find-browser.ts'
export { findBrowser, readyBrowser } from './browser/find-browser.ts'
export { installBrowser } from './browser/installed-browser.ts'
export { type BrowserLocale, launchBrowser } from './browser/running-browser.ts'
export type { BrowserSession, SessionCookie } from './browser/session.ts'
export { readJourney } from './journeys/read-journey.ts'
export type { LoginResult } from './login/authenticator.ts'
export type { FormLoginOptions } from './login/form-login.ts'
export { formLogin } from './login/form-login.ts'
export { headerLogin } from './login/header-login.ts'
export { KeptSession } from './login/kept-session.ts'
export { unusedCode } from './login/one-time-code.ts'
export {
  type CrawlEnding,
  type CrawlJob,
  type CrawlPlace,
  crawlsInSpool,
  deliverSpool,
  type JobFlow,
  readJob,
  resumableLeaseSeconds,
  runModule,
  StoreLink,
  spoolFolder,
  superviseCrawl,
  type TakeMessages,
} from './modules/index.ts'
export {
  claimFlow,
  createFlow,
  endFlow,
  FlowError,
  type FlowStage,
  findFlow,
  flowLogin,
  keepFlow,
  keepPicture,
  latestFlow,
  type NewFlow,
  openFlowResult,
  type PlayedLogin,
  parseRecording,
  picturesOf,
  playFlow,
  releaseFlow,
  removeOldFlows,
} from './recordings/index.ts'
export {
  acceptedUrls,
  askReboot,
  availableModules,
  builtInModule,
  type CrawlRun,
  type CrawlUrlRecord,
  claimCrawl,
  claimDueTests,
  closeCrawls,
  countCaptured,
  countHelpers,
  crawlerModuleKind,
  createCrawl,
  deadWork,
  deleteCrawl,
  deleteModules,
  dismissHelpers,
  dropFrames,
  findCrawl,
  freeWork,
  type HarmfulActions,
  hasEnded,
  holdsCrawl,
  isHelper,
  type JoinedCrawl,
  joinCrawl,
  keepCrawl,
  keepCrawlerModule,
  keepWorker,
  latestFrame,
  leaveCrawl,
  listCrawls,
  listSteps,
  listUrls,
  loadMemory,
  logToCrawl,
  moduleLeaseSeconds,
  navigationGraph,
  noteIdle,
  noteLogin,
  noteRestart,
  noteTests,
  openSecrets,
  pageLog,
  pageUrls,
  type ReportedStatus,
  releaseBuiltIn,
  releaseCrawl,
  reportStatus,
  requestStop,
  StoredFrontier,
  saveFrame,
  saveGraphText,
  saveLog,
  saveMemory,
  saveSteps,
  saveUrls,
  shareLearned,
  stopSharing,
  takeCodeStep,
  watchCrawl,
  workCounts,
} from './records/index.ts'
export { CrawlScope } from './scope/crawl-scope.ts'
export { splitList } from './scope/split-list.ts'
