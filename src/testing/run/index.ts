export { DefaultPages, probePaths } from './default-pages.ts'
export type { ExecuteOptions } from './execute-pairs.ts'
export { executePairs } from './execute-pairs.ts'
export { FreshAnswers } from './fresh-answers.ts'
export { GENERATED, isGenerated } from './generated.ts'
export type { Obstacle, Outcome } from './outcome.ts'
export { isConclusive, isSkipped } from './outcome.ts'
export type {
  AttemptRecord,
  ControlKind,
  ControlRecord,
  EndpointKey,
  PairResult,
} from './pair-result.ts'
export { RecordedTarget } from './recorded-target.ts'
export { REQUEST_CHANGES, requestEditor } from './request-changes.ts'
export { RunGate } from './run-gate.ts'
export { runPair } from './run-pair.ts'
export type { RunSessions, SessionProbe } from './run-sessions.ts'
export { NO_SESSIONS, sentAs } from './run-sessions.ts'
export type { RunMaterial } from './run-tools.ts'
export { exchangeOf, runTools } from './run-tools.ts'
export type { SampleLack } from './sample-shelf.ts'
export { NO_SAMPLE, SampleShelf } from './sample-shelf.ts'
export { sendFailure, sendObstacle } from './send-failure.ts'
export {
  answerAs,
  isLost,
  type PrecheckOutcome,
  precheck,
  statusAs,
  statusAsStranger,
} from './session-watch.ts'
export type { RunTools, SentRequest, SessionTools } from './tools.ts'
