export type {
  CapturedExchange,
  CaptureOutcome,
  CaptureSink,
  StreamMessage,
} from './browser/capture.ts'
export { inventoryExchanges } from './browser/captured-of.ts'
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
export type { GuardDecision, GuardedRequest, RequestGuard, ResourceKind } from './browser/request-guard.ts'
export type { LaunchOptions } from './browser/running-browser.ts'
export { launchBrowser } from './browser/running-browser.ts'
export type { BrowserSession, OriginStorage, SessionCookie } from './browser/session.ts'
export type { Authenticator, LoginResult } from './login/authenticator.ts'
