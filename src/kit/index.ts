export type { EpochMs, EpochSeconds } from './clock.ts'
export { nowMs, nowSeconds, setClock } from './clock.ts'
export { closeToOthers, closeTreeToOthers } from './close-to-others.ts'
export { renameDurably, syncFolder, syncTree, writeFileDurably } from './durable-file.ts'
export { endsWithin } from './ends-within.ts'
export type { ErrorReport } from './error-report.ts'
export { reportError } from './error-report.ts'
export { escapeMarkup } from './escape-markup.ts'
export type { FailureDetails } from './failure.ts'
export { Failure } from './failure.ts'
export { freeMemory } from './free-memory.ts'
export type { HeartbeatOptions } from './heartbeat.ts'
export { withHeartbeat } from './heartbeat.ts'
export type { HexId } from './ids.ts'
export { hexIdSeconds, isHexId, newHexId, renderObjectId } from './ids.ts'
export type { Log, LogEvent, LogLevel } from './log.ts'
export type { LogEvents } from './log-events.ts'
export { nearestWord } from './nearest-word.ts'
export { networkOf } from './network-of.ts'
export type { News, NewsTopic } from './news.ts'
export { newsTopics } from './news.ts'
export type { OnDemandThreadOptions } from './on-demand-thread.ts'
export { OnDemandThread } from './on-demand-thread.ts'
export { formDecoded, percentDecoded } from './percent-decoded.ts'
export type { PollNews, PollOptions } from './poll-loop.ts'
export { PollLoop } from './poll-loop.ts'
export { remembered } from './remembered.ts'
export type { Role } from './roles.ts'
export { hasRole, roles } from './roles.ts'
export type { Sealer } from './seal.ts'
export { createSealer, newInstanceKey } from './seal.ts'
export type { Setting } from './setting-kinds.ts'
export type { SettingName, Settings } from './setting-table.ts'
export { settingFlag, settingList, settingVariable } from './setting-table.ts'
export type { SettingSource, SettingsReport } from './settings.ts'
export { readSettings } from './settings.ts'
export { siblingModule } from './sibling.ts'
export { Slots } from './slots.ts'
export { storable, storableJson } from './storable.ts'
export type { SaslMechanism, StreamAddress, StreamKind } from './stream-address.ts'
export { readStreamAddress } from './stream-address.ts'
export type { ThreadCallOptions, ThreadError, ThreadMethods, ThreadPort } from './thread-calls.ts'
export { localError, ThreadCalls, Transferred, threadError } from './thread-calls.ts'
export type {
  ActiveSpan,
  FinishedSpan,
  Sampling,
  SpanAttributes,
  StoredContext,
  TraceContext,
  WorkContext,
} from './tracing.ts'
export {
  beginSpan,
  beginTracing,
  errorType,
  inSpan,
  readTraceParent,
  restoredContext,
  storableContext,
  withWorkContext,
  workContext,
  writeTraceParent,
} from './tracing.ts'
