export type { Caller, Session, SingleSignOn } from '../access/index.ts'
export {
  callerOfAccessToken,
  callerOfKey,
  callerOfRefreshToken,
  clearedSignInCookie,
  completeReset,
  createKey,
  deviceCookie,
  deviceCookieName,
  hasSecondFactor,
  isLoopbackHost,
  needsFirstUser,
  refreshCookie,
  refreshCookieName,
  renewSession,
  requestReset,
  setupCode,
  signIn,
  signInCookieName,
  signUp,
  startSession,
  systemUserId,
} from '../access/index.ts'
export type { BrowserSupply } from '../crawler/index.ts'
export { findBrowser, installBrowser, runModule } from '../crawler/index.ts'
export type { Exchange } from '../http/index.ts'
export { parseSampleMessage, writeHar, writePostman } from '../http/index.ts'
export { missingFonts } from '../reports/index.ts'
export { folderHolder, probeServer } from '../store/owner.ts'
export { MAX_EVIDENCE_FILE_BYTES, templateSchema } from '../testing/index.ts'
export { bundledCountries, filterSchema } from '../threat/index.ts'
export { answerCall, isBuilt } from './answer-call.ts'
export { type ArchivePlace, openArchivePlace } from './archive/archive-place.ts'
export { listArchives } from './archive/archive-records.ts'
export { readArchive } from './archive/read-archive.ts'
export { restoreArchive } from './archive/restore-archive.ts'
export { notedSignIn } from './audit/note-sign-in.ts'
export { addressUrl, baseUrlOf } from './base-url.ts'
export type { Running } from './boot.ts'
export { boot } from './boot.ts'
export { topicsFor } from './changes/changes-between.ts'
export { fetchDocument } from './fetch-document.ts'
export { describeGrpc } from './grpc-reflection.ts'
export type { App, Call } from './handler.ts'
export { serveLocalControl } from './local-control/serve-local-control.ts'
export { resetMail } from './mails.ts'
export { reportFile } from './reports/report-file.ts'
export { announceServer, readRunningServer } from './running-server.ts'
export { readStoreFailure } from './store-failure.ts'
export type { CaseResult } from './template-cases/test-templates.ts'
export { testTemplates } from './template-cases/test-templates.ts'
export type { TemplateFile } from './template-files/read-template-files.ts'
export { readTemplateFiles } from './template-files/read-template-files.ts'
export { judgeEvidenceFile } from './test-runs/judge-evidence.ts'
export { libraryTests } from './test-runs/library.ts'
export { blockListAnswer } from './threat/block-list-answer.ts'
export { TraceIntake } from './traces/trace-intake.ts'
