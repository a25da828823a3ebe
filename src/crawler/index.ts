export type {
  CapturedExchange,
  CaptureOutcome,
  CaptureSink,
  StreamMessage,
} from './browser/capture.ts'
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
export type { GuardDecision, GuardedRequest, RequestGuard, ResourceKind } from './browser/request-guard.ts'
export type { BrowserSession, OriginStorage, SessionCookie } from './browser/session.ts'
export type { Authenticator, LoginResult } from './login/authenticator.ts'
