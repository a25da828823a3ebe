export type {
  CapturedExchange,
  CaptureOutcome,
  CaptureSink,
  StreamMessage,
} from './browser/capture.ts'
export { inventoryExchanges } from './browser/captured-of.ts'
export { isConnectionHeader } from './browser/connection-headers.ts'
export type { CrawlGuardOptions, GuardScope } from './browser/crawl-guard.ts'
export { CrawlGuard, LOGIN_CAUSE } from './browser/crawl-guard.ts'
export type {
  BrowserDriver,
  CdpSession,
  ChildTarget,
  ClickOptions,
  ContextOptions,
  DriverContext,
  DriverInput,
  DriverPage,
  EvaluateOptions,
  PageDialog,
  PageEvents,
  QuietOptions,
  ScreenshotOptions,
  Visit,
  VisitOptions,
} from './browser/driver.ts'
export type { BrowserOrigin, BrowserSupply, FoundBrowser } from './browser/find-browser.ts'
export { findBrowser, readyBrowser } from './browser/find-browser.ts'
export type { BrowserOrder, InstalledBrowser } from './browser/installed-browser.ts'
export { installBrowser } from './browser/installed-browser.ts'
export type { GuardDecision, GuardedRequest, RequestGuard, ResourceKind } from './browser/request-guard.ts'
export type { LaunchOptions } from './browser/running-browser.ts'
export { type BrowserLocale, launchBrowser } from './browser/running-browser.ts'
export type { BrowserSession, OriginStorage, SessionCookie } from './browser/session.ts'
export type { Frontier, FrontierCounts, LeasedItem, WorkItem, WorkKind } from './explore/frontier.ts'
export { type Journey, readJourney } from './journeys/read-journey.ts'
export type { Authenticator, LoginResult } from './login/authenticator.ts'
export type { FormLoginOptions } from './login/form-login.ts'
export { formLogin } from './login/form-login.ts'
export { headerLogin } from './login/header-login.ts'
export type { KeptSessionOptions } from './login/kept-session.ts'
export { KeptSession } from './login/kept-session.ts'
export { unusedCode } from './login/one-time-code.ts'
export * from './modules/index.ts'
export * from './recordings/index.ts'
export * from './records/index.ts'
export { CrawlScope } from './scope/crawl-scope.ts'
export { splitList } from './scope/split-list.ts'
