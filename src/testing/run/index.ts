export { DefaultPages, probePaths } from './default-pages.ts'
export type { ExecuteOptions } from './execute-pairs.ts'
export { executePairs } from './execute-pairs.ts'
export type { Obstacle, Outcome } from './outcome.ts'
export { isConclusive, isSkipped } from './outcome.ts'
export type {
  AttemptRecord,
  ControlKind,
  ControlRecord,
  EndpointKey,
  PairResult,
} from './pair-result.ts'
export { REQUEST_CHANGES, requestEditor } from './request-changes.ts'
export { RunGate } from './run-gate.ts'
export { runPair } from './run-pair.ts'
export type { RunSessions } from './run-sessions.ts'
export { NO_SESSIONS } from './run-sessions.ts'
export type { RunMaterial } from './run-tools.ts'
export { FreshAnswers, runTools, SampleShelf } from './run-tools.ts'
export { isLost, type PrecheckOutcome, precheck, statusAs } from './session-watch.ts'
export type { RunTools, SentRequest, SessionTools } from './tools.ts'
